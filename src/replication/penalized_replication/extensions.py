"""Extensions: packages with experiments, claims, figures, policies and scenarios of their own.

The key ``extensions`` of the config names them.  An extension is an importable package, from the
working folder first, with any of these, found as the replication's own are:

- ``experiments/<file>.py``: experiments (`experiments.base.declare`);
- ``claims/<file>.py`` with ``claims/claims.yaml``, their list, ``claims/rules.csv``, their
  preregistration, and ``claims/notes``;
- ``figures/<id>.py`` with ``FIGURES`` in ``figures/__init__.py``, and ``figures/captions``;
- ``policies/<file>.py``: policies;
- ``scenarios.yaml``: sets of scenarios, which are added to those of the run.
"""

import inspect
import sys
from collections.abc import Collection, Iterable
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any

import penalized_bandits
from penalized_bandits.policies import FILES, POLICIES, Policy
from penalized_replication import claims, figures
from penalized_replication.common.errors import ConfigError
from penalized_replication.experiments import catalogue

HOMES: dict[str, Path] = {}
"""The folders of the extensions that are loaded, by their names."""
PACKAGE = Path(__file__).resolve().parent
LIBRARY = Path(penalized_bandits.__file__).resolve().parent
POLICY_FILES = {name: LIBRARY / "policies" / file for name, file in FILES.items()}
"""The files of policies, by id; those that the config names have none: they are its keys."""
_LISTS = ("__init__.py", "policies/__init__.py", "claims/__init__.py", "figures/__init__.py")
_LISTS += ("notebooks/__init__.py", "experiments/__init__.py", "experiments/catalogue.py")
LISTS = {home / name for home in (LIBRARY, PACKAGE) for name in _LISTS}
"""Files of all packages that list plug-ins."""


def packages() -> dict[str, Path]:
    """Return the folders of the library, of the replication and of extensions, by their names."""
    return {LIBRARY.name: LIBRARY, PACKAGE.name: PACKAGE, **HOMES}


def load(names: Iterable[str], taken: Collection[str] = ()) -> None:
    """Add the claims, figures and experiments of extensions to the replication's lists, once each.

    Raises ConfigError, with the extension's name, if there is no such package, importing it fails,
    or an id of it is in a list already or among those that are ``taken``, the keys of the config.
    """
    for name in (name for name in names if name not in HOMES):
        try:
            _load(name, taken)
        except ConfigError:
            raise
        except ModuleNotFoundError as error:
            raise ConfigError(f"extensions: {name} needs {error.name!r}") from error
        except Exception as error:  # whatever a user's file raises
            kind = type(error).__name__
            raise ConfigError(f"extensions: importing {name} failed: {kind}: {error}") from error


def _load(name: str, taken: Collection[str]) -> None:
    folder = str(Path.cwd())
    if folder not in sys.path:
        sys.path.insert(0, folder)
    package = _imported(name)
    if package is None or not getattr(package, "__path__", None):
        where = "it must lie in the folder where the command is run, or be installed"
        raise ConfigError(f"extensions: there is no package {name!r}; {where}")
    home = Path(next(iter(package.__path__))).resolve()
    policies = _imported(f"{name}.policies")
    for module in catalogue.modules_of(policies) if policies else ():
        found = {x.id: x for x in vars(module).values() if isinstance(x, Policy)}
        POLICIES.update(_new(name, "policy", found, POLICIES))
        POLICY_FILES.update(dict.fromkeys(found, Path(inspect.getfile(module)).resolve()))
    if folder := _imported(f"{name}.experiments"):
        taken = {*taken, *catalogue.EXPERIMENTS}
        played = _new(name, "experiment", catalogue.from_files(folder), taken)
        catalogue.EXPERIMENTS.update(played)
    # The path of it as text would put the paper's file behind every result (`workflow.code`).
    if (listed := home / "claims" / claims.LIST.name).is_file():
        claims.add(_new(name, "claim", claims.entries_of(listed, name), claims.CLAIMS))
    if module := _imported(f"{name}.figures"):
        drawn = figures.by_id(*module.FIGURES, package=name)
        figures.EVERY_FIGURE.update(_new(name, "figure", drawn, figures.EVERY_FIGURE))
    HOMES[name] = home
    LISTS.update(home / file for file in _LISTS)


def _new(name: str, kind: str, found: dict[str, Any], taken: Collection[str]) -> dict[str, Any]:
    if double := [one for one in found if one in taken]:
        known = f"{kind} {', '.join(double)} is there already"
        raise ConfigError(f"extensions: {name}: {known}: choose another id")
    return found


def _imported(name: str) -> ModuleType | None:
    return import_module(name) if find_spec(name) else None
