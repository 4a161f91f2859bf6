"""Compile the engine for one policy, once per environment.

numba can neither cache a kernel that takes functions as arguments nor one that closes
over them, and a kernel with a branch for every policy would have to name them all.  So
the functions of ``lanes.py`` and ``blocks.py`` are copied with the policy's formulas bound
to their global names, and each copy gets a name of its own: numba then specialises it in
full and keeps it on disk under that name.

Its disk cache looks at one source file only, so the folder carries a digest of every
source that a kernel stands on and of the versions that compiled it: editing a policy
or upgrading numba means a new folder, never a stale kernel.  Each kernel has exactly one
signature, and a lock: of processes that start together one compiles it and the others
wait, or better compile another that they need (:func:`prepare`).  Where a file system
knows no locks all of them compile it, and write the same thing.
"""

import hashlib
import os
import re
import sys
import uuid
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path
from types import FunctionType
from typing import Any, TypeAlias

import llvmlite
import numba
from numba import njit, types
from numba.core import config as numba_config
from numba.core.dispatcher import Dispatcher

from penalized_bandits import rewards, streams
from penalized_bandits.engine import blocks, draws, lanes, rounds
from penalized_bandits.engine.disk import cache_root, lock_of, turn
from penalized_bandits.policies import base
from penalized_bandits.policies.base import Policy, functions_of

# numba defines its settings at run time, out of sight of type checkers.
config: Any = numba_config


class CannotCompileError(Exception):
    """numba cannot compile a policy; the message is the first line of its reason."""


Kernel: TypeAlias = Callable[..., None]

# Entry points that nobody calls would take a third of a kernel's compilation.
_OUTER: dict[str, Any] = {"nogil": True, "error_model": "numpy", "no_cfunc_wrapper": True}
_INNER: dict[str, Any] = {**_OUTER, "no_cpython_wrapper": True}

_INT, _FLOAT = types.int64, types.float64
_ROW = types.float64[::1]
_GRID = types.float64[:, ::1]
_CODE = types.NamedTuple((_INT, _FLOAT, _GRID, _ROW), rewards.RewardCode)
_TABLES = (_CODE, _ROW, _ROW)
_KEYS, _LANE_ARMS = types.uint64[::1], types.int64[::1]
_KEY_GRID = types.uint64[:, ::1]
_PLAY_LANES = types.void(
    *(_INT, _INT, _INT, _INT, _FLOAT, _INT, _FLOAT, _ROW, _ROW, _GRID, _GRID, *_TABLES, _KEYS),
    *((_GRID,) * 7),
    *(_KEY_GRID, _GRID),
    *(types.UniTuple(_ROW, 2), types.UniTuple(_ROW, 5)),
    *(types.UniTuple(_LANE_ARMS, 3), types.UniTuple(_KEYS, 2)),
)
_REWARDS = types.void(
    *(_KEYS, _LANE_ARMS, _ROW, *_TABLES, _LANE_ARMS, _ROW),
)
_NOISE = types.void(*(_KEY_GRID, _INT, _FLOAT, _ROW, _ROW, _LANE_ARMS, _GRID))
_PLAY_BLOCKS = types.void(
    *(_INT, _INT, _INT, _INT, _FLOAT, _INT, _FLOAT),
    *(_CODE, types.uint64, types.uint64, types.float64[:, :, ::1]),
)
_PLAY_ROUNDS = types.void(
    *(_INT, _INT, _INT, _FLOAT, _INT, _FLOAT, _CODE, types.uint64, types.uint64),
    *(_GRID, _GRID, _LANE_ARMS),
)


def _flags(policy: Policy) -> dict[str, bool]:
    """Return what a policy's kernels are compiled with, besides its formulas."""
    return {
        "HAS_URGENCY": policy.urgency is not base.no_urgency,
        "HAS_QUEUE": policy.served is not base.no_queue,
        "COMMITS": policy.commits,
        "DRAWS": policy.draws,
        "CROSSES_ONCE": policy.crosses_once,
    }


