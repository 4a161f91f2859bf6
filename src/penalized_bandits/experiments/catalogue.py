"""Every experiment by its id.  A new setting is a file in ``paper``.

The paper's settings and the studies of its theory are read with the config.  Those beyond the
paper (`penalized_bandits.experiments.extended`) are imported when they are asked for.
"""

from collections.abc import Iterable
from importlib import import_module
from pkgutil import iter_modules

from penalized_bandits.experiments import paper, theory
from penalized_bandits.experiments.base import Experiment

_STUDIES = (
    "log_laws",
    "crossover",
    "movie_crossover",
    "worst_case",
    "deterministic",
    "two_instances",
    "equal_penalties",
    "lfg_fairness",
)
"""Files of the studies, in the order of the pages; a new one comes last."""


def _from_files(folder: str, files: Iterable[str]) -> dict[str, Experiment]:
    modules = (import_module(f"{folder}.{file}") for file in files)
    return {module.EXPERIMENT.id: module.EXPERIMENT for module in modules}


SETTINGS = _from_files(paper.__name__, sorted(file.name for file in iter_modules(paper.__path__)))
"""The paper's own."""

STUDIES = _from_files(theory.__name__, _STUDIES)
"""Studies that test the theory, which the paper proves without measurements."""

EXPERIMENTS: dict[str, Experiment] = {**SETTINGS, **STUDIES}


def experiment(name: str) -> Experiment:
    """Return an experiment by its id; extended ones are imported when asked for."""
    if name in EXPERIMENTS:
        return EXPERIMENTS[name]
    from penalized_bandits.experiments.extended import EXTENSIONS, SHARP

    return (EXTENSIONS | SHARP)[name]
