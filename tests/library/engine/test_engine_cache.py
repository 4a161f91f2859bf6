"""Compiled kernels on disk: found again, never stale, never mixed up, never in the way."""

import errno
import json
import os
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numba.core.caching import IndexDataCacheFile

from penalized_bandits import POLICIES, Tuning
from penalized_bandits.engine import _specialise as specialise
from penalized_bandits.engine import disk
from penalized_bandits.engine._formulas import bind
from programs import printed_by

Pulls = list[list[int]]

# A process of its own, as the jobs of the workflow are.
PROGRAM = """
import json, sys
from penalized_bandits import Gaussian, Instance, simulate
instance = Instance([0.9, 0.5, 0.3], [0.1, 0.2, 0.3], 0.7, Gaussian(0.1))
runs = {p: simulate(p, instance, 400, replicates=2) for p in sys.argv[1:]}
print(json.dumps({p: run.pulls[:, -1].tolist() for p, run in runs.items()}))
"""


def play_at_once(cache: Path, *jobs: list[str]) -> list[dict[str, Pulls]]:
    environ = {**os.environ, "PENALIZED_BANDITS_CACHE": str(cache), "PYTHONWARNINGS": "error"}
    with ThreadPoolExecutor() as pool:
        printed = pool.map(lambda policies: printed_by(PROGRAM, *policies, env=environ), jobs)
        return [json.loads(text) for text in printed]


def files(folder: Path) -> dict[str, bytes]:
    return {str(p): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


@pytest.mark.slow
def test_processes_share_an_empty_cache(tmp_path: Path) -> None:
    first, second, hard = play_at_once(tmp_path, ["ucb1"], ["ucb1"], ["hard_threshold_ucb"])
    assert first == second
    kernels = files(tmp_path)
    # numba numbers the versions that it is asked to save: of one compiled twice there is a 2.
    saved = [name for name in kernels if name.endswith(".nbc")]
    assert saved
    assert all(name.endswith(".1.nbc") for name in saved), saved

    # Kernels from different processes, loaded into one: inner functions with the same
    # symbol would all be resolved to those of whichever kernel comes first.
    expected = {**first, **hard}
    assert first["ucb1"] != hard["hard_threshold_ucb"]
    orders = [["ucb1", "hard_threshold_ucb"], ["hard_threshold_ucb", "ucb1"]]
    assert play_at_once(tmp_path, *orders) == [expected, expected]
    # Found, not compiled again.
    assert files(tmp_path) == kernels


def add_one(values: np.ndarray) -> None:
    values[0] += 1.0


ONE = specialise.types.void(specialise.types.float64[::1])


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PENALIZED_BANDITS_CACHE", str(tmp_path))
    return tmp_path


def compiled() -> None:
    """Compile a small function as kernels are, or load it, and see that it works."""
    values = np.zeros(1)
    kernel = specialise._njit(bind(add_one, "play_add_one"), ONE, "digest")
    kernel(values)
    assert values[0] == 1.0


def test_cache_that_cannot_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # A file where the folder should be: not writable even for root.
    blocked = tmp_path / "blocked"
    blocked.write_text("")
    monkeypatch.setenv("PENALIZED_BANDITS_CACHE", str(blocked))
    compiled()
    assert blocked.read_text() == ""


def test_damaged_files_of_the_package_are_replaced(tmp_path: Path) -> None:
    def play() -> dict[str, bytes]:
        play_at_once(tmp_path, ["ucb1"])
        return files(tmp_path)

    whole = play()
    for ending, size in (("nbi", 0), ("nbi", 3), ("nbi", -20), ("nbc", 0), ("nbc", -20)):
        damaged = {name: data[:size] for name, data in whole.items() if name.endswith(ending)}
        for name, data in damaged.items():
            Path(name).write_bytes(data)
        anew = play()
        assert anew.keys() == whole.keys()
        assert all(anew[name] != data for name, data in damaged.items())


def test_threads_leave_numbas_folder_alone(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(specialise.config, "CACHE_DIR", str(cache / "of the user"))

    def compile_new(name: str) -> None:
        specialise._njit(bind(add_one, f"play_{name}"), ONE, "digest")(np.zeros(1))

    with ThreadPoolExecutor(3) as pool:
        list(pool.map(compile_new, ["one", "two", "three"]))
    assert str(cache / "of the user") == specialise.config.CACHE_DIR
    assert {path.parent.parent.name for path in cache.rglob("*.nbi")} == {"digest"}


def test_a_folder_below_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("PENALIZED_BANDITS_CACHE", "~/x")
    assert disk.cache_root() == tmp_path / "x/penalized_bandits"


@pytest.mark.usefixtures("cache")
@pytest.mark.parametrize(
    ("where", "name"), [(IndexDataCacheFile, "_open_for_write"), (disk.fcntl, "flock")]
)
def test_a_full_disk_and_one_without_locks_are_no_errors(
    where: Any, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise OSError(errno.EOPNOTSUPP, "neither space nor locks")

    monkeypatch.setattr(where, name, fail)
    compiled()


def test_every_compiled_flag_is_in_the_digest() -> None:
    # Two policies that differ in a flag only must not share a kernel on disk.
    rule = replace(POLICIES["ucb1"], tuning=Tuning("m"))
    changed = [
        rule,
        replace(rule, first_pulls="commit"),
        replace(rule, ignores_penalties=not rule.ignores_penalties),
    ]
    assert len({specialise._digest(policy) for policy in changed}) == len(changed)