_ENGINE = (blocks, lanes, rounds, draws, rewards, streams, base)


def _hash(files: set[Path], *facts: object) -> str:
    """Hash the engine's sources, more files, facts and the versions that compile them."""
    digest = hashlib.sha256()
    files = files | {Path(str(module.__file__)) for module in _ENGINE} | {Path(__file__)}
    for path in sorted(files, key=str):
        digest.update(path.name.encode() + b"\0" + path.read_bytes())
    digest.update(repr((sys.version, numba.__version__, llvmlite.__version__, facts)).encode())
    return digest.hexdigest()[:16]


def _digest(policy: Policy) -> str | None:
    """Digest of all that a kernel of this policy is made from.

    None where that cannot be known: a formula without a source file, or one that
    closes over values.  Its kernel is then compiled anew in every process.
    """
    files: set[Path] = set()
    facts: list[object] = [_flags(policy)]
    compiled = [policy.index, policy.urgency, policy.served, policy.choose]
    functions = [
        function
        for formula in compiled
        for function in sorted(
            functions_of(formula), key=lambda f: (f.__module__, f.__code__.co_firstlineno)
        )
    ]
    for function in functions:
        code = function.__code__
        if function.__closure__ or not Path(code.co_filename).is_file():
            return None
        files.add(Path(code.co_filename))
        # Two formulas of one file may share a name: tell them apart.
        facts.append((code.co_qualname, code.co_firstlineno, code.co_consts, code.co_code))
    return _hash(files, facts)


def _bind(function: Callable[..., Any], name: str, **names: object) -> FunctionType:
    """Copy a loop under a new name, with some global names rebound."""
    assert isinstance(function, FunctionType)  # noqa: S101
    bound = FunctionType(function.__code__, {**function.__globals__, **names}, name)
    bound.__qualname__ = name
    bound.__module__ = function.__module__
    return bound


def _with_helpers(formula: Callable[..., Any]) -> FunctionType:
    """Copy a formula with the plain functions that it calls compiled into it."""
    assert isinstance(formula, FunctionType)  # noqa: S101
    plain = {
        name: helper
        for name in formula.__code__.co_names
        if isinstance(helper := formula.__globals__.get(name), FunctionType)
    }
    if not plain:
        return formula
    compiled = {
        name: njit(forceinline=True, **_INNER)(_with_helpers(helper))
        for name, helper in plain.items()
    }
    return _bind(formula, formula.__name__, **compiled)


def _suffix(engine: str, policy: Policy, version: str) -> str:
    """Return what the names of a policy's functions end with.

    The compiler's symbols are made of these names.  Kernels compiled in different processes
    meet in a later one, so each policy and version needs names of its own: of two symbols
    with one name the linker keeps the first.
    """
    return f"{engine}_{policy.id}_{version}"


def _is_free(policy: Policy, *, penalty_varies: bool) -> bool:
    """Say whether no other process is compiling a policy's lanes right now."""
    digest = _digest(policy)
    if digest is None:
        return True
    try:
        with turn(
            lock_of(digest, f"play_{_suffix(_lanes_name(penalty_varies), policy, digest)}"),
            wait=False,
        ):
            return True
    except BlockingIOError:
        return False


def prepare(wanted: Iterable[tuple[Policy, bool]]) -> None:
    """Compile the lanes of (policy, whether penalties vary), those first that are free.

    Processes that start together and need the same kernels so share the work.
    """
    pending = list(dict.fromkeys(wanted))
    # Not all of them should begin with the same one.
    begin = os.getpid() % max(len(pending), 1)
    pending = pending[begin:] + pending[:begin]
    while pending:
        free = (item for item in pending if _is_free(item[0], penalty_varies=item[1]))
        policy, penalty_varies = item = next(free, pending[0])
        lanes_kernel(policy, penalty_varies=penalty_varies)
        pending.remove(item)


