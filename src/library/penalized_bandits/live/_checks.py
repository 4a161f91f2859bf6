"""Checks of what a live player is given, which raise BanditError."""

from collections.abc import Mapping, Sequence
from typing import Any, cast

import numpy as np
from numpy.typing import ArrayLike

from penalized_bandits.bandit.checks import is_row, numbers
from penalized_bandits.bandit.instances import Instance
from penalized_bandits.bandit.rewards import Deterministic
from penalized_bandits.common.errors import LARGEST, BanditError, whole, within
from penalized_bandits.common.typing import FloatArray, IntArray
from penalized_bandits.engine.play import Play
from penalized_bandits.engine.unit_rewards import check_range
from penalized_bandits.live.choice import ID


def arms_in(play: Play, available: ArrayLike | None, names: Mapping[str, int]) -> IntArray | None:
    """Return the arms in service that are available, in order; None for all."""
    if available is None:
        return None
    n_arms, service, named = len(play.arms), np.asarray(play.in_service), cast("Any", available)
    if type(named) in (list, tuple, range) and set(map(type, named)) in ({bool}, {int}):
        named = np.array(named)
    quick = type(named) is np.ndarray and named.dtype.kind in "bi"
    shape = named.shape if quick else np.asarray(named, dtype=object).shape
    if not quick:
        # Not as an array, in which truth values beside numbers would be numbers.
        named = list(named) if len(shape) == 1 else []
        named = cast("Any", [names.get(k, k) if isinstance(k, str) else k for k in named])
    truths = named.dtype == bool if quick else all(isinstance(k, bool | np.bool) for k in named)
    mask = len(named) > 0 and truths
    if len(shape) != 1 or (mask and len(named) != n_arms):
        raise BanditError(
            f"available has shape {shape}: it must be a list of arms, or of {n_arms} truth values"
        )
    if not mask:
        if not quick or (len(named) and (named.min() < 0 or named.max() >= n_arms)):
            named = [whole(f"available[{i}]", k, 0, n_arms - 1) for i, k in enumerate(named)]
        named = np.array(named, np.int64)
        counts = np.bincount(named, minlength=n_arms)
        if counts.max() > 1:
            raise BanditError(
                f"available has arm {named[counts[named].argmax()]} twice: it must name each arm "
                f"once (a list of 0 and 1 is no mask: use {n_arms} booleans)"
            )
        named = counts > 0
    arms = service[np.asarray(named)[service]]
    if not arms.size:
        raise BanditError(f"available is {available!r:.80}: no arm in service is among them")
    return arms


def named(names: Sequence[Any], n_arms: int) -> dict[str, int]:
    """Return the arms' numbers by name; raise BanditError unless all have different ones."""
    names = names if isinstance(names, Sequence) else [names]
    fit = [name for name in names if isinstance(name, str) and name and not ID.fullmatch(name)]
    if isinstance(names, str) or not len({*fit}) == len(names) == n_arms:
        raise BanditError(
            f"names is {names!r:.80}: it must have {n_arms} different texts, none an id of a choice"
        )
    return {name: k for k, name in enumerate(fit)}


def reward_of(play: Play, place: str, value: Any) -> float:
    """Return a reward as a number; raise BanditError if it is none, or not for the policy."""
    if not within(value, -LARGEST, LARGEST):
        raise BanditError(
            f"{place} is {value!r:.80}: it must be a finite number, at most {LARGEST:g} in size"
        )
    check_range(play.policy, place, float(value))
    return float(value)


def fractions(fairness: ArrayLike, service: list[int], penalties: FloatArray) -> list[float]:
    """Return fractions of all arms, from one number for those in service or one for each arm."""
    tau, there = numbers("fairness", fairness), np.isin(np.arange(penalties.size), service)
    tau = np.where(there, tau, 0.0) if tau.ndim == 0 else tau
    tau = Instance(np.zeros(penalties.size), tau, penalties, Deterministic()).fairness
    for k in np.flatnonzero(tau * ~there):
        raise BanditError(f"fairness[{k}] is {tau[k]:g}, but arm {k} is retired: it must be 0")
    return tau.tolist()


def length(values: Any) -> int | None:
    """Return the length of a list; None of what is none, or has no order."""
    sized = hasattr(values, "__len__") and not isinstance(values, str)
    return len(values) if sized and is_row(values) else None
