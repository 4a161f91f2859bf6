"""The miniature: a few replicates of everything, and the files that the workflow makes of it."""

from collections.abc import Iterable, Mapping
from copy import deepcopy
from functools import cache
from typing import Any

from config_helpers import PAPER
from penalized_bandits.claims import TOPICS as TOPIC_NAMES
from penalized_bandits.claims import experiments_of, switches
from penalized_bandits.config import BaseConfig, parse_config
from penalized_bandits.config.files import merge
from penalized_bandits.experiments import catalogue
from penalized_bandits.figures import ALL_FIGURES

TINY: dict[str, Any] = {
    "seed": 7,
    "movielens": {"source": "bundled"},
    "setting_1": {"replicates": 3, "arms": [5], "fairness": [0.2, 0.8], "horizons": [100, 300]},
    "setting_2": {"replicates": 3, "horizon": 300, "scale_points": 3},
    "setting_3": {"replicates": 3, "horizon": 300, "m0": [2500], "tuning_values": 3},
    "setting_4": {"replicates": 3, "horizon": 300},
    "setting_5": {
        "replicates": 3,
        "horizon": 300,
        "arms": [5],
        "fairness": [0.5],
        "tuning_values": 3,
    },
    "sensitivity": {"replicates": 2, "replicates_of": {"setting_4": 2}},
    "pages": {"notebooks": False},
    # The instances of a study stay: a config merged into another takes no key away.
    "log_laws": {"replicates": 8, "horizons": [700, 1000, 1400, 2000, 2800]},
    "crossover": {
        "replicates": 8,
        "horizons": [100, 300, 1000],
        "tuned_horizons": [100, 1000],
        "arms": [5],
        "fairness": [0.2, 0.8],
    },
    "movie_crossover": {
        "replicates": 8,
        "horizons": [100, 300, 1000],
        "tuned_horizons": [100, 1000],
        "m0": [2500],
    },
    "worst_case": {"replicates": 8, "horizons": [300, 1000, 3000], "gaps": [0.5, 1.0, 2.0]},
    "deterministic": {"replicates": 2, "horizons": [1000, 3000]},
    "two_instances": {"replicates": 8, "horizons": [100, 300]},
    "equal_penalties": {"replicates": 8, "horizons": [100, 300]},
    "lfg_fairness": {"replicates": 8, "horizons": [100, 300], "eta_0": [1.0, 10.0]},
}
"""Sections of the config; all settings, studies, policies and figures stay."""


def config_with(changes: Mapping[str, Any]) -> BaseConfig:
    """Return the miniature's config with some keys changed, section by section."""
    config = deepcopy(PAPER)
    for sections in (TINY, changes):
        merge(config, dict(sections))
    return parse_config(config)


@cache
def _in_jobs(chunks: int, jobs: str) -> BaseConfig:
    return config_with({"simulation": {"chunks": chunks, "jobs": jobs}})


def with_origins(files: Iterable[str]) -> set[str]:
    """Add the origins of files: one for all that share a name."""
    files = set(files)
    return files | {file.rpartition(".")[0] + ".origin.json" for file in files}


SETTINGS = tuple(catalogue.SETTINGS)
STUDIES = tuple(catalogue.STUDIES)
EXPERIMENTS = (*SETTINGS, *STUDIES)
FIGURES = tuple(name for name, figure in ALL_FIGURES.items() if figure.setting)
READINGS = {reading: switches.touched(reading) for reading in switches.readings()}
"""The experiments that each reading can touch."""
TOPICS = {topic: experiments_of(topic) for topic in TOPIC_NAMES}
"""The experiments that the claims of each job stand on."""
RATINGS = with_origins({"results/movielens/rating_counts.csv", "results/movielens/provenance.json"})
LEDGER = with_origins(
    f"results/claims/{name}" for name in ("claims.csv", "claims.json", "claims.md", "parts.csv")
)
INDEX = with_origins({"results/index.html"})
PAGES = INDEX
PLAYGROUND = with_origins({"results/playground.html"})
CHECKSUMS = {"results/checksums.txt"}
SENSITIVITY = with_origins({"results/claims/sensitivity.csv", "results/sensitivity/claims.json"})


