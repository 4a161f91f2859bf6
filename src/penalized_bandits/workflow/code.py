"""Hashes of the code behind results, as params of the rules: a result of other code is stale.

Folders count whole, but for plug-ins: a policy, an experiment, a claim or a figure of the paper
is one file (a figure also has its caption), and counts where a result asks for it.  Lists of
plug-ins do not count.
"""

import hashlib
import inspect
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from penalized_bandits.claims import CLAIMS, claims_of, experiments_of
from penalized_bandits.config import BaseConfig
from penalized_bandits.config.files import leaves
from penalized_bandits.experiments.catalogue import EXPERIMENTS, experiment
from penalized_bandits.figures import EVERY_FIGURE
from penalized_bandits.policies import PAPER_POLICY, POLICIES, files_of, is_policy_file

PACKAGE = Path(__file__).parents[1]
RATINGS = ("common", "storage", "datasets")
SIMULATED = (*RATINGS, "bandit", "policies", "engine", "statistics", "theory", "experiments")
MEASURED = (*SIMULATED, "claims")
DRAWN = (*MEASURED, "figures")
TOLD = (*DRAWN, "claims/ledger", "config", "pages")
PLAYED = (*SIMULATED, "config", "pages", "playground")
"""Folders behind each kind of result; ``claims/ledger`` is no part of ``claims``."""
DIGITS = 12
TEMPLATE = ".md.j2"
"""How names of templates of captions end, after the figure's id."""


@cache
def _files_of(policy: str) -> frozenset[Path]:
    return frozenset(files_of(policy))


@cache
def _content(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _is_plugin(path: Path) -> bool:
    kinds = {
        "policies": is_policy_file(path),
        "experiments/paper": True,
        "experiments/theory": True,
        "claims": False,
        "claims/paper": path.stem in {entry.module for entry in CLAIMS.values()},
        "figures": path.stem in EVERY_FIGURE,
        "figures/captions": path.name.removesuffix(TEMPLATE) in EVERY_FIGURE,
    }
    folder = path.parent.relative_to(PACKAGE).as_posix()
    return folder in kinds and (path.name == "__init__.py" or kinds[folder])


@cache
def _shared(folder: str) -> frozenset[Path]:
    found = (p for p in (PACKAGE / folder).rglob("*.*") if p.parent.name != "__pycache__")
    return frozenset(
        path
        for path in found
        if path.is_file()
        and not _is_plugin(path)
        and (folder != "claims" or path.parent.name != "ledger")
    )


def code_of(folders: Iterable[str], *files: Path) -> str:
    """Return the hash of what folders share and of ``files``: plug-ins, scripts."""
    found = set(files).union(*map(_shared, folders))
    lines = sorted(f"{_content(path)}  {path.parent.name}/{path.name}\n" for path in found)
    return hashlib.sha256("".join(lines).encode()).hexdigest()[:DIGITS]


class Code:
    """The hashes of a config's results; ``scripts`` is the folder of the workflow's scripts."""

    def __init__(self, config: BaseConfig, scripts: Path) -> None:
        self._config = config
        self._scripts = scripts

    def _of(self, folders: Iterable[str], script: str, *files: Path) -> str:
        path = self._scripts / f"{script}.py"
        return code_of(folders, *files, *([path] if path.is_file() else []))

    def _played(self, *experiments: str) -> set[Path]:
        """Return the files of experiments and of the policies that they play."""
        found = set(_files_of(PAPER_POLICY))
        for name in experiments:
            wanted, section = experiment(name), self._config.section(name)
            found |= {Path(inspect.getfile(each)) for each in (wanted.cases, wanted.section)}
            if name not in EXPERIMENTS:
                found |= {Path(inspect.getfile(each.cases)) for each in EXPERIMENTS.values()}
            values = [v for _, v in leaves(section.model_dump()) if isinstance(v, list)]
            named = {item for value in values for item in value if isinstance(item, str)}
            # Those of a user's own are lines of the config (`runs.Run.about`).
            known = named & (POLICIES.keys() - self._config.policies.keys())
            found = found.union(*map(_files_of, sorted(known)))
        return found

    def ratings(self) -> str:
        """Return that of rating counts."""
        return self._of(RATINGS, "get_ratings")

    def simulated(self, experiment: str) -> str:
        """Return that of an experiment's replicates."""
        return self._of(SIMULATED, "simulate", *self._played(experiment))

    def summary(self, experiment: str) -> str:
        """Return that of an experiment's summary and frontier."""
        return self._of(SIMULATED, "summarize", *self._played(experiment))

    def measured(self, topic: str, script: str) -> str:
        """Return that of what the claims of a topic measure."""
        claims = {PACKAGE / f"claims/paper/{entry.module}.py" for entry in claims_of(topic)}
        return self._of(MEASURED, script, *claims, *self._played(*experiments_of(topic)))

    def beyond(self, script: str, *experiments: str) -> str:
        """Return that of claims on experiments beyond the paper."""
        return self._of((*DRAWN, "claims/ledger"), script, *self._played(*experiments))

    def figure(self, figure: str) -> str:
        """Return that of a figure."""
        caption = PACKAGE / f"figures/captions/{figure}{TEMPLATE}"
        return self._of(DRAWN, "draw_figure", PACKAGE / f"figures/{figure}.py", caption)

    def decided(self) -> str:
        """Return that of the verdicts."""
        return self._of(MEASURED, "decide_claims")

    def told(self, script: str) -> str:
        """Return that of what is told of the verdicts: the ledger, the page, the article."""
        claims = {PACKAGE / f"claims/paper/{entry.module}.py" for entry in CLAIMS.values()}
        return self._of(TOLD, script, *claims)

    def playground(self) -> str:
        """Return that of the playground, which shows every policy and the paper's bandits."""
        policies = (path for policy in POLICIES for path in _files_of(policy))
        return self._of(PLAYED, "write_playground", *policies, *self._played(*EXPERIMENTS))

    def everything(self) -> str:
        """Return that of the whole package."""
        found = (p for p in PACKAGE.rglob("*.*") if p.parent.name != "__pycache__")
        return code_of((), *(path for path in found if path.is_file()))
