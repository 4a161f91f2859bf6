"""Compile the engine for one policy, once per environment.

numba can neither cache a kernel that takes functions as arguments nor one that closes over them.
So the loops are copied with the policy's formulas bound to their global names, and each copy gets a
name of its own, under which numba keeps it on disk.  Its cache looks at one source file only, so
the folder carries a digest of the engine's code, of all that the formulas can see and of the
versions that compiled them: never a stale kernel.  Each kernel has exactly one signature, and a
lock: of processes that start together one compiles it.
"""

import hashlib
import re
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from types import FunctionType
from typing import Any, TypeAlias

import llvmlite
import numba
from numba import njit, types
from numba.core import config as numba_config

from penalized_bandits.bandit import rewards
from penalized_bandits.bandit.instances import Instance
from penalized_bandits.common.errors import short_of_memory
from penalized_bandits.engine import _draws as draws
from penalized_bandits.engine import _formulas, streams
from penalized_bandits.engine import _lanes as lanes
from penalized_bandits.engine import _late as late
from penalized_bandits.engine import _lazy_evaluation as lazy_evaluation
from penalized_bandits.engine import _leader as leader
from penalized_bandits.engine import _rounds as rounds
from penalized_bandits.engine import _scores as scores
from penalized_bandits.engine import _state as state
from penalized_bandits.engine._formulas import INNER, OUTER, bind, inlined, is_packaged
from penalized_bandits.engine.disk import cache_root, kept, turn
from penalized_bandits.policies import base, known, ziggurat
from penalized_bandits.policies.base import Policy
from penalized_bandits.policies.fingerprint import fingerprint
from penalized_bandits.policies.reads import reads_bonus, reads_variance

# numba defines its settings at run time, out of sight of type checkers.
config: Any = numba_config


class CannotCompileError(Exception):
    """numba cannot compile a policy; the message is the first line of its reason."""


Kernel: TypeAlias = Callable[..., Any]

_INT, _FLOAT, _WORD = types.int64, types.float64, types.uint64
_ROW, _GRID = types.float64[::1], types.float64[:, ::1]
_KEYS, _KEY_GRID = types.uint64[::1], types.uint64[:, ::1]
_LANE_ARMS = types.int64[::1]


def _group(kind: type, *members: Any) -> Any:
    """Return the compiler's type of a group of arguments."""
    return types.BaseTuple.from_types(members, kind)


_RULES = _group(state.Rules, _INT, _FLOAT, _INT, _FLOAT)
_CODE = _group(rewards.RewardCode, _INT, _FLOAT, _GRID, _ROW)
_PLAY_LANES = types.void(
    *(_INT, _INT, _INT, _RULES),
    _group(lanes.Arms, *[_ROW] * 5),
    _group(lanes.Source, _CODE, _KEYS, _KEY_GRID),
    _group(lanes.State, *[_ROW] * 8),
    _group(lanes.Scratch, _ROW, _ROW, _GRID, *[_ROW] * 7, *[_LANE_ARMS] * 3, *[_KEYS] * 2),
)
_REWARDS = types.void(_KEYS, _LANE_ARMS, _ROW, _CODE, _LANE_ARMS, _ROW)
_NOISE = types.void(_KEY_GRID, _INT, _FLOAT, _LANE_ARMS, _GRID)
_SEEN = types.Array(types.float64, 2, "C", readonly=True)
_PLAY_ROUNDS = types.void(_INT, _INT, _RULES, _CODE, _WORD, _WORD, _GRID, _SEEN, _GRID)
_LATE = (types.UniTuple(_WORD, 3), _INT, _LANE_ARMS, _GRID, _GRID)
_PLAY_LATE = types.void(_INT, _INT, _RULES, _CODE, *_LATE)
_PLAY_ALONE = types.void(_INT, _INT, _RULES, _CODE, _WORD, _GRID)
_SCORES = _INT(_GRID, _ROW, types.UniTuple(_FLOAT, 5), _ROW, _ROW)


def _flags(policy: Policy) -> dict[str, bool]:
    """Return the flags of a policy's kernels."""
    return {
        "HAS_URGENCY": policy.urgency is not base.no_urgency,
        "HAS_QUEUE": policy.served is not base.no_queue,
        "COMMITS": policy.commits,
        "IGNORES_PENALTIES": policy.ignores_penalties,
        "DRAWS": bool(policy.draws),
        "READS_VARIANCE": reads_variance(policy),
        "READS_BONUS": reads_bonus(policy),
    }


_ENGINE = (
    *(lanes, late, leader, rounds, lazy_evaluation, scores, draws, state),
    *(_formulas, rewards, streams, base, known, ziggurat),
)


@cache
def _engine_digest() -> str:
    """Digest of the engine's code and of the versions that compile it."""
    digest = hashlib.sha256(repr((sys.version, numba.__version__, llvmlite.__version__)).encode())
    for module in (*_ENGINE, sys.modules[__name__]):
        # Applications may have no sources; loaders know the code in a zip or an executable too.
        loader: Any = module.__spec__ and module.__spec__.loader
        digest.update(fingerprint(loader.get_code(module.__name__), "the engine").encode())
    return digest.hexdigest()[:16]


