"""Where results are: the files of each experiment, figure and claim, below ``results/``."""

from collections.abc import Iterable

from penalized_bandits.claims import CLAIMS, TOPICS, experiments_of
from penalized_bandits.config import BaseConfig
from penalized_bandits.experiments.catalogue import EXPERIMENTS, experiment
from penalized_bandits.figures import (
    ALL_FIGURES,
    EVERY_FIGURE,
    EXTENDED_FIGURES,
    SHARP_FIGURES,
    tables_of,
)
from penalized_bandits.notebooks import NOTEBOOKS
from penalized_bandits.workflow.runs import CONFIRMATION, REPLICATES, SENSITIVITY

RATINGS = ("movielens", "extended", "sharp", "confirmation")
"""Folders of rating counts: the paper's, and those of the sections beyond it, each of which has
thresholds of its own.  With one table for all, each would make the others' results stale."""


def either(names: Iterable[str]) -> str:
    """Return a wildcard's constraint: one of some names."""
    return "|".join(names) or "none"


def figure_files(figure: str) -> list[str]:
    """Return the files of a figure, caption included, and of its form of one column."""
    forms = (".pdf", ".svg", ".png", ".md", "_column.pdf", "_column.svg", "_column.png")
    return [f"results/figures/{figure}{form}" for form in forms]


def figure_tables(figure: str) -> dict[str, str]:
    """Return the tables of a figure, by the names that its code uses."""
    return {name: f"results/{path}" for name, path in tables_of(EVERY_FIGURE[figure]).items()}


def notebook_files(notebook: str) -> list[str]:
    """Return the files of a notebook: with its outputs, and as a page."""
    return [f"results/notebooks/{notebook}.{suffix}" for suffix in ("ipynb", "html")]


def summary_files(name: str) -> list[str]:
    """Return the tables of an experiment: its summary, and its frontier if it has one."""
    tables = [f"results/summaries/{name}.csv"]
    if experiment(name).has_frontier:
        tables.append(f"results/summaries/{name}_frontier.csv")
    return tables


def measured_files(*topics: str, folder: str = "claims") -> list[str]:
    """Return what the claims of topics measure; in ``sensitivity`` under alternatives."""
    return [f"results/{folder}/measured/{topic}.json" for topic in topics]


def alternative_files(names: Iterable[str]) -> dict[str, str]:
    """Return the replicates under alternative readings of the experiments that have any."""
    return {
        name: f"results/{SENSITIVITY}/{name}/1of1.parquet"
        for name in names
        if experiment(name).readings
    }


def ratings_files(name: str, run: str = REPLICATES) -> list[str]:
    """Return the table of rating counts of an experiment in a run, if its arms are movies."""
    if not experiment(name).needs_ratings:
        return []
    if run.startswith(CONFIRMATION):
        folder = "confirmation"
    elif name in EXPERIMENTS:
        folder = "movielens"
    else:
        from penalized_bandits.experiments.extended import SHARP

        folder = "sharp" if name in SHARP else "extended"
    return [f"results/{folder}/rating_counts.csv"]


def new_bandits(seeds: Iterable[int], experiments: Iterable[str]) -> list[str]:
    """Return the replicates of experiments on new bandits, seed by seed."""
    names = list(experiments)
    return [f"results/{CONFIRMATION}{seed}/{name}/1of1.parquet" for seed in seeds for name in names]


def runs(config: BaseConfig) -> list[str]:
    """Return the runs of a config: folders of replicates below ``results/``."""
    return [REPLICATES, SENSITIVITY, *(f"{CONFIRMATION}{seed}" for seed in config.seeds)]


