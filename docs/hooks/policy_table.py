"""Write the table of all policies into the page about them.

The line ``<!-- policies -->`` of ``background/policies.md`` becomes a table with a row for each
policy of the registry, from what its file says: a new policy needs no edit here.
"""

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.structure.files import Files
from mkdocs.structure.pages import Page

from penalized_bandits.policies import POLICIES
from penalized_bandits.policies.imported import registered

PAGE, MARKER = "background/policies.md", "<!-- policies -->"
HEADER = "| policy | rule | source | what is proved | what it lacks |\n|---|---|---|---|---|"


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str | None:
    """Put the table in the place of the marker."""
    del config, files
    if page.file.src_uri != PAGE:
        return None
    if MARKER not in markdown:
        raise PluginError(f"{PAGE} has no line {MARKER}")
    return markdown.replace(MARKER, table())


def table() -> str:
    """Return the table of the policies of the package."""
    rows = [
        (f"**{p.label}**<br>`{p.id}`", p.rule, p.reference, p.guarantees, p.lacks)
        for p in POLICIES.values()
        if p.id not in registered()
    ]
    lines = (" | ".join(cell.replace("|", "\\|") for cell in row) for row in rows)
    return "\n".join([HEADER, *(f"| {line} |" for line in lines)])
