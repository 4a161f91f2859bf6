"""The page of ten minutes as a notebook: its text and its code, without what the code prints.

After a change of the page:

    uv run python tools/page_as_notebook.py
"""

import re
from pathlib import Path

import nbformat
from nbformat import v4

PAGE = Path(__file__).parents[1] / "docs/pages/library/ten-minutes.md"
NOTEBOOK = PAGE.with_suffix(".ipynb")
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


if __name__ == "__main__":
    NOTEBOOK.write_text(notebook(), encoding="utf-8")
