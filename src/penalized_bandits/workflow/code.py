"""Hashes of the code behind results, as params of the rules: a result of other code is stale.

Folders count whole, but for plug-ins: a policy, an experiment, a claim or a figure of the paper
is one file (a figure also has its caption), and counts where a result uses it.  Lists of
plug-ins do not count.
"""

import inspect
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from penalized_bandits.claims import CLAIMS, claims_of, experiments_of
from penalized_bandits.common.digest import digest
from penalized_bandits.config import BaseConfig
from penalized_bandits.config.files import leaves
from penalized_bandits.experiments.catalogue import EXPERIMENTS, experiment
from penalized_bandits.figures import EVERY_FIGURE
from penalized_bandits.policies import PAPER_POLICY, POLICIES, files_of, is_policy_file

PACKAGE = Path(__file__).parents[1]
_RATINGS = ("common", "storage", "datasets", "workflow")
_SIMULATED = (*_RATINGS, "bandit", "policies", "engine", "statistics", "theory", "experiments")
_MEASURED = (*_SIMULATED, "claims")
_DRAWN = (*_MEASURED, "figures")
_DECIDED = (*_DRAWN, "claims/ledger", "claims/notes")
_WRITTEN = (*_DECIDED, "config", "pages")
_FOLDERS = {
    "get_ratings": _RATINGS,
    "simulate": _SIMULATED,
    "summarize": _SIMULATED,
    "measure_claims": _MEASURED,
    "measure_readings": _MEASURED,
    "decide_claims": _MEASURED,
    "draw_figure": _DRAWN,
    "compare_policies": _DECIDED,
    "check_sharp": _DECIDED,
    "confirm_claim": _DECIDED,
    "write_confirmation": _DECIDED,
    "write_ledger": _WRITTEN,
    "write_index": _WRITTEN,
    "write_article": _WRITTEN,
    "run_notebook": _WRITTEN,
    "write_playground": (*_SIMULATED, "config", "pages", "playground"),
}
"""Folders behind the result of each script."""
_APART = {PACKAGE / "claims/ledger", PACKAGE / "claims/notes"}
"""Folders below ``claims`` that count only in results with texts on claims."""
_TEMPLATE = ".md.j2"
"""End of the name of a caption's template, after the figure's id."""


@cache
def _line(path: Path) -> str:
    return f"{digest(path.read_bytes())}  {path.parent.name}/{path.name}\n"


@cache
def _below(folder: Path) -> frozenset[Path]:
    files = (path for path in folder.rglob("*.*") if path.parent.name != "__pycache__")
    return frozenset(filter(Path.is_file, files))


@cache
def _is_plugin(path: Path) -> bool:
    kinds = {
        "policies": is_policy_file(path),
        "experiments/paper": True,
        "experiments/theory": True,
        "claims": False,
        "claims/paper": path.stem in {entry.module for entry in CLAIMS.values()},
        "figures": path.stem in EVERY_FIGURE,
        "figures/captions": path.name.removesuffix(_TEMPLATE) in EVERY_FIGURE,
    }
    folder = path.parent.relative_to(PACKAGE).as_posix()
    return folder in kinds and (path.name == "__init__.py" or kinds[folder])


@cache
def _shared(*folders: str) -> str:
    paths = {PACKAGE / folder for folder in folders}
    apart = _APART - paths
    found = {path for folder in paths for path in _below(folder)}
    return _hash_of(path for path in found if path.parent not in apart and not _is_plugin(path))


_files_of = cache(files_of)


def _hash_of(files: Iterable[Path], *more: str) -> str:
    return digest("".join(sorted((*map(_line, files), *more))), 12)


class Code:
    """The hashes of a config's results; ``scripts`` is the folder of the workflow's scripts."""

    def __init__(self, config: BaseConfig, scripts: Path) -> None:
        self._config = config
        self._scripts = scripts

    def of(
        self,
        script: str,
        *,
        experiments: Iterable[str] = (),
        claims: Iterable[str] = (),
        figures: Iterable[str] = (),
        every_plugin: bool = False,
    ) -> str:
        """Return the hash of a script, of the folders behind it and of plug-ins, by their ids.

        With an experiment count the policies that it plays; with ``every_plugin`` all files of
        the folders.
        """
        files = {self._scripts / f"{script}.py"}
        files |= {PACKAGE / f"claims/paper/{CLAIMS[claim].module}.py" for claim in claims}
        files |= {PACKAGE / f"figures/{figure}.py" for figure in figures}
        files |= {PACKAGE / f"figures/captions/{figure}{_TEMPLATE}" for figure in figures}
        files = files.union(*map(self._played, experiments))
        if every_plugin:
            files = files.union(*(_below(PACKAGE / folder) for folder in _FOLDERS[script]))
        return _hash_of(filter(Path.is_file, files), _shared(*_FOLDERS[script]))

    def of_topic(self, script: str, topic: str) -> str:
        """Return the hash of what measures the claims of a topic."""
        claims = [claim.id for claim in claims_of(topic)]
        return self.of(script, claims=claims, experiments=experiments_of(topic))

    def everything(self) -> str:
        """Return the hash of the whole package and of all scripts."""
        return _hash_of((*_below(PACKAGE), *_below(self._scripts)))

    def _played(self, name: str) -> set[Path]:
        played, section = experiment(name), self._config.section(name)
        files = {Path(inspect.getfile(each)) for each in (played.cases, played.section)}
        if name not in EXPERIMENTS:
            files |= {Path(inspect.getfile(each.cases)) for each in EXPERIMENTS.values()}
        values = [v for _, v in leaves(section.model_dump()) if isinstance(v, list)]
        named = {item for value in values for item in value if isinstance(item, str)}
        # Those of a user's own are keys of the config (`runs.Run.params`).
        known = {PAPER_POLICY, *named} & (POLICIES.keys() - self._config.policies.keys())
        return files.union(*map(_files_of, known))
