"""The package files that each kind of result stands on.

A workflow cannot see that a program changed, so these files are inputs of its rules:
editing one makes exactly the results stale that it can change.  Files that cannot
change a number (logging, progress, error types, writing files) are left out.
"""

import inspect
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from penalized_bandits.claims import CLAIMS, TOPICS, claims_of
from penalized_bandits.policies import files_of
from penalized_bandits.policies.imported import registered
from penalized_bandits.settings import SETTINGS, Section, Setting

if TYPE_CHECKING:
    from penalized_bandits.config import BaseConfig
    from penalized_bandits.figures import Figure
    from penalized_bandits.notebooks import Notebook

PACKAGE = Path(__file__).parent
HARMLESS = frozenset(
    {
        "checks.py",
        "errors.py",
        "files.py",
        "logs.py",
        "origins.py",
        "progress.py",
        "runs.py",
        "startup.py",
        "typing.py",
    }
)
"""Files that no result stands on."""


def _relative(path: Path) -> str:
    """Return a path relative to the working folder, where it lies below it."""
    return _seen_from(path, Path.cwd())


@cache
def _seen_from(path: Path, folder: Path) -> str:
    folder, resolved = folder.resolve(), path.resolve()
    return str(resolved.relative_to(folder)) if resolved.is_relative_to(folder) else str(resolved)


def _files(*patterns: str) -> list[str]:
    """Return the package's files that match, sorted."""
    folder = Path.cwd()
    return sorted({file for pattern in patterns for file in _matching(pattern, folder)})


@cache
def _matching(pattern: str, folder: Path) -> tuple[str, ...]:
    """Return the package's files that match, as seen from a working folder."""
    del folder  # the paths depend on it
    return tuple(_relative(p) for p in PACKAGE.glob(pattern) if p.name not in HARMLESS)


def _module_of(function: object) -> Path:
    return Path(inspect.getfile(function))  # type: ignore[arg-type]


def ratings_code() -> list[str]:
    """Files behind the table of rating counts, bundled counts included."""
    return _files("datasets/*.py", "datasets/*.yaml", "datasets/bundled/*.csv")


def simulation_code(setting: Setting, section: Section) -> list[str]:
    """Files behind a setting's replicates: the engine, the setting, its policies."""
    policies: list[str] = getattr(section, "policies", [])
    common = _files(
        "engine/*.py",
        "experiment.py",
        "instances.py",
        "replicates.py",
        "rewards.py",
        "streams.py",
        "policies/base.py",
        "policies/seen.py",
        "settings/base.py",
    )
    common.append(_relative(_module_of(setting.cases)))
    if _module_of(setting.section).parent.name == "extensions":
        common += _files("extensions/base.py", "extensions/budget.py", "settings/setting_5.py")
    if setting.needs_ratings:
        common += _files("datasets/counts*.py", "settings/movies.py")
    if not registered().keys().isdisjoint(policies):
        # It plays a user's own in plain Python; those here are compiled.
        common += _files("oracle.py")
    formulas = {_relative(path) for policy in policies for path in files_of(policy)}
    return sorted({*common, *formulas})


def summary_code() -> list[str]:
    """Files behind summaries and frontiers."""
    return _files("frontier.py", "regret.py", "replicates.py", "summaries.py")


def claim_code(topic: str) -> list[str]:
    """Files behind the claims of a topic: their modules, helpers and the statistics."""
    return list(_claim_code(topic, Path.cwd()))


@cache
def _claim_code(topic: str, folder: Path) -> tuple[str, ...]:
    """Return the same, as seen from a working folder."""
    del folder  # the paths depend on it
    modules = {f"claims/{entry.module}.py" for entry in claims_of(topic)}
    own = {f"claims/{entry.module}.py" for entry in CLAIMS.values()}
    # Helpers, which several claims may share, are all that is nobody's own file.
    shared = {
        path for path in _files("claims/*.py") if not any(path.endswith(name) for name in own)
    }
    common = _files(
        *modules,
        "theory/*.py",
        "frontier.py",
        "instances.py",
        "regret.py",
        "replicates.py",
        "rewards.py",
        "studies/*.py",
    )
    return tuple(sorted({*shared, *common}))


def sensitivity_code() -> list[str]:
    """Files behind the claims decided again with a reading flipped."""
    return sorted({path for topic in TOPICS for path in claim_code(topic)})


def ledger_code() -> list[str]:
    """Files behind the ledger of claims."""
    return _files("claims/__init__.py", "claims/base.py", "claims/ledger.py")


def figure_code(figure: "Figure") -> list[str]:
    """Files behind a figure."""
    # Colours and markers go by a policy's place in the registry.
    shared = ("figures/base.py", "figures/style.py", "policies/__init__.py", "summaries.py")
    if figure.setting and SETTINGS[figure.setting].has_frontier:
        shared += ("figures/tradeoff.py",)
    return _files(*shared, *figure.code, f"figures/{figure.id}.py")


def notebook_code(notebook: "Notebook") -> list[str]:
    """Files behind a notebook: what runs and renders it, and what its cells import."""
    shared = ("notebooks/[!_]*.py", "notebooks/template/*", "figures/style.py")
    return _files(*shared, "policies/__init__.py", *notebook.code)


def extended_code() -> list[str]:
    """Files behind the comparison of policies beyond the paper, and its claims."""
    shared = {path for topic in TOPICS for path in claim_code(topic)}
    return sorted({*shared, *ledger_code(), *_files("extensions/*.py", "extensions/claims/*.py")})


def page_code() -> list[str]:
    """Files behind the reproduction page, beside those of what it shows."""
    shared = ("figures/style.py", "policies/__init__.py", "datasets/counts*.py")
    return _files("pages/*.py", "pages/templates/*", *shared, "replicates.py", "summaries.py")


def checksum_code() -> list[str]:
    """Files behind the checksums of the results."""
    return _files("checksums.py")


def result_code(config: "BaseConfig") -> list[str]:
    """Files behind any table, verdict or figure: the code that results are said to be of."""
    from penalized_bandits.figures import ALL_FIGURES
    from penalized_bandits.studies import EXPERIMENTS

    found = {*ratings_code(), *summary_code(), *sensitivity_code(), *ledger_code()}
    for name, experiment in EXPERIMENTS.items():
        found |= {*simulation_code(experiment, config.section(name))}
    for figure in ALL_FIGURES.values():
        found |= {*figure_code(figure)}
    return sorted(found)
