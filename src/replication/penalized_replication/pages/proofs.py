"""The proofs in the article's supplement: pages of ``docs/pages/theory``, set by pandoc."""

import re
from collections.abc import Iterable
from pathlib import Path

PROVED = (
    *("setting", "lemmas", "main-theorem", "lower-bound", "theorem-4-1", "theorem-4-2"),
    *("soft-threshold", "gap-free", "floors", "all-laws"),
)
"""Pages of the theory, as they are read."""
_PICTURE = re.compile(r"^!\[[^\]]*\]\([^)]*\)$", re.MULTILINE)
_LINK = re.compile(r"\[([^\]]*)\]\((?!http)[^)]*\)")
_LABEL = re.compile(r"^<[\w-]+>\n", re.MULTILINE)


def proofs(pages: Iterable[Path | str]) -> str:
    """Return pages, Markdown with TeX's formulas, as typst: headings from the second level on.

    Pictures and links within the documentation go; the text of links stays.
    """
    import pypandoc

    text = "\n\n".join(Path(page).read_text(encoding="utf-8") for page in pages)
    text = _LINK.sub(r"\1", _PICTURE.sub("", text))
    markdown = "markdown+tex_math_dollars+pipe_tables-citations-auto_identifiers"
    # Ids of headings repeat from page to page; nothing refers to them.
    options = ["--quiet", "--shift-heading-level-by=1", "--wrap=none"]
    found = pypandoc.convert_text(text, "typst", format=markdown, extra_args=options)
    # pandoc has an older name of this symbol than typst.
    return re.sub(r"\bsect\b", "inter", _LABEL.sub("", found))
