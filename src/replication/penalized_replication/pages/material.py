"""What the page and the article are made from, and the links that follow from it."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

DRAWN = (*(f"figure_{number}" for number in range(1, 6)), "theory_crossover")
"""The figures of the default run that the article shows."""
FIRST = "theory_crossover"
"""The figure whose form of one column is the first picture of page and article."""
TEXTS = (
    *(f"{name}.typ" for name in ("article", "style", "ledger", "problem", "related")),
    *(f"{name}.typ" for name in ("claims", "methods", "figures", "theory", "new", "optimal")),
    *("practice.typ", "reproducibility.typ", "supplement.typ", "metadata.yaml", "references.bib"),
)
"""The files of ``workflow/article``."""
PROVED = (
    *("setting", "lemmas", "main-theorem", "lower-bound", "theorem-4-1", "theorem-4-2"),
    *("soft-threshold", "gap-free", "floors", "all-laws"),
)
"""Pages of ``docs/pages/theory`` in the article's supplement, as they are read."""
DOCS = {
    "Documentation": "docs/pages/index.md",
    "How verdicts are reached": "docs/pages/background/verdicts.md",
    "Theory, with proofs": "docs/pages/theory/index.md",
    "All policies compared": "docs/extended.md",
    "Sharp constants up to T = 10⁸": "docs/sharp.md",
    "Glossary": "docs/pages/glossary.md",
}
"""Pages of the documentation to which the page links, where they are."""


@dataclass(frozen=True)
class Material:
    """What the page is made from: paths as the workflow names them.

    The page links to these files alone, so that no link of it leads nowhere.
    """

    page: str
    """Where the page will be written: links are relative to its folder."""
    claims: str
    verdicts: str
    """Verdicts under alternative readings: of this run, or published ones."""
    sharp: str
    """The ledger on the constants of the theory: of this run, or the published one."""
    counts: str
    ratings: str
    """Where the ratings came from."""
    config: str
    """The replication's own config, to say what differs from it."""
    figures: Sequence[str]
    """Files of the figures: SVG, PNG, PDF and caption of each."""
    tables: Sequence[str]
    replicates: Sequence[str]
    code: str
    """Hash of the package."""
    ledger: Sequence[str] = ()
    """Other forms of the ledger."""
    evidence: Sequence[str] = ()
    """Further tables that claims stand on."""
    notebooks: Mapping[str, str] = field(default_factory=dict)
    """Path by title, as of ``docs``."""
    playground: str | None = None
    docs: Mapping[str, str] = field(default_factory=dict)

    @property
    def folder(self) -> Path:
        """The folder of the page."""
        return Path(self.page).parent

    @cached_property
    def files(self) -> set[str]:
        """Every file that the page may link to."""
        several = (self.figures, self.tables, self.ledger, self.evidence, self.replicates)
        named = (self.notebooks.values(), self.docs.values())
        one = (self.claims, self.verdicts, self.counts, self.ratings, self.playground or "")
        return set().union(*several, *named, one)

    def link(self, path: str) -> str | None:
        """Return the way from the page to a file; None if it is not one that was given."""
        return Path(os.path.relpath(path, self.folder)).as_posix() if path in self.files else None

    def file(self, figure: str, suffix: str) -> Path:
        """Return a figure's file of a kind."""
        return next(Path(f) for f in self.figures if Path(f).name == f"{figure}.{suffix}")


def docs_from(page: str, docs: Mapping[str, str]) -> dict[str, str]:
    """Return the pages of the documentation to link to: none if ``page`` goes to a storage."""
    staged = Path(page).is_absolute() or ".snakemake" in Path(page).parts
    return {} if staged else dict(docs)
