"""A copy of the project in a temporary folder, and Snakemake run in it.

The copy has its own sources on the path, so that a test may edit them, and a config so
small that the whole workflow takes seconds.  It is run once for all test modules.
"""

import fcntl
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import pytest
import yaml
from numba.core.caching import InTreeCacheLocator

from config_helpers import ROOT
from miniature import EXPERIMENTS as EXPERIMENTS
from miniature import STUDIES as STUDIES
from miniature import TINY
from miniature import replicates_of as replicates_of
from penalized_bandits.engine._disk import cache_root
from penalized_bandits.engine._specialise import _digest, _engine_digest
from penalized_bandits.policies import POLICIES

PACKAGE = "src/penalized_bandits"
Key = TypeVar("Key")


class Outcome(NamedTuple):
    """How a run of Snakemake ended, and what it said."""

    status: int
    text: str


class Request(NamedTuple):
    """A run of Snakemake to be made in a folder."""

    folder: str
    arguments: list[str]


def snakemake(request: Request, kernels: Path) -> Outcome:
    """Run Snakemake on these arguments, and no others."""
    done = subprocess.run(
        [sys.executable, "-m", "snakemake", *request.arguments],
        cwd=request.folder,
        env=environment(request.folder, kernels),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        timeout=600,
        check=False,
    )
    return Outcome(done.returncode, done.stdout)


def _kernels_of(folder: Path) -> str:
    """Return the name of the folder in which numba keeps kernels of a copy of the project."""
    return InTreeCacheLocator.get_suitable_cache_subpath(folder / PACKAGE / "engine/_lanes.py")


@cache
def _digests() -> set[str]:
    return {_engine_digest(), *(_digest(policy) for policy in POLICIES.values())}


def environment(folder: Path | str, kernels: Path) -> dict[str, str]:
    """Return an environment in which nothing of the user's shell changes what is tested."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("SNAKEMAKE_", "PYTHON"))
    }
    return kept | {
        "PYTHONPATH": str(Path(folder) / "src"),
        "PYTHONUTF8": "1",
        "PENALIZED_BANDITS_CACHE": str(kernels),
        "XDG_CONFIG_HOME": str(kernels / "no-profiles"),
    }


@dataclass(frozen=True)
class Project:
    """A copy of the project."""

    folder: Path
    kernels: Path
    """Folder of compiled kernels; those of these sources are the environment's."""

    def __post_init__(self) -> None:
        """Let a copy find what is compiled of these sources, and keep there what it compiles.

        numba files a kernel by the path of its source, and nothing else of it depends on that.
        """
        here, there = (_kernels_of(folder) for folder in (ROOT, self.folder))
        for digest in _digests():
            link = self.kernels / "penalized_bandits" / digest / there
            target = cache_root() / digest / here
            for folder in (target, link.parent):
                folder.mkdir(parents=True, exist_ok=True)
            with suppress(FileExistsError):
                link.symlink_to(target)

    def request(
        self, *targets: str, config: str | None = "tiny.yaml", options: Iterable[str] = ()
    ) -> Request:
        """Name a run on targets, on two cores unless the options say otherwise."""
        arguments = [*targets, "--cores", "2", *options]
        # Last, because this option takes all that follows for config files.
        arguments += [] if config is None else ["--configfile", config]
        return Request(str(self.folder), arguments)

    def dry(self, *targets: str, config: str | None = "tiny.yaml") -> Request:
        """Name a dry run on targets."""
        return self.request(*targets, config=config, options=["--dry-run"])

    def planned(self, *targets: str, config: str | None = "tiny.yaml") -> Request:
        """Name a list of all files behind targets, and what would be done with each."""
        return self.request(*targets, config=config, options=["--summary"])

    def stale(self, *targets: str, config: str | None = "tiny.yaml") -> set[str]:
        """Return the files behind targets that a run would make."""
        return made_in(self.snakemake(self.planned(*targets, config=config).arguments))

    def run(
        self, *targets: str, config: str | None = "tiny.yaml", options: Iterable[str] = ()
    ) -> Outcome:
        """Run Snakemake on targets."""
        return self.snakemake(self.request(*targets, config=config, options=options).arguments)

    def make(
        self, *targets: str, config: str | None = "tiny.yaml", options: Iterable[str] = ()
    ) -> "Project":
        """Run Snakemake on targets, which must not fail; return the copy."""
        outcome = self.run(*targets, config=config, options=options)
        assert outcome.status == 0, outcome.text
        return self

    def snakemake(self, arguments: list[str]) -> Outcome:
        """Run Snakemake on these arguments, and no others."""
        return snakemake(Request(str(self.folder), arguments), self.kernels)

    def files(self, folder: str = "results") -> set[str]:
        """Return the files below a folder of the copy."""
        found = (self.folder / folder).rglob("*")
        return {path.relative_to(self.folder).as_posix() for path in found if path.is_file()}

    def configure(self, changes: Mapping[str, Any], name: str = "tiny.yaml") -> None:
        """Write the miniature's config with some keys changed, section by section."""
        config = {**TINY}
        for key, value in changes.items():
            old = config.get(key)
            config[key] = {**old, **value} if isinstance(old, dict) else value
        (self.folder / name).write_text(yaml.safe_dump(config), encoding="utf-8")

    def append(self, path: str, text: str) -> None:
        """Add text to a file of the copy."""
        assert (self.folder / path).is_file(), path
        with (self.folder / path).open("a", encoding="utf-8") as file:
            file.write(text)

    def copy(self, target: Path) -> "Project":
        """Copy the copy with its results and Snakemake's notes, times of files kept."""
        return Project(Path(shutil.copytree(self.folder, target)), self.kernels)


