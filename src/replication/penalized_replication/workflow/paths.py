"""Where results are: the files of each experiment, figure and claim, below ``results/``.

Those of a scenario are in a folder of its own, which the functions take: ``scenarios/NAME/``, or
nothing for the config itself.
"""

from collections.abc import Iterable
from pathlib import Path

from penalized_replication.claims import CLAIMS, claims_on, experiments_of
from penalized_replication.common.errors import RunError
from penalized_replication.config.scenarios import FOLDER, Scenarios
from penalized_replication.experiments.catalogue import EXPERIMENTS
from penalized_replication.figures import EVERY_FIGURE, tables_of
from penalized_replication.notebooks import NOTEBOOKS
from penalized_replication.pages.material import FIRST
from penalized_replication.workflow.runs import Runs

RATINGS = ["results/movielens/rating_counts.csv", "results/movielens/provenance.json"]


def either(names: Iterable[str]) -> str:
    """Return a wildcard's constraint: one of some names."""
    return "|".join(names) or "none"


def figure_files(*figures: str, folder: str = "") -> list[str]:
    """Return the files of figures, captions included, and of their forms of one column."""
    forms = (".pdf", ".svg", ".png", ".md", "_column.svg")
    return [f"results/{folder}figures/{figure}{form}" for figure in figures for form in forms]


def notebook_files(*notebooks: str) -> list[str]:
    """Return the files of notebooks: with their outputs, and as pages."""
    return [f"results/notebooks/{name}.{kind}" for name in notebooks for kind in ("ipynb", "html")]


def claims_files(folder: str = "") -> list[str]:
    """Return the claims of a scenario."""
    names = ("claims.csv", "claims.json", "claims.md", "comparisons.csv")
    return [f"results/{folder}claims/{name}" for name in names]


