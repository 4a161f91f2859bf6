"""The figures.  A setting's has no line here; one of another kind has.

``figure_1.py`` and its like hold ``draw``, ``captions/figure_1.md.j2`` the caption.  They are
imported when a figure is drawn, so that reading the list does not pay for matplotlib.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from penalized_replication.claims import CLAIMS, OURS
from penalized_replication.experiments.catalogue import EXPERIMENTS, SETTINGS


@dataclass(frozen=True)
class Figure:
    """A figure and what it is drawn from."""

    id: str
    title: str
    setting: str = ""
    """The setting of the paper whose tables it shows; empty for a figure of the theory."""
    studies: tuple[str, ...] = ()
    """Experiments whose summaries it shows, each a table by its id."""
    replicates: tuple[str, ...] = ()
    """Those whose replicates it shows too: ``<id>_replicates``."""
    topics: tuple[str, ...] = ()
    """Jobs whose checked claims it shows."""
    tables: Mapping[str, str] = field(default_factory=dict)
    """Other tables that it shows, by name: paths in the scenario's folder."""
    behind: tuple[str, ...] = ()
    """The experiments behind ``tables``."""
    scenarios: str = ""
    """The set of scenarios whose verdicts it shows beside the paper's."""
    claims: tuple[str, ...] = ()
    """Claims that the reproduction page shows beside it; of a setting's, all those on it."""
    package: str = OURS

    @property
    def experiments(self) -> tuple[str, ...]:
        """The experiments that it shows; none where it shows verdicts alone."""
        return tuple(filter(None, (self.setting, *self.studies, *self.behind)))

    @property
    def heading(self) -> str:
        """Its title as a heading."""
        return f"{self.title[0].upper()}{self.title[1:]}"

    @property
    def labels(self) -> dict[str, str]:
        """Labels of the figure in Snakemake's report."""
        return {"figure": self.id.replace("_", " ").capitalize(), "shows": self.heading}


def tables_of(figure: Figure) -> dict[str, str]:
    """Return a figure's tables by the names that its code knows: paths in the scenario's folder.

    Of replicates it is the folder of their parts.
    """
    tables: dict[str, str] = {}
    if figure.setting:
        tables["summary"] = f"summaries/{figure.setting}.csv"
        if EXPERIMENTS[figure.setting].has_frontier:
            tables["frontier"] = f"summaries/{figure.setting}_frontier.csv"
        if EXPERIMENTS[figure.setting].needs_ratings:
            tables["provenance"] = "movielens/provenance.json"
    tables |= {study: f"summaries/{study}.csv" for study in figure.studies}
    tables |= {f"{name}_replicates": f"replicates/{name}" for name in figure.replicates}
    tables |= {f"{topic}_claims": f"claims/measured/{topic}.json" for topic in figure.topics}
    tables |= figure.tables
    if figure.scenarios:
        tables["verdicts"] = f"scenarios/{figure.scenarios}.csv"
    return tables


def by_id(*figures: Figure, package: str = OURS) -> dict[str, Figure]:
    """Return the figures of a package by their ids."""
    return {figure.id: replace(figure, package=package) for figure in figures}


FIGURES = by_id(
    *(
        Figure(
            name.replace("setting", "figure"),
            f"{setting.title[0].lower()}{setting.title[1:]}",
            name,
            topics=(name,) if setting.figure_shows_claims else (),
            claims=tuple(claim for claim, entry in CLAIMS.items() if name in entry.experiments),
        )
        for name, setting in SETTINGS.items()
    ),
    Figure("figure_5_panels", "the twelve panels of Figure 5, as the paper has them", "setting_5"),
)
"""The figures of the settings, which are the paper's, by number."""

EVERY_FIGURE: dict[str, Figure] = FIGURES | by_id(
    Figure(
        "theory_log_t",
        "penalized regret over its fluid prediction",
        studies=("log_laws",),
        claims=("C03", "C06", "C06A", "C06P", "C07", "C08", "C09", "C21", "C38"),
    ),
    Figure(
        "theory_exponents",
        "the largest regret over gaps against T, and its exponents",
        studies=("worst_case",),
        claims=("C14", "C15", "C16", "C17", "C18", "C20", "C39", "C40", "C40A", "C41", "C44"),
    ),
    Figure(
        "theory_crossover",
        "Figure 1 up to long horizons, with UCB1, the lower bound and shares of draws",
        studies=("crossover", "setting_1"),
        replicates=("crossover",),
        topics=("crossover",),
        claims=("C19", "C34", "C36", "C51"),
    ),
    Figure(
        "regret_decomposition",
        "what the hard threshold and UCB1 lose, and why",
        studies=("crossover", "movie_crossover"),
        topics=("crossover",),
        claims=("C34", "C51"),
    ),
    Figure(
        "sensitivity",
        "verdicts of the claims under each alternative interpretation",
        scenarios="interpretations",
    ),
)
"""With those of the theory and of the claims, which the paper lacks, and of extensions."""
