"""Where results are: the files of each experiment, figure and claim, below ``results/``."""

from collections.abc import Container, Iterable

from penalized_bandits.claims import TOPICS, switches
from penalized_bandits.config import BaseConfig
from penalized_bandits.experiments.catalogue import EXPERIMENTS, experiment
from penalized_bandits.figures import ALL_FIGURES, EVERY_FIGURE, EXTENDED_FIGURES, SHARP_FIGURES
from penalized_bandits.figures.tables import tables_of
from penalized_bandits.notebooks import NOTEBOOKS
from penalized_bandits.workflow.runs import REPLICATES

LEDGER = [f"results/claims/claims.{suffix}" for suffix in ("csv", "json", "md")]
COUNTED = ("movielens", "extended", "sharp", "confirmation")
"""Folders of rating counts: the paper's, and those of the sections beyond it, each of which has
thresholds of its own.  With one table for all, each would make the others' results stale."""
COUNTS = "results/movielens/rating_counts.csv"


def either(names: Iterable[str]) -> str:
    """Return a wildcard's constraint: one of some names."""
    return "|".join(names) or "none"


def figure_files(figure: str) -> list[str]:
    """Return the files of a figure, caption included, and of its form of one column."""
    forms = [f"{figure}.{suffix}" for suffix in ("pdf", "svg", "png", "md")]
    if EVERY_FIGURE[figure].column:
        forms += [f"{figure}_column.{suffix}" for suffix in ("pdf", "svg")]
    return [f"results/figures/{form}" for form in forms]


def figure_tables(figure: str) -> dict[str, str]:
    """Return what a figure is drawn from, by the name that its code knows."""
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


def flipped_files(reading: str, among: Container[str] | None = None) -> list[str]:
    """Return the replicates of the experiments that a reading can touch, with it flipped.

    ``among``: of these experiments only.
    """
    names = switches.touched(reading, among)
    return [f"results/sensitivity/{reading}/{name}/1of1.parquet" for name in names]


def measured_files(*topics: str) -> list[str]:
    """Return what the claims of topics measure."""
    return [f"results/claims/measured/{topic}.json" for topic in topics]


def again_files(*topics: str) -> list[str]:
    """Return what the claims of topics measure with readings flipped."""
    return [f"results/sensitivity/measured/{topic}.json" for topic in topics]


def _counted_for(name: str) -> str:
    if name in EXPERIMENTS:
        return "movielens"
    from penalized_bandits.experiments.beyond import SHARP

    return "sharp" if name in SHARP else "extended"


def ratings_files(name: str, run: str = REPLICATES) -> list[str]:
    """Return the table of rating counts of an experiment in a run, if its arms are movies."""
    if not experiment(name).needs_ratings:
        return []
    folder = "confirmation" if run.startswith("confirmation") else _counted_for(name)
    return [f"results/{folder}/rating_counts.csv"]


def new_bandits(seeds: Iterable[int], experiments: Iterable[str]) -> list[str]:
    """Return the replicates of experiments on new bandits, seed by seed."""
    return [
        f"results/confirmation/seed_{seed}/{name}/1of1.parquet"
        for seed in seeds
        for name in experiments
    ]


def runs(config: BaseConfig) -> list[str]:
    """Return the runs of a config: folders of replicates below ``results/``."""
    flipped = [f"sensitivity/{reading}" for reading in switches.readings()]
    return [REPLICATES, *flipped, *(f"confirmation/seed_{seed}" for seed in config.seeds)]


class Files:
    """Files that depend on the config: how replicates are split, and what there is beyond."""

    def __init__(self, config: BaseConfig) -> None:
        self._config = config

    def replicates(self, *experiments: str) -> list[str]:
        """Return the tables of replicates of experiments: every part, in order."""
        return [
            f"results/replicates/{name}/{part}of{parts}.parquet"
            for name in experiments
            for parts in [self._config.parts(name)]
            for part in range(1, parts + 1)
        ]

    def same(self) -> list[str]:
        """Return what comes out the same, byte for byte, whenever and however it is made."""
        return [
            COUNTS,
            *(table for name in EXPERIMENTS for table in summary_files(name)),
            *LEDGER,
            "results/claims/parts.csv",
            "results/claims/sensitivity.csv",
            *(file for figure in ALL_FIGURES for file in figure_files(figure)),
        ]

    def kept(self) -> list[str]:
        """Return what it all stands on."""
        return [
            "results/movielens/provenance.json",
            *self.replicates(*EXPERIMENTS),
            *(file for reading in switches.readings() for file in flipped_files(reading)),
            *measured_files(*TOPICS),
            *again_files(*TOPICS),
            "results/claims/verdicts.json",
        ]

    def notebooks(self) -> list[str]:
        """Return the notebooks of the default target, to which the reproduction page links."""
        return list(NOTEBOOKS) if self._config.pages.notebooks else []

    def default(self) -> list[str]:
        """Return what the default target makes, but for the checksums.

        All of it: Snakemake would not miss a file that something else is made from.
        """
        return [
            *self.same(),
            *self.kept(),
            "results/index.html",
            "results/playground.html",
            *(file for notebook in self.notebooks() for file in notebook_files(notebook)),
        ]

    def _beyond(
        self, name: str, experiments: list[str], figures: Iterable[str], *more: str
    ) -> list[str]:
        """Return what the target of a section beyond the paper's makes.

        Without this section of the config it is a file that says what is missing.
        """
        if not experiments:
            return [f"the section {name} of the config: add --configfile config/{name}.yaml"]
        return [
            *(table for one in experiments for table in summary_files(one)),
            *more,
            *(f"results/{name}/claims.{suffix}" for suffix in ("csv", "json", "md")),
            *(file for figure in figures for file in figure_files(figure)),
        ]

    def extended(self) -> list[str]:
        """Return what the target ``extended`` makes, or a file that says what is missing."""
        comparison = [f"results/extended/comparison.{suffix}" for suffix in ("csv", "md")]
        return self._beyond("extended", self._config.extensions, EXTENDED_FIGURES, *comparison)

    def sharp(self) -> list[str]:
        """Return what the target ``sharp`` makes, or a file that says what is missing."""
        return self._beyond("sharp", self._config.sharp_studies, SHARP_FIGURES)

    def confirmation(self) -> list[str]:
        """Return what the target ``confirm`` makes, or a file that says what is missing."""
        if not self._config.seeds:
            return ["the section confirmation of the config: add --configfile config/confirm.yaml"]
        return [f"results/confirmation/claims.{suffix}" for suffix in ("csv", "json", "md")]