class Files:
    """Files of the scenarios of a config."""

    def __init__(self, scenarios: Scenarios) -> None:
        self._scenarios, self.runs = scenarios, Runs(scenarios)
        self.added: dict[str, list[str]] = {}
        """By the names of sets, files that rules of an extension make of them."""

    def replicates(self, *experiments: str, folder: str = "") -> list[str]:
        """Return the tables of replicates of experiments: every part, in order."""
        return [
            f"results/{home}replicates/{name}/{part}of{parts}.parquet"
            for name in experiments
            for home in [self.runs.home(folder, name)]
            for parts in [self.runs.config(home).parts(name)]
            for part in range(1, parts + 1)
        ]

    def summaries(self, *experiments: str, folder: str = "") -> list[str]:
        """Return the tables of experiments: a summary, and the frontier if there is one."""
        return [
            f"results/{self.runs.home(folder, name)}summaries/{name}{suffix}.csv"
            for name in experiments
            for suffix in ("", "_frontier")
            if not suffix or EXPERIMENTS[name].has_frontier
        ]

    def claims(self, folder: str = "") -> list[str]:
        """Return the ids of the claims that a scenario decides: on experiments that it changes."""
        changed = set(self.runs.changed(folder))
        known = claims_on(self.runs.config(folder).experiments)
        return [entry.id for entry in known if not folder or changed & set(entry.experiments)]

    def of_topic(self, topic: str, folder: str = "") -> list[str]:
        """Return the ids of the claims of a topic whose experiments a scenario has."""
        return [entry.id for entry in claims_on(self.runs.config(folder).experiments, topic)]

    def behind(self, topic: str, folder: str = "") -> dict[str, list[str]]:
        """Return the replicates that the claims of a topic are measured on, by experiment."""
        names = experiments_of(CLAIMS[claim] for claim in self.of_topic(topic, folder))
        return {name: self.replicates(name, folder=folder) for name in names}

    def topics(self, folder: str) -> list[str]:
        """Return the topics of the claims that a scenario decides."""
        return list(dict.fromkeys(CLAIMS[claim].topic for claim in self.claims(folder)))

    def measured(self, *topics: str, folder: str = "") -> list[str]:
        """Return what the claims of topics measure."""
        own = self.topics(folder)
        return [f"results/{folder if t in own else ''}claims/measured/{t}.json" for t in topics]

    def figures(self, folder: str = "") -> list[str]:
        """Return the figures all of whose experiments a scenario has; none of sets' verdicts."""
        there = set(self.runs.config(folder).experiments)
        every = [figure for figure in EVERY_FIGURE.values() if not figure.scenarios]
        return [figure.id for figure in every if there >= set(figure.experiments)]

    def tables(self, figure: str, folder: str = "") -> dict[str, str | list[str]]:
        """Return the tables of a figure, by the names that its code uses."""
        found: dict[str, str | list[str]] = {}
        for name, path in tables_of(EVERY_FIGURE[figure]).items():
            place, stem = path.partition("/")[0], Path(path).stem
            home = "" if place in ("movielens", "scenarios") else folder
            if place == "summaries":
                home = self.runs.home(folder, stem.removesuffix("_frontier"))
            elif place == "claims":
                home = folder if stem in self.topics(folder) else ""
            parts = self.replicates(stem, folder=folder) if place == "replicates" else []
            found[name] = parts or f"results/{home}{path}"
        return found

    def home(self, name: str) -> str | None:
        """Return the first scenario that has an experiment or a figure; None if none has it."""
        wanted = EVERY_FIGURE[name].experiments if name in EVERY_FIGURE else (name,)
        base, folders = set(self.runs.config().experiments), {"": (), **self._scenarios.keys()}
        return next((f for f, added in folders.items() if base.union(added) >= {*wanted}), None)

    def target(self, name: str) -> list[str]:
        """Return what the target of a figure or an experiment makes.

        Of an experiment its replicates and tables, the figures of a setting, and what the claims
        measure whose first experiment it is; of a figure also the replicates that it shows.
        """
        folder = self.home(name) or ""
        if name in EVERY_FIGURE:
            shown = self.replicates(*EVERY_FIGURE[name].experiments, folder=folder)
            return [*figure_files(name, folder=folder), *shown]
        figures = [figure.id for figure in EVERY_FIGURE.values() if figure.setting == name]
        claims = [CLAIMS[claim] for claim in self.claims(folder)]
        topics = dict.fromkeys(c.topic for c in claims if c.experiments[:1] == (name,))
        tables = [*self.replicates(name, folder=folder), *self.summaries(name, folder=folder)]
        shown = [*figure_files(*figures, folder=folder), *self.measured(*topics, folder=folder)]
        return [*tables, *shown]

    def targets(self, names: Iterable[str]) -> list[str]:
        """Return those of figures or experiments that the config or a scenario has."""
        return [name for name in names if self.home(name) is not None]

    def unknown(self, name: str) -> list[str]:
        """Raise RunError for a target that is not known, with those that are."""
        others = ("all", "claims", "get_ratings", "notebooks", "playground")
        there = self.targets({**EVERY_FIGURE, **EXPERIMENTS})
        known = ", ".join([*others, *self._scenarios.sets, *there])
        raise RunError(f"there is no target {name}: known are {known}")

    def same(self) -> list[str]:
        """Return what comes out the same, byte for byte, whenever and however it is made."""
        summaries = self.summaries(*self.runs.config().experiments)
        return [*RATINGS[:1], *summaries, *claims_files(), *figure_files(*self.figures())]

    def notebooks(self) -> list[str]:
        """Return the notebooks of the default target, to which the reproduction page links."""
        config = self.runs.config()
        there = [n for n, book in NOTEBOOKS.items() if {*book.replicates} <= {*config.experiments}]
        return there if config.pages.notebooks else []

    def preview(self) -> list[str]:
        """Return the picture that links to the reproduction page have, if its address is known."""
        drawn = self.runs.config().pages.address and FIRST in self.figures()
        return ["results/preview.png"] if drawn else []

    def shown(self) -> list[str]:
        """Return all tables and figures of the default target, which its page shows or links to."""
        replicates = self.replicates(*self.runs.config().experiments)
        return [*self.same(), *RATINGS[1:], *replicates, *self.measured(*self.topics(""))]

    def default(self) -> list[str]:
        """Return what the default target makes, but for the checksums."""
        # All of it: Snakemake would not miss a file that something else is made from.
        pages = ["results/index.html", "results/playground.html", *self.preview()]
        return [*self.shown(), *pages, *notebook_files(*self.notebooks())]

    def deciding(self, name: str) -> dict[str, str]:
        """Return what scenarios of a set change, by name, that decide claims of the config too."""
        known, there = set(self.claims()), self._scenarios.sets[name]
        both = (one for one in there if known & set(self.claims(f"{FOLDER}{one}/")))
        return {one: self._scenarios.changes(one) for one in both}

    def of_set(self, name: str) -> list[str]:
        """Return what the target of a set of scenarios makes."""
        made: list[str] = []
        if name not in self._scenarios.together:
            if self.deciding(name):
                figures = (f.id for f in EVERY_FIGURE.values() if f.scenarios == name)
                made += [f"results/scenarios/{name}.csv", *figure_files(*figures)]
            for folder in self._scenarios.folders(name):
                # Figures are those that the config lacks.
                figures = (f for f in self.figures(folder) if f not in self.figures())
                made += claims_files(folder) if self.claims(folder) else []
                made += self.summaries(*self.runs.changed(folder), folder=folder)
                made += figure_files(*figures, folder=folder)
        return [*made, *self.added.get(name, ())]
