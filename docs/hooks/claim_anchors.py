"""Give every claim of a ledger an address of its own: ``claims.md#c07``, ``sharp.md#s01``.

The anchor that a heading has by itself holds the verdict, and would change with it.
"""

import re

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import Files
from mkdocs.structure.pages import Page

PAGES = ("claims.md", "extended.md", "sharp.md")


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str | None:
    """Name the sections of the claims, and link the table above to them."""
    del config, files
    if page.file.src_uri not in PAGES:
        return None
    sections = re.findall(r"(?m)^##+ ([A-Z]\w*\d\w*) \(", markdown)
    for claim in sections:
        anchor = claim.lower()
        markdown = re.sub(rf"(?m)^(##+ {claim} .*)$", rf"\1 {{ #{anchor} }}", markdown)
        markdown = re.sub(rf"(?m)^\| {claim} \|", f"| [{claim}](#{anchor}) |", markdown)
    return markdown
