"""Compiled kernels on disk: found again, never stale, never mixed up, never in the way."""

import errno
import importlib
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numba.core.caching import IndexDataCacheFile

from penalized_bandits import POLICIES, Gaussian, Instance, Policy, simulate
from penalized_bandits.engine import _disk as disk
from penalized_bandits.engine import _specialise as specialise
from penalized_bandits.engine._formulas import bind

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
    """Start one process for each list of policies, all at once."""
    processes = [
        subprocess.Popen(
            [sys.executable, "-W", "error", "-c", PROGRAM, *policies],
            env={**os.environ, "PENALIZED_BANDITS_CACHE": str(cache)},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for policies in jobs
    ]
    outputs = [process.communicate() for process in processes]
    for process, (_, problem) in zip(processes, outputs, strict=True):
        assert process.returncode == 0, problem
    return [json.loads(out) for out, _ in outputs]


def play_here(policy: Policy) -> Pulls:
    instance = Instance([0.9, 0.5, 0.3], [0.1, 0.2, 0.3], 0.7, Gaussian(0.1))
    return simulate(policy, instance, 400, replicates=2).pulls[:, -1].tolist()


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


MODULE = """
from penalized_bandits.policies import Policy


def policy(index):
    return Policy("mine", index=index)


ONE = policy(lambda arm: arm.mean + {factor} * arm.radius)
OTHER = policy(lambda arm: arm.mean - arm.radius)
"""


@pytest.mark.slow
def test_policy_of_ones_own_is_never_stale(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PENALIZED_BANDITS_CACHE", str(tmp_path / "cache"))
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    path = tmp_path / "policy_of_ones_own.py"

    def folders() -> int:
        return len(list((tmp_path / "cache" / "penalized_bandits").iterdir()))

    path.write_text(MODULE.format(factor=1.0))
    module: Any = importlib.import_module(path.stem)
    # The rule of UCB1 under another name.
    assert play_here(module.ONE) == play_here(POLICIES["ucb1"])
    before = folders()
    # Same file, same id, another formula.
    other = play_here(module.OTHER)

    path.write_text(MODULE.format(factor=3.0))
    importlib.invalidate_caches()
    module = importlib.reload(module)
    changed = play_here(module.ONE)
    assert folders() > before
    assert changed != play_here(POLICIES["ucb1"])
    assert other not in (changed, play_here(POLICIES["ucb1"]))


def add_one(values: np.ndarray) -> None:
    values[0] += 1.0


ONE = specialise.types.void(specialise.types.float64[::1])


def compiled() -> None:
    """Compile a small function as kernels are, or load it, and see that it works."""
    values = np.zeros(1)
    kernel = specialise._njit(bind(add_one, "play_add_one"), ONE, "digest")
    kernel(values)
    assert values[0] == 1.0


def test_cache_that_cannot_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # A file where the folder should be: not writable even for root.
    blocked, fallback = tmp_path / "blocked", tmp_path / "fallback"
    blocked.write_text("")
    fallback.mkdir()
    monkeypatch.setenv("PENALIZED_BANDITS_CACHE", str(blocked))
    monkeypatch.setattr(tempfile, "tempdir", str(fallback))
    disk._private_folder.cache_clear()
    compiled()
    assert blocked.read_text() == ""
    assert files(fallback)


@pytest.mark.parametrize("cut", ["*play_*.nbi", "*play_*.nbc"])
def test_a_kernel_that_is_cut_short_is_compiled_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cut: str
) -> None:
    monkeypatch.setenv("PENALIZED_BANDITS_CACHE", str(tmp_path))
    compiled()
    whole = files(tmp_path)
    (file,) = tmp_path.rglob(cut)
    file.write_bytes(file.read_bytes()[:-20])
    compiled()
    assert files(tmp_path).keys() == whole.keys()
    assert all(len(files(tmp_path)[name]) == len(data) for name, data in whole.items())


def test_a_kernel_that_cannot_be_kept_is_compiled_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PENALIZED_BANDITS_CACHE", str(tmp_path))

    def no_space(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(IndexDataCacheFile, "_open_for_write", no_space)
    compiled()


def test_every_compiled_flag_is_in_the_digest() -> None:
    # Two policies that differ in a flag only must not share a kernel on disk.
    rule = POLICIES["ucb1"]
    changed = [
        rule,
        replace(rule, commits=not rule.commits),
        replace(rule, hints=replace(rule.hints, indices_cross_once=False)),
    ]
    assert len({specialise._digest(policy) for policy in changed}) == len(changed)


def _kernels_of(cache: Path) -> list[str]:
    return sorted(path.name.split("-")[0] for path in cache.rglob("*.nbi"))


@pytest.mark.slow
def test_a_kernel_that_another_process_compiles_is_left_for_last(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PENALIZED_BANDITS_CACHE", str(tmp_path))
    # New ids: nothing of them is compiled, in this process or on disk.
    first, second = (replace(POLICIES["ucb1"], id=f"ucb1_{name}") for name in ("busy", "free"))
    digest = specialise._digest(first)
    held = disk.lock_of(digest, f"play_lanes_shared_{first.id}_{digest}")
    order: list[str] = []
    with disk.turn(held):
        assert not specialise._is_free(first, penalty_varies=False)
        assert specialise._is_free(second, penalty_varies=False)
        thread = threading.Thread(
            target=lambda: specialise.prepare([(first, False), (second, False)])
        )
        thread.start()
        deadline = time.monotonic() + 60
        while "ucb1_free" not in str(_kernels_of(tmp_path)) and time.monotonic() < deadline:
            time.sleep(0.01)
        order += _kernels_of(tmp_path)
    thread.join()
    assert not any("ucb1_busy" in name for name in order)
    assert any("ucb1_free" in name for name in order)
    assert any("ucb1_busy" in name for name in _kernels_of(tmp_path))


def test_locks_are_optional(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PENALIZED_BANDITS_CACHE", str(tmp_path))

    def refuse(*_: object) -> None:
        raise OSError(95, "Operation not supported")

    monkeypatch.setattr(disk.fcntl, "flock", refuse)
    assert specialise._is_free(POLICIES["ucb1"], penalty_varies=False)
    compiled()


NOTHING_KEPT = """
from numba.core.dispatcher import Dispatcher
def fail(dispatcher):
    raise {error}
Dispatcher.enable_caching = fail
import numpy as np
from penalized_bandits.engine.streams import arm_keys
keys = np.zeros((2, 3), np.uint64)
arm_keys(np.uint64(5), 0, keys)
assert len(set(keys.ravel().tolist())) == 6
"""


@pytest.mark.parametrize("error", ["RuntimeError('no locator')", "OSError(28, 'No space')"])
def test_streams_need_no_folder_for_what_they_compile(error: str) -> None:
    code = NOTHING_KEPT.format(error=error)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
