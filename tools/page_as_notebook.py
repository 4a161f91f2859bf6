"""The page of ten minutes as a notebook, without what its code prints, and the page's picture.

After a change of the page:

    uv run python tools/page_as_notebook.py
"""

import re
from pathlib import Path

import matplotlib.pyplot as plt
import nbformat
from nbformat import v4

DOCS = Path(__file__).parents[1] / "docs"
PAGE = DOCS / "pages/library/ten-minutes.md"
NOTEBOOK = PAGE.with_suffix(".ipynb")
PICTURE = DOCS / "images/library_comparison.png"
_BLOCK = re.compile(r"(?ms)^```(\w+)\n(.*?)^```$")
_PICTURE_OR_LINK = re.compile(r"!\[[^\]]*\]\([^)]*\)\n\n|\[([^\]]*)\]\([^)]*\)")


def notebook() -> str:
    """Return the notebook as JSON; links, which lead to pages, keep their words."""
    text = PAGE.read_text(encoding="utf-8")
    cells = []
    at = 0
    for block in [*_BLOCK.finditer(text), None]:
        words = text[at : block.start() if block else None].strip()
        if words:
            words = _PICTURE_OR_LINK.sub(lambda link: link[1] or "", words)
            cells.append(v4.new_markdown_cell(words))
        if block and block[1] == "python":
            cells.append(v4.new_code_cell(block[2].rstrip()))
        at = block.end() if block else at
    for i, cell in enumerate(cells):
        cell["id"] = f"cell-{i}"
    return nbformat.writes(v4.new_notebook(cells=cells)) + "\n"


def draw() -> None:
    """Draw the picture by the page's first code."""
    code = next(block[2] for block in _BLOCK.finditer(PAGE.read_text("utf-8")))
    exec(compile(code, str(PAGE), "exec"), {})  # noqa: S102  (our own page)
    plt.savefig(PICTURE, dpi=200)


if __name__ == "__main__":
    NOTEBOOK.write_text(notebook(), encoding="utf-8")
    draw()
