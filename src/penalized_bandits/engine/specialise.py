"""Compile the engine for one policy, once per environment.

numba can neither cache a kernel that takes functions as arguments nor one that closes
over them, and a kernel with a branch for every policy would have to name them all.  So
the functions of ``lanes.py`` and ``blocks.py`` are copied with the policy's formulas bound
to their global names, and each copy gets a name of its own: numba then specialises it in
full and keeps it on disk under that name.

Its disk cache looks at one source file only, so the folder carries a digest of every
source that a kernel stands on and of the versions that compiled it: editing a policy
or upgrading numba means a new folder, never a stale kernel.  Each kernel has exactly one
signature; two processes that compile it at once write the same thing.
"""

import atexit
import hashlib
import os
import shutil
import sys
import tempfile
import uuid
from collections.abc import Callable
from functools import cache
from pathlib import Path
from types import FunctionType
from typing import Any, TypeAlias, cast

import llvmlite
import numba
from numba import njit, types
from numba.core import config as numba_config

from penalized_bandits import rewards, streams
from penalized_bandits.engine import blocks, draws, lanes
from penalized_bandits.policies import base
from penalized_bandits.policies.base import Policy

# numba defines its settings at run time, out of sight of type checkers.
config: Any = numba_config

Kernel: TypeAlias = Callable[..., None]

_INT, _FLOAT = types.int64, types.float64
_ROW = types.float64[::1]
_GRID = types.float64[:, ::1]
_CODE = types.NamedTuple((_INT, _FLOAT, _GRID, _ROW), rewards.RewardCode)
_TABLES = (_CODE, _ROW, _ROW)
_PLAY_LANES = types.void(
    *(_INT, _INT, _INT, _INT, _FLOAT, _INT, _FLOAT, _ROW, _GRID, _GRID),
    *(*_TABLES, types.uint64[::1], *(_GRID,) * 7),
)
_PLAY_BLOCKS = types.void(
    *(_INT, _INT, _INT, _INT, _FLOAT, _INT, _FLOAT),
    *(*_TABLES, types.uint64, types.float64[:, :, ::1]),
)


def _seen_by(function: FunctionType, seen: set[FunctionType]) -> None:
    """Add a formula to ``seen``, and all functions that it calls by name, and so on."""
    if function in seen:
        return
    seen.add(function)
    for name in function.__code__.co_names:
        helper = function.__globals__.get(name)
        helper = getattr(helper, "py_func", helper)  # compiled by the user
        if isinstance(helper, FunctionType):
            _seen_by(helper, seen)


def _flags(policy: Policy) -> dict[str, bool]:
    """Return what a policy's kernels are compiled with, besides its formulas."""
    return {
        "HAS_URGENCY": policy.urgency is not base.no_urgency,
        "HAS_QUEUE": policy.served is not base.no_queue,
        "COMMITS": policy.commits,
        "CROSSES_ONCE": policy.crosses_once,
    }


def _digest(policy: Policy) -> str | None:
    """Digest of all that a kernel of this policy is made from.

    None where that cannot be known: a formula without a source file, or one that
    closes over values.  Its kernel is then compiled anew in every process.
    """
    digest = hashlib.sha256()
    formulas = (policy.index, policy.urgency, policy.served)
    files = {
        Path(str(module.__file__)) for module in (blocks, lanes, draws, rewards, streams, base)
    }
    files.add(Path(__file__))
    for formula in formulas:
        functions: set[FunctionType] = set()
        _seen_by(cast("FunctionType", formula), functions)
        for function in sorted(functions, key=lambda f: (f.__module__, f.__code__.co_firstlineno)):
            code = function.__code__
            if function.__closure__ or not Path(code.co_filename).is_file():
                return None
            files.add(Path(code.co_filename))
            # Two formulas of one file may share a name: tell them apart.
            digest.update(repr((code.co_qualname, code.co_firstlineno, code.co_consts)).encode())
            digest.update(code.co_code)
    for path in sorted(files, key=str):
        digest.update(path.name.encode() + b"\0" + path.read_bytes())
    versions = (sys.version, numba.__version__, llvmlite.__version__)
    digest.update(repr((versions, _flags(policy))).encode())
    return digest.hexdigest()[:16]


@cache
def _private_folder() -> Path:
    """Make a folder for this process alone, removed when it ends."""
    folder = tempfile.mkdtemp(prefix="penalized_bandits-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return Path(folder)


def cache_root() -> Path:
    """Return the folder of compiled kernels.

    ``PENALIZED_BANDITS_CACHE`` where set, else numba's own ``NUMBA_CACHE_DIR``, else
    the environment's ``var`` folder; a private one where that cannot be written.
    """
    chosen = os.environ.get("PENALIZED_BANDITS_CACHE") or os.environ.get("NUMBA_CACHE_DIR")
    folder = Path(chosen) if chosen else Path(sys.prefix) / "var" / "cache"
    folder = folder / "penalized_bandits"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return folder
    except OSError:
        return _private_folder()


def _bind(function: Callable[..., Any], name: str, **names: object) -> FunctionType:
    """Copy a loop under a new name, with some global names rebound."""
    assert isinstance(function, FunctionType)  # noqa: S101
    bound = FunctionType(function.__code__, {**function.__globals__, **names}, name)
    bound.__qualname__ = name
    bound.__module__ = function.__module__
    return bound


@cache
def lanes_kernel(policy: Policy, *, penalty_varies: bool) -> Kernel:
    """Return ``lanes.play`` compiled for a policy.

    Penalties that lanes share are scalars in its loops: less to read.
    """
    shape = "varying" if penalty_varies else "shared"
    flags = {"PENALTY_VARIES": penalty_varies}
    return _compile(policy, f"lanes_{shape}", lanes.play, lanes.scan, _PLAY_LANES, flags)


@cache
def blocks_kernel(policy: Policy) -> Kernel:
    """Return ``blocks.play`` compiled for a policy."""
    return _compile(policy, "blocks", blocks.play, blocks.visit, _PLAY_BLOCKS, {})


def _compile(
    policy: Policy,
    engine: str,
    play: Callable[..., None],
    look: Callable[..., None],
    signature: Any,
    flags: dict[str, bool],
) -> Kernel:
    """Compile a loop and its look over the arms, from the disk cache where they are."""
    digest = _digest(policy)
    # The compiler's symbols are made of these names.  Kernels compiled in different
    # processes meet in a later one, so each policy and version needs names of its own:
    # of two symbols with one name the linker keeps the first.
    suffix = f"{engine}_{policy.id}_{digest or uuid.uuid4().hex}"
    inline = njit(forceinline=True, error_model="numpy")
    compiled = njit(nogil=True, error_model="numpy")
    flags = {**flags, **_flags(policy)}
    looks = {
        f"{look.__name__}_{name}": compiled(
            _bind(look, f"{name}_{suffix}", score_of=inline(formula), **flags)
        )
        for name, formula in (("index", policy.index), ("urgency", policy.urgency))
    }
    bound = _bind(
        play,
        f"play_{suffix}",
        queue_served=inline(policy.served),
        index_of=inline(policy.index),
        **looks,
        **flags,
    )
    if digest is None:
        return njit(signature, nogil=True, error_model="numpy")(bound)
    # numba reads this setting when a cache is enabled, and only then.
    before = config.CACHE_DIR
    config.CACHE_DIR = str(cache_root() / digest)
    try:
        return njit(signature, nogil=True, error_model="numpy", cache=True)(bound)
    finally:
        config.CACHE_DIR = before
