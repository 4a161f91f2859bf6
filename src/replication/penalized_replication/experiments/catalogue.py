"""Every experiment by its id.  A new one is a file in ``paper``, ``theory`` or ``extended``.

The paper's settings and the studies of its theory are read with the config.  The extended ones
(`penalized_replication.experiments.extended`) are imported when they are asked for.
"""

from collections.abc import Iterable
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from types import ModuleType

from penalized_replication.experiments import paper, theory
from penalized_replication.experiments.base import Experiment

_STUDIES = (
    "log_laws",
    "crossover",
    "worst_case",
    "deterministic",
    "two_instances",
    "equal_penalties",
    "lfg_fairness",
)
"""Files of the studies, in the order of the pages; a new one comes last."""


def _from_files(folder: ModuleType, files: Iterable[str] = ()) -> dict[str, Experiment]:
    names = files or sorted(file.name for file in iter_modules(folder.__path__))
    modules = [vars(import_module(f"{folder.__name__}.{name}")) for name in names]
    several = (module.get("EXPERIMENTS", module.values()) for module in modules)
    return {x.id: x for values in several for x in values if isinstance(x, Experiment)}


SETTINGS = _from_files(paper)
"""The paper's own."""

STUDIES = _from_files(theory, _STUDIES)
"""Studies that test the theory, which the paper proves without measurements."""

REGRET = ("extended_1", "extended_regret")
TRADEOFF = ("extended_3", "extended_5")
"""Extended experiments in which all policies are compared, on regret and on trade-offs."""

EXPERIMENTS: dict[str, Experiment] = {**SETTINGS, **STUDIES}
"""Those of the default run."""


@cache
def beyond() -> dict[str, Experiment]:
    """Return the extended experiments, for which the default run need not wait."""
    return _from_files(import_module("penalized_replication.experiments.extended"))


def experiment(name: str) -> Experiment:
    """Return an experiment by its id; extended ones are imported when asked for."""
    return EXPERIMENTS[name] if name in EXPERIMENTS else beyond()[name]