def _digest(policy: Policy) -> str:
    """Digest of all that a kernel of this policy is made from, as it is now."""
    formulas = (policy.index, policy.urgency, policy.served, policy.choose)
    code = fingerprint((*formulas, policy.hints.index_exceeds), f"policy {policy.id}")
    packaged = is_packaged(policy.choose or policy.index)
    facts = (_engine_digest(), code, packaged, policy.draws, *_flags(policy).values())
    return hashlib.sha256(repr(facts).encode()).hexdigest()[:16]


@cache
def _shared_kernel(function: Callable[..., None], signature: Any) -> Kernel:
    """Return a function of ``_draws.py`` compiled once for all policies."""
    digest = _engine_digest()
    return _njit(bind(function, f"{function.__name__}_{digest}"), signature, digest)


def noise_kernel(policy: Policy) -> Kernel:
    """Return the kernel that draws a policy's own numbers, for all lanes at once."""
    noise_of = draws.uniforms_of if isinstance(policy.draws, str) else draws.noise_of
    return _shared_kernel(noise_of, _NOISE)


def lanes_for(policy: Policy, instance: Instance) -> str:
    """Return the loop over lanes: penalties that these share are scalars in it, less to read."""
    return "lanes_varying" if policy.penalties_known(instance.penalties).ndim == 2 else "lanes"


def kernel(policy: Policy, loop: str, ceilings: bool = False) -> Kernel:
    """Return late, leader, lazy, rounds, scores or :func:`lanes_for`'s loop, for a policy.

    Without ``ceilings`` it does not look at them, which costs no time then.
    """
    return _kernel(policy, loop, ceilings, _digest(policy))


@cache
def _kernel(policy: Policy, loop: str, ceilings: bool, digest: str) -> Kernel:
    """Compile a loop for a policy, or take it from the disk; no other kernel has its name."""
    suffix = f"{loop}{'_ceilings' if ceilings else ''}_{policy.id}_{digest}"
    names: dict[str, Any] = {**_flags(policy), "HAS_CEILINGS": ceilings}
    if isinstance(policy.draws, str):
        names["noise_number"] = draws.uniform_number
    if loop == "rounds":
        play, signature = rounds.play, _PLAY_ROUNDS
        names["choose"] = inlined(policy.choose, suffix)
    elif loop == "late":
        play, signature = late.play, _PLAY_LATE
        names["pick"] = kernel(policy, "scores")
        names["queue_served"] = inlined(policy.served, suffix)
    elif loop == "leader":
        play, signature = leader.play, _PLAY_ALONE
        names["index_of"] = inlined(policy.index, suffix)
    elif loop == "lazy":
        play, signature = lazy_evaluation.play, _PLAY_ALONE
        names["index_of"] = inlined(policy.index, suffix, forceinline=False)
        names["index_exceeds"] = inlined(policy.hints.index_exceeds, suffix)
    elif loop == "scores":
        play, signature = scores.pick, _SCORES
        for part in (scores.bonus_of, scores.arm_of, scores.largest):
            inner = bind(part, f"{part.__name__}_{suffix}", **names)
            names[part.__name__] = njit(forceinline=True, **INNER)(inner)
        for name in ("index", "urgency"):
            names[f"{name}_of"] = inlined(getattr(policy, name), suffix)
    else:
        play, signature = lanes.play, _PLAY_LANES
        names["PENALTY_VARIES"] = loop == "lanes_varying"
        names["rewards_of"] = _shared_kernel(draws.rewards_of, _REWARDS)
        if policy.draws:
            names["noise_of"] = noise_kernel(policy)
        names["queue_served"] = inlined(policy.served, suffix)
        # The scan of the arms, with each of the two scores.
        for name in ("index", "urgency"):
            score_of = inlined(getattr(policy, name), suffix)
            scan = bind(lanes.scan, f"{name}_{suffix}", **names, score_of=score_of)
            names[f"scan_{name}"] = njit(**INNER)(scan)
    return _njit(bind(play, f"play_{suffix}", **names), signature, digest)


_COMPILING = threading.Lock()
"""Held while numba's setting of the folder, which all threads share, is ours."""


def _njit(function: FunctionType, signature: Any, digest: str) -> Kernel:
    """Compile a function for one signature, kept on disk where that is possible."""
    try:
        # There is neither a folder nor space for the lock, or nobody knows where ~ is.
        with suppress(OSError, RuntimeError):
            folder = cache_root() / digest
            # numba reads this setting when a cache is enabled, and only then.
            with turn(folder / f"{function.__name__}.lock"), _COMPILING:
                before, config.CACHE_DIR = config.CACHE_DIR, str(folder)
                try:
                    return kept(function, signature, **OUTER)
                finally:
                    config.CACHE_DIR = before
        return njit(signature, **OUTER)(function)
    except Exception as error:
        if short_of_memory(error):
            raise
        # numba raises errors of its own, and others where it did not expect what it met.
        lines = [re.sub(r"\x1b\[\d*m", "", line).strip() for line in str(error).splitlines()]
        where = ("Failed in", "File ", "During")
        says = (line for line in lines if line and not line.startswith(where))
        raise CannotCompileError(next(says, repr(error))) from error
