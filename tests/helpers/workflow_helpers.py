"""Copies of the project in temporary folders, and Snakemake run in them.

A copy has its own sources on the path, so that a test may edit them, and the config of the
smoke run, which is run once for all test modules.
"""

import fcntl
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import pytest
import yaml
from numba.core.caching import InTreeCacheLocator

from config_helpers import ROOT
from penalized_bandits.common.files import digest_of
from penalized_bandits.engine._specialise import _digest, _engine_digest
from penalized_bandits.engine.disk import cache_root
from penalized_bandits.policies import POLICIES
from penalized_replication.config.files import overlaid
from programs import ran
from smoke_run import TINY

PACKAGE = "src/replication/penalized_replication"
LIBRARY = "src/library/penalized_bandits"
RESEARCH = "research/penalized_research"
SOURCES = ("src/library", "src/replication", "research")
Key = TypeVar("Key")


class Outcome(NamedTuple):
    status: int
    text: str


class Request(NamedTuple):
    folder: str
    arguments: list[str]


def snakemake(request: Request, kernels: Path, sources: Path | None = None) -> Outcome:
    """Run Snakemake with these arguments alone, with the sources of a folder or another."""
    how = {"cwd": request.folder, "env": environment(sources or request.folder, kernels)}
    command = (sys.executable, "-m", "snakemake", *request.arguments)
    done = ran(*command, stderr=subprocess.STDOUT, timeout=900, **how)
    return Outcome(done.returncode, done.stdout)


def _kernels_of(folder: Path) -> str:
    return InTreeCacheLocator.get_suitable_cache_subpath(folder / LIBRARY / "engine/_lanes.py")


@cache
def _digests() -> set[str]:
    return {_engine_digest(), *(_digest(policy) for policy in POLICIES.values())}


def environment(folder: Path | str, kernels: Path) -> dict[str, str]:
    """Return an environment without the user's settings of Snakemake and Python."""
    others = {k: v for k, v in os.environ.items() if not k.startswith(("SNAKEMAKE_", "PYTHON"))}
    return others | {
        "PYTHONPATH": os.pathsep.join(str(Path(folder) / name) for name in SOURCES),
        "PYTHONUTF8": "1",
        "PENALIZED_BANDITS_CACHE": str(kernels),
        "XDG_CONFIG_HOME": str(kernels / "no-profiles"),
    }


@dataclass(frozen=True)
class Project:
    folder: Path
    kernels: Path
    """Folder of compiled kernels; those of these sources are the environment's."""
    snakefile: str = ""
    """By default that which Snakemake finds."""

    def __post_init__(self) -> None:
        """Share compiled kernels with the project: numba files them by the path of the source."""
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
        """Return the arguments of a run on targets, on two cores unless the options differ."""
        arguments = [*targets, "--cores", "2", *options]
        arguments += ["--snakefile", self.snakefile] if self.snakefile else []
        # Last, because this option takes all that follows for config files.
        arguments += [] if config is None else ["--configfile", config]
        return Request(str(self.folder), arguments)

    def planned(self, *targets: str, config: str | None = "tiny.yaml") -> Request:
        return self.request(*targets, config=config, options=["--summary"])

    def stale(self, *targets: str, config: str | None = "tiny.yaml") -> set[str]:
        """Return the files behind targets that a run would make."""
        return made_in(self.snakemake(self.planned(*targets, config=config).arguments))

    def run(self, *targets: str, **how: Any) -> Outcome:
        return self.snakemake(self.request(*targets, **how).arguments)

    def make(self, *targets: str, **how: Any) -> "Project":
        outcome = self.run(*targets, **how)
        assert outcome.status == 0, outcome.text
        return self

    def snakemake(self, arguments: list[str]) -> Outcome:
        return snakemake(Request(str(self.folder), arguments), self.kernels)

    def files(self, folder: str = "results") -> set[str]:
        found = (self.folder / folder).rglob("*")
        return {path.relative_to(self.folder).as_posix() for path in found if path.is_file()}

    def configure(self, changes: Mapping[str, Any], name: str = "tiny.yaml") -> None:
        text = yaml.safe_dump(overlaid(TINY, changes))
        (self.folder / name).write_text(text, encoding="utf-8")

    def set_scenarios(self, sets: Mapping[str, Any], file: str = "config/scenarios.yaml") -> None:
        # In the order of their names, as the golden claims have them.
        (self.folder / file).write_text(yaml.safe_dump(dict(sets)), encoding="utf-8")

    def append(self, path: str, text: str) -> None:
        assert (self.folder / path).is_file(), path
        with (self.folder / path).open("a", encoding="utf-8") as file:
            file.write(text)

    def copy(self, target: Path) -> "Project":
        """Copy this copy with its results and Snakemake's records; times of files are kept."""
        return replace(self, folder=Path(shutil.copytree(self.folder, target)))