def new_project(target: Path, kernels: Path) -> Project:
    """Copy the project as a fresh clone has it, and add the miniature's config."""
    skip = shutil.ignore_patterns(
        ".*", "__pycache__", "results", "tests", "docs", "benchmarks", "build", "*.egg-info"
    )
    shutil.copytree(ROOT, target, ignore=skip)
    # Of the targets that a run did not make, the article shows what is published.
    published = shutil.ignore_patterns("pages", "hooks", "__pycache__")
    shutil.copytree(ROOT / "docs", target / "docs", ignore=published)
    project = Project(target, kernels)
    project.configure({})
    return project


def made_in(outcome: Outcome) -> set[str]:
    """Return the files that a run would make, from `Project.planned`."""
    assert outcome.status == 0, outcome.text
    lines = [line.split("\t") for line in outcome.text.splitlines() if "\t" in line]
    assert lines[0][0] == "output_file", outcome.text
    assert lines[0][-1] == "plan", outcome.text
    return {line[0] for line in lines[1:] if line[-1] != "no update"}


def several(requests: Mapping[Key, Request], kernels: Path) -> dict[Key, Outcome]:
    """Run Snakemake several times, two at a time: for dry runs and runs that must fail."""
    with ThreadPoolExecutor(2) as pool:
        outcomes = pool.map(lambda request: snakemake(request, kernels), requests.values())
        return dict(zip(requests, outcomes, strict=True))


def _shared(
    factory: pytest.TempPathFactory, name: str, make: Callable[[Path, Path], Project]
) -> Project:
    """Make a copy once for all workers: the first to ask makes it, the others wait for it."""
    base = factory.getbasetemp()
    folder = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    kernels, made = folder / "kernels", folder / name / "made"
    kernels.mkdir(exist_ok=True)
    with (folder / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not made.is_file():
            make(folder / name / "project", kernels)
            made.touch()
    return Project(folder / name / "project", kernels)


@pytest.fixture(scope="session", name="fresh")
def fresh_fixture(tmp_path_factory: pytest.TempPathFactory) -> Project:
    """Return a copy without results; tests must leave it so."""
    return _shared(tmp_path_factory, "fresh", new_project)


@pytest.fixture(scope="session", name="miniature")
def miniature_fixture(tmp_path_factory: pytest.TempPathFactory, fresh: Project) -> Project:
    """Return a copy in which all was made; tests must leave it so."""
    return _shared(tmp_path_factory, "miniature", lambda target, _: fresh.copy(target).make())


@pytest.fixture(scope="session", name="one_figure")
def one_figure_fixture(tmp_path_factory: pytest.TempPathFactory, fresh: Project) -> Project:
    """Return a copy in which Figure 4 alone was asked for, on one core."""
    return _shared(
        tmp_path_factory,
        "one_figure",
        lambda target, _: fresh.copy(target).make("figure_4", options=["--cores", "1"]),
    )