def replicates_of(*experiments: str, chunks: int = 1, jobs: str = "group") -> set[str]:
    """Return the tables of replicates of experiments."""
    config = _in_jobs(chunks, jobs)
    return with_origins(
        f"results/replicates/{name}/{group}.{part}of{config.parts(name)}.parquet"
        for name in experiments
        for group in config.jobs(name)
        for part in range(1, config.parts(name) + 1)
    )


def summaries_of(*experiments: str) -> set[str]:
    """Return the summaries of experiments, frontiers included."""
    traced = [name for name in experiments if catalogue.EXPERIMENTS[name].has_frontier]
    names = [*experiments, *(f"{name}_frontier" for name in traced)]
    return with_origins(f"results/summaries/{name}.csv" for name in names)


COLUMN = ("pdf", "svg")
"""Formats of a figure's form of one column."""


def figure_of(*figures: str) -> set[str]:
    """Return the files of figures."""
    return with_origins(
        f"results/figures/{form}"
        for figure in figures
        for form in (
            *(f"{figure}.{suffix}" for suffix in ("pdf", "svg", "png", "md")),
            *(f"{figure}_column.{suffix}" for suffix in COLUMN if ALL_FIGURES[figure].column),
        )
    )


def notebooks_of(*names: str) -> set[str]:
    """Return the files of notebooks."""
    return with_origins(
        f"results/notebooks/{name}.{suffix}" for name in names for suffix in ("ipynb", "html")
    )


def flipped_of(*experiments: str) -> set[str]:
    """Return the tables of readings flipped that are made together with some experiments'."""
    return with_origins(
        f"results/sensitivity/{reading}/{name}.parquet"
        for reading, touched in READINGS.items()
        if set(touched) & set(experiments)
        for name in touched
    )


def theory_figures(*studies: str) -> list[str]:
    """Return the figures that show some of the studies."""
    return [f.id for f in ALL_FIGURES.values() if not f.setting and set(f.studies) & set(studies)]


def ledger_figures() -> list[str]:
    """Return the figures that show the verdicts with readings flipped."""
    return [figure.id for figure in ALL_FIGURES.values() if figure.claims]


def topic_figures(*topics: str) -> list[str]:
    """Return the figures that show claims checked by some of the jobs."""
    return [figure.id for figure in ALL_FIGURES.values() if set(figure.topics) & set(topics)]


def with_pages(files: set[str]) -> set[str]:
    """Add the pages that show any of the files, or what is made of them, and the checksums."""
    if not files:
        return files
    tables = summaries_of(*EXPERIMENTS) | LEDGER | SENSITIVITY
    pages = PAGES if files & tables else INDEX
    return files | pages | (set() if files <= PAGES else CHECKSUMS)


def checked_of(*topics: str) -> set[str]:
    """Return the claims that some jobs check."""
    return with_origins(f"results/claims/topics/{topic}.json" for topic in topics)


def checked_again_of(*topics: str) -> set[str]:
    """Return the claims that some jobs check, with readings flipped."""
    return with_origins(f"results/sensitivity/topics/{topic}.json" for topic in topics)


def judged(*topics: str) -> set[str]:
    """Return all that stands on a claim that some jobs check."""
    checked = checked_of(*topics) | checked_again_of(*topics)
    return checked | LEDGER | SENSITIVITY | figure_of(*ledger_figures(), *topic_figures(*topics))


def claims_of(*experiments: str) -> set[str]:
    """Return all that is decided, tabled and drawn of claims on some of the experiments."""
    return judged(*(topic for topic, names in TOPICS.items() if set(names) & set(experiments)))


def target_of(*experiments: str) -> set[str]:
    """Return what a target makes for settings or studies: replicates to figures."""
    figures = [f for f in ALL_FIGURES.values() if f.setting in experiments]
    made = replicates_of(*experiments) | summaries_of(*experiments)
    made |= checked_of(*(topic for figure in figures for topic in figure.topics))
    return made | figure_of(*(figure.id for figure in figures))


def all_of(*experiments: str) -> set[str]:
    """Return everything that stands on settings and studies, from replicates to verdicts."""
    # One job simulates all that a reading can touch.
    again = {e for names in READINGS.values() if set(names) & set(experiments) for e in names}
    return (
        target_of(*experiments)
        | flipped_of(*experiments)
        | checked_again_of(*(t for t, names in TOPICS.items() if again & set(names)))
        | figure_of(*theory_figures(*experiments))
        | claims_of(*experiments)
    )
