"""What the page is made from, and the links that follow from it."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

FIRST = "theory_crossover"  # its form of one column is the first picture without scripts
WHY = "regret_decomposition"  # its form of one column is in a scene, and there at once
PUBLISHED = tuple(f"docs/images/sensitivity{x}" for x in (".svg", ".png", ".md", "_column.svg"))
"""The published figure of verdicts under alternative interpretations."""
DOCS = {
    "Documentation": "docs/pages/index.md",
    "How verdicts are reached": "docs/pages/background/verdicts.md",
    "Corrections to theorems, with proofs": "docs/pages/theory/corrections.md",
    "Research beyond the paper": "research/README.md",
    "The problem and its terms": "docs/pages/background/problem.md",
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
    """Published verdicts under alternative interpretations."""
    counts: str
    ratings: str
    """Where the ratings came from."""
    results: Sequence[str]
    """All tables and figures of the run; of a figure SVG, PNG, PDF and caption."""
    published: Sequence[str]
    code: str
    """Hash of the code that the page stands on."""
    notebooks: Mapping[str, str]
    """Path by title, as of ``docs``."""
    playground: str
    docs: Mapping[str, str]

    @property
    def folder(self) -> Path:
        """The folder of the page."""
        return Path(self.page).parent

    @cached_property
    def files(self) -> set[str]:
        """Every file that the page may link to."""
        named = *self.notebooks.values(), *self.docs.values()
        return {*self.results, *self.published, self.verdicts, self.playground, *named}

    def below(self, folder: str) -> list[str]:
        """Return the results in a folder: ``replicates``."""
        return [path for path in self.results if f"/{folder}/" in path]

    def link(self, path: str) -> str | None:
        """Return the way from the page to a file; None if it is not one that was given."""
        return Path(os.path.relpath(path, self.folder)).as_posix() if path in self.files else None

    def file(self, figure: str, suffix: str) -> Path | None:
        """Return a figure's file of a kind; None if the run has none."""
        files = map(Path, (*self.results, *self.published))
        return next((file for file in files if file.name == f"{figure}.{suffix}"), None)


def docs_from(page: str, docs: Mapping[str, str]) -> dict[str, str]:
    """Return the pages of the documentation to link to: none if ``page`` goes to a storage."""
    staged = Path(page).is_absolute() or ".snakemake" in Path(page).parts
    return {} if staged else dict(docs)
