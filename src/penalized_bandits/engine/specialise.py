"""Compile the engine for one policy, once per environment.

numba can neither cache a kernel that takes functions as arguments nor one that closes
over them, and a kernel with a branch for every policy would have to name them all.  So
the functions of ``lanes.py`` are copied with the policy's formulas bound to their global
names, and each copy gets a name of its own: numba then specialises it in full and keeps
it on disk under that name.

Its disk cache looks at one source file only, so the folder carries a digest of every
source that a kernel stands on and of the versions that compiled it: editing a policy
or upgrading numba means a new folder, never a stale kernel.  Each kernel has exactly one
signature; two processes that compile it at once write the same thing.
"""

import hashlib
import inspect
import os
import sys
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from types import FunctionType
from typing import Any

import llvmlite
import numba
from numba import njit, types
from numba.core import config as numba_config

from penalized_bandits import rewards, streams
from penalized_bandits.engine import draws, lanes
from penalized_bandits.policies import base
from penalized_bandits.policies.base import Policy

# numba defines its settings at run time, out of sight of type checkers.
config: Any = numba_config

_ROW = types.float64[::1]
_GRID = types.float64[:, ::1]
_INTS = types.int64[::1]
_CODE = types.NamedTuple((types.int64, types.float64, _GRID, _ROW), rewards.RewardCode)
_SCAN = types.void(
    types.float64, types.float64, types.float64, _ROW, _ROW,
    _GRID, _GRID, _GRID, _GRID, _GRID, _ROW, _INTS,
)  # fmt: skip
_PLAY = types.void(
    types.int64, types.int64, types.int64, types.int64, types.float64, types.int64,
    types.float64, _ROW, _GRID, _GRID, _CODE, _ROW, _ROW, types.uint64[:, ::1],
    _GRID, _GRID, _GRID, _GRID, _GRID, _GRID,
)  # fmt: skip


def _source_digest(policy: Policy) -> str:
    """Digest of all that a kernel of this policy is made from."""
    digest = hashlib.sha256()
    functions = (policy.index, policy.urgency, policy.queue)
    files = {Path(inspect.getfile(f)) for f in functions}
    files |= {Path(str(module.__file__)) for module in (lanes, draws, rewards, streams, base)}
    files.add(Path(__file__))
    for path in sorted(files, key=lambda p: p.name):
        digest.update(path.name.encode() + b"\0" + path.read_bytes())
    names = [f"{f.__module__}.{f.__qualname__}" for f in functions]
    versions = [sys.version, numba.__version__, llvmlite.__version__]
    digest.update("\0".join([*names, str(policy.commits), *versions]).encode())
    return digest.hexdigest()[:16]


def cache_root() -> Path:
    """Return the folder of compiled kernels.

    ``PENALIZED_BANDITS_CACHE`` where set, else numba's own ``NUMBA_CACHE_DIR``, else
    the environment's ``var`` folder; a temporary folder where that cannot be written.
    """
    chosen = os.environ.get("PENALIZED_BANDITS_CACHE") or os.environ.get("NUMBA_CACHE_DIR")
    folder = Path(chosen) if chosen else Path(sys.prefix) / "var" / "cache"
    folder = folder / "penalized_bandits"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return folder
    except OSError:
        return Path(tempfile.gettempdir()) / f"penalized_bandits-{os.getuid()}"


def _bind(function: Callable[..., Any], name: str, **names: object) -> FunctionType:
    """Copy a function of lanes.py under a new name, with some global names rebound."""
    assert isinstance(function, FunctionType)  # noqa: S101
    bound = FunctionType(function.__code__, {**function.__globals__, **names}, name)
    bound.__qualname__ = name
    bound.__module__ = function.__module__
    return bound


@cache
def kernel(policy: Policy) -> Callable[..., None]:
    """Return ``lanes.play`` compiled for a policy (from the disk cache where it is)."""
    inline = njit(forceinline=True, error_model="numpy")
    compiled = njit(nogil=True, error_model="numpy")
    urgent = policy.urgency is not base.no_urgency
    bindings: dict[str, object] = {
        "HAS_URGENCY": urgent,
        "HAS_QUEUE": policy.queue is not base.no_queue,
        "COMMITS": policy.commits,
        "queue_after": inline(policy.queue),
        "scan_index": compiled(_bind(lanes.scan, "scan_index", score_of=inline(policy.index))),
        "scan_urgency": compiled(
            _bind(lanes.scan, "scan_urgency", score_of=inline(policy.urgency))
        ),
    }
    play = _bind(lanes.play, f"play_{policy.id}", **bindings)
    # numba reads this setting when a cache is enabled, and only then.
    before = config.CACHE_DIR
    config.CACHE_DIR = str(cache_root() / _source_digest(policy))
    try:
        return njit(_PLAY, nogil=True, error_model="numpy", cache=True)(play)
    finally:
        config.CACHE_DIR = before