def _lanes_name(penalty_varies: bool) -> str:
    return "lanes_varying" if penalty_varies else "lanes_shared"


@cache
def _shared_kernel(function: Callable[..., None], signature: Any) -> Kernel:
    """Return a function of ``lanes.py`` compiled once for all policies."""
    digest = _hash(set())
    return _njit(_bind(function, f"{function.__name__}_{digest}"), signature, digest)


@cache
def lanes_kernel(policy: Policy, *, penalty_varies: bool) -> Kernel:
    """Return ``lanes.play`` compiled for a policy.

    Penalties that lanes share are scalars in its loops: less to read.
    """
    flags = {"PENALTY_VARIES": penalty_varies}
    names = {"rewards_of": _shared_kernel(lanes.rewards_of, _REWARDS)}
    if policy.draws:
        names["noise_of"] = _shared_kernel(lanes.noise_of, _NOISE)
    engine = _lanes_name(penalty_varies)
    return _compile(policy, engine, lanes.play, lanes.scan, _PLAY_LANES, flags, names)


@cache
def blocks_kernel(policy: Policy) -> Kernel:
    """Return ``blocks.play`` compiled for a policy."""
    return _compile(policy, "blocks", blocks.play, blocks.visit, _PLAY_BLOCKS, {}, {})


@cache
def rounds_kernel(policy: Policy) -> Kernel:
    """Return ``rounds.play`` compiled for a policy that chooses by itself."""
    digest = _digest(policy)
    suffix = _suffix("rounds", policy, digest or uuid.uuid4().hex)
    choose = policy.choose
    if not isinstance(choose, Dispatcher):
        assert choose is not None  # noqa: S101
        choose = njit(**_INNER)(_bind(_with_helpers(choose), f"choose_{suffix}"))
    bound = _bind(rounds.play, f"play_{suffix}", choose=choose, DRAWS=policy.draws)
    return _njit(bound, _PLAY_ROUNDS, digest)


def _compile(
    policy: Policy,
    engine: str,
    play: Callable[..., None],
    look: Callable[..., None],
    signature: Any,
    flags: dict[str, bool],
    names: dict[str, Kernel],
) -> Kernel:
    """Compile a loop and its look over the arms, from the disk cache where they are."""
    digest = _digest(policy)
    suffix = _suffix(engine, policy, digest or uuid.uuid4().hex)

    def inline(formula: Callable[..., Any]) -> Any:
        return njit(forceinline=True, **_INNER)(_with_helpers(formula))

    compiled = njit(**_INNER)
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
        **names,
    )
    return _njit(bound, signature, digest)


def _njit(function: FunctionType, signature: Any, digest: str | None) -> Kernel:
    """Compile a function for one signature, kept on disk unless its digest is unknown."""
    if digest is None:
        return _njit_here(function, signature)
    with turn(lock_of(digest, function.__name__)):
        return _njit_on_disk(function, signature, digest)


def _njit_on_disk(function: FunctionType, signature: Any, digest: str) -> Kernel:
    """Compile a function, or load it where an earlier process has."""
    # numba reads this setting when a cache is enabled, and only then.
    before = config.CACHE_DIR
    config.CACHE_DIR = str(cache_root() / digest)
    try:
        return _njit_here(function, signature, cache=True)
    finally:
        config.CACHE_DIR = before


def _njit_here(function: FunctionType, signature: Any, **options: bool) -> Kernel:
    try:
        return njit(signature, **options, **_OUTER)(function)
    except Exception as error:
        # numba raises errors of its own, and others where it did not expect what it met.
        raise CannotCompileError(_reason(error)) from error


def _reason(error: Exception) -> str:
    """Return the line of an error of numba's that says most: not where it was noticed."""
    lines = [re.sub(r"\x1b\[\d*m", "", line).strip() for line in str(error).splitlines()]
    told = [
        line for line in lines if line and not line.startswith(("Failed in", "File ", "During"))
    ]
    return told[0] if told else repr(error)