def new_project(target: Path, kernels: Path) -> Project:
    skip = shutil.ignore_patterns(
        ".*", "__pycache__", "results", "tests", "docs", "benchmarks", "build", "*.egg-info"
    )
    shutil.copytree(ROOT, target, ignore=skip)
    # The article reads published results and proofs.
    published = shutil.ignore_patterns("hooks", "__pycache__")
    for docs in ("docs", "research/docs"):
        shutil.copytree(ROOT / docs, target / docs, ignore=published)
    project = Project(target, kernels)
    project.configure({})
    return project


def made_in(outcome: Outcome) -> set[str]:
    assert outcome.status == 0, outcome.text
    lines = [line.split("\t") for line in outcome.text.splitlines() if "\t" in line]
    assert lines[0][0] == "output_file", outcome.text
    assert lines[0][-1] == "plan", outcome.text
    return {line[0] for line in lines[1:] if line[-1] != "no update"}


def simulations(text: str) -> list[str]:
    return sorted(set(re.findall(r": Simulate (\S+)", text)))


def contents(project: Project) -> dict[str, tuple[int, str]]:
    """Return time and hash of each file of the run of the config itself, but logs."""
    other = "/(scenarios|logs)/|/sensitivity"
    files = [file for file in project.files() if not re.search(other, file)]
    paths = {file: project.folder / file for file in files}
    return {file: (path.stat().st_mtime_ns, digest_of(path)) for file, path in paths.items()}


class Made(NamedTuple):
    project: Project
    text: str
    paper: dict[str, tuple[int, str]]
    """The `contents` before the run."""


def made_after(project: Project, *targets: str) -> Made:
    """Run targets in a copy in which all of the paper is made."""
    before, outcome = contents(project), project.run(*targets)
    assert outcome.status == 0, outcome.text
    return Made(project, outcome.text, before)


def several(requests: Mapping[Key, Request], kernels: Path) -> dict[Key, Outcome]:
    with ThreadPoolExecutor(2) as pool:
        outcomes = pool.map(lambda request: snakemake(request, kernels), requests.values())
        return dict(zip(requests, outcomes, strict=True))


def _shared(
    factory: pytest.TempPathFactory, name: str, make: Callable[[Path, Path], Project]
) -> Project:
    """Make a copy once for all workers; the others wait for the first."""
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
    """Return a copy without results; tests must not change it."""
    return _shared(tmp_path_factory, "fresh", new_project)


@pytest.fixture(scope="session", name="smoke_run")
def smoke_run_fixture(tmp_path_factory: pytest.TempPathFactory, fresh: Project) -> Project:
    """Return the smoke run: a copy in which all was made; tests must not change it."""
    return _shared(tmp_path_factory, "smoke_run", lambda target, _: fresh.copy(target).make())


@pytest.fixture(scope="session", name="one_figure")
def one_figure_fixture(tmp_path_factory: pytest.TempPathFactory, fresh: Project) -> Project:
    """Return a copy in which Figure 4 alone was made, on one core."""
    return _shared(
        tmp_path_factory,
        "one_figure",
        lambda target, _: fresh.copy(target).make("figure_4", options=["--cores", "1"]),
    )


def wait_for(condition: Callable[[], object], seconds: float = 120) -> bool:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.02)
    return False


def _mounted(*arguments: str) -> bool:
    """Mount something; return whether that is allowed here."""
    if shutil.which("mount") is None or os.geteuid() != 0:
        return False
    return subprocess.run(["mount", *arguments], capture_output=True).returncode == 0


@contextmanager
def small_disk(folder: Path, size: str) -> Iterator[Callable[[str], bool] | None]:
    """Put a folder on a disk of its own; yield what changes its size, None if impossible."""
    folder.mkdir(parents=True, exist_ok=True)
    if not _mounted("-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(folder)):
        yield None
        return
    try:
        yield lambda new: _mounted("-o", f"remount,size={new}", str(folder))
    finally:
        subprocess.run(["umount", folder], check=True)
