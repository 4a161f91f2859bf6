"""Every experiment by its id.  A new one is a file in ``paper``, ``theory`` or an extension."""

from collections.abc import Iterable
from dataclasses import replace
from importlib import import_module
from pkgutil import iter_modules
from types import ModuleType

from penalized_replication.experiments import paper, theory
from penalized_replication.experiments.base import Experiment

_STUDIES = (
    *("log_laws", "crossover", "worst_case", "deterministic"),
    *("two_instances", "equal_penalties", "lfg_fairness"),
)
"""Files of the studies, in the order of the pages; a new one comes last."""


def modules_of(folder: ModuleType, files: Iterable[str] = ()) -> list[ModuleType]:
    """Import the modules of a package, or some of them, and return them in order."""
    names = files or sorted(file.name for file in iter_modules(folder.__path__))
    return [import_module(f"{folder.__name__}.{name}") for name in names]


def from_files(folder: ModuleType, files: Iterable[str] = ()) -> dict[str, Experiment]:
    """Return the experiments of the modules of a package, or of some of them, by id."""
    modules = map(vars, modules_of(folder, files))
    several = (module.get("EXPERIMENTS", module.values()) for module in modules)
    loaded = (x for values in several for x in values if isinstance(x, Experiment))
    package = folder.__name__.partition(".experiments")[0]
    return {x.id: replace(x, package=package) for x in loaded}


SETTINGS = from_files(paper)
STUDIES = from_files(theory, _STUDIES)
"""Studies that test the theory, which the paper proves without measurements."""

EXPERIMENTS: dict[str, Experiment] = {**SETTINGS, **STUDIES}
"""Those of the default run; then those of extensions, where they are loaded."""