class Files:
    """Files that depend on the config: how replicates are split, and what there is beyond."""

    def __init__(self, config: BaseConfig) -> None:
        self._config = config

    def replicates(self, *experiments: str) -> list[str]:
        """Return the tables of replicates of experiments: every part, in order."""
        return [
            f"results/{REPLICATES}/{name}/{part}of{parts}.parquet"
            for name in experiments
            for parts in [self._config.parts(name)]
            for part in range(1, parts + 1)
        ]

    def target(self, name: str) -> list[str]:
        """Return what the target of a figure, or of an experiment, makes.

        Of an experiment its replicates and tables, the figures of a setting, and what the claims
        measure whose first experiment it is; of a figure also the replicates that it shows.
        """
        if name in ALL_FIGURES:
            return [*figure_files(name), *self.replicates(*ALL_FIGURES[name].experiments)]
        figures = [figure.id for figure in EVERY_FIGURE.values() if figure.setting == name]
        claims = [entry for entry in CLAIMS.values() if entry.experiments[:1] == (name,)]
        return [
            *self.replicates(name),
            *summary_files(name),
            *(file for figure in figures for file in figure_files(figure)),
            *measured_files(*dict.fromkeys(entry.topic for entry in claims)),
        ]

    def behind(self, topic: str) -> dict[str, list[str]]:
        """Return the replicates that the claims of a topic are measured on, by experiment."""
        return {name: self.replicates(name) for name in experiments_of(topic)}

    def same(self) -> list[str]:
        """Return what comes out the same, byte for byte, whenever and however it is made."""
        return [
            "results/movielens/rating_counts.csv",
            *(table for name in EXPERIMENTS for table in summary_files(name)),
            *LEDGER,
            "results/claims/parts.csv",
            "results/claims/sensitivity.csv",
            *(file for figure in ALL_FIGURES for file in figure_files(figure)),
        ]

    def notebooks(self) -> list[str]:
        """Return the notebooks of the default target, to which the reproduction page links."""
        return list(NOTEBOOKS) if self._config.pages.notebooks else []

    def default(self) -> list[str]:
        """Return what the default target makes, but for the checksums.

        All of it: Snakemake would not miss a file that something else is made from.
        """
        behind_claims = dict.fromkeys(e for claim in CLAIMS.values() for e in claim.experiments)
        return [
            *self.same(),
            "results/movielens/provenance.json",
            *self.replicates(*EXPERIMENTS),
            *alternative_files(behind_claims).values(),
            *measured_files(*TOPICS),
            *measured_files(*TOPICS, folder=SENSITIVITY),
            "results/claims/verdicts.json",
            "results/index.html",
            "results/playground.html",
            *(file for notebook in self.notebooks() for file in notebook_files(notebook)),
        ]

    def extended(self) -> list[str]:
        """Return what the target ``extended`` makes, or a file that says what is missing."""
        names = self._config.extensions
        if not names:
            return _missing("extended", "extended")
        comparison = [f"results/extended/comparison.{suffix}" for suffix in ("csv", "md")]
        return [*_beyond(names, EXTENDED_FIGURES), *_claims("extended"), *comparison]

    def sharp(self) -> list[str]:
        """Return what the target ``sharp`` makes, or a file that says what is missing."""
        names = self._config.sharp_studies
        if not names:
            return _missing("sharp", "sharp")
        return [*_beyond(names, SHARP_FIGURES), *_claims("sharp")]

    def confirm(self) -> list[str]:
        """Return what the target ``confirm`` makes, or a file that says what is missing."""
        return (
            _claims("confirmation") if self._config.seeds else _missing("confirmation", "confirm")
        )


def _missing(section: str, file: str) -> list[str]:
    return [f"the section {section} of the config: add --configfile config/{file}.yaml"]


def _beyond(experiments: Iterable[str], figures: Iterable[str]) -> list[str]:
    tables = [table for name in experiments for table in summary_files(name)]
    return tables + [file for figure in figures for file in figure_files(figure)]


def _claims(folder: str) -> list[str]:
    return [f"results/{folder}/claims.{suffix}" for suffix in ("csv", "json", "md")]


LEDGER = _claims("claims")
