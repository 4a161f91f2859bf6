"""Checks of what a live player is given, which raise BanditError."""

import math
from collections.abc import Mapping, Sequence
from typing import Any, cast

import numpy as np
from numpy.typing import ArrayLike

from penalized_bandits.bandit.checks import is_row, numbers
from penalized_bandits.bandit.instances import Instance
from penalized_bandits.bandit.rewards import Deterministic
from penalized_bandits.common.errors import LARGEST, BanditError, number_in, whole
from penalized_bandits.common.typing import FloatArray, IntArray
from penalized_bandits.engine._scores import CEILING
from penalized_bandits.engine.play import Play
from penalized_bandits.engine.unit_rewards import check_range
from penalized_bandits.live.choice import ID
from penalized_bandits.policies import Policy
from penalized_bandits.policies.reads import check_ceilings

FINITE = f"a finite number, at most {LARGEST:g} in size"


def arms_in(play: Play, available: ArrayLike | None, names: Mapping[str, int]) -> IntArray | None:
    """Return the arms in service that are available, in order; None for all."""
    if available is None:
        return None
    n_arms, service, given = play.n_arms, play.in_service, cast("Any", available)
    if type(given) in (list, tuple, range) and set(map(type, given)) in ({bool}, {int}):
        given = np.array(given)
    quick = type(given) is np.ndarray and given.dtype.kind in "bi"
    shape = given.shape if quick else np.asarray(given, dtype=object).shape
    if not quick:
        # Not as an array, in which truth values beside numbers would be numbers.
        given = listed(given) if len(shape) == 1 else []
        for i in (i for i, k in enumerate(given) if _is_missing(k)):
            raise BanditError(f"available[{i}] is missing: it must be an arm, or True or False")
        place = "available[{}]".format
        given = cast("Any", [_by_name(place(i), k, names) for i, k in enumerate(given)])
    truths = given.dtype == bool if quick else all(isinstance(k, bool | np.bool) for k in given)
    mask = len(given) > 0 and truths
    if len(shape) != 1 or (mask and len(given) != n_arms):
        raise BanditError(f"available has shape {shape}: it must be arms, or {n_arms} truth values")
    if not mask:
        if not quick or (len(given) and (given.min() < 0 or given.max() >= n_arms)):
            given = [whole(f"available[{i}]", k, 0, n_arms - 1) for i, k in enumerate(given)]
        given = np.array(given, np.int64)
        counts = np.bincount(given, minlength=n_arms)
        if counts.max() > 1:
            raise BanditError(
                f"available has arm {given[counts[given].argmax()]} twice: it must name each arm "
                f"once (a list of 0 and 1 is no mask: use {n_arms} booleans)"
            )
        given = counts > 0
    arms = service[np.asarray(given)[service]]
    if not arms.size:
        raise BanditError(f"available is {available!r:.80}: no arm in service is among them")
    return arms


def listed(values: Any) -> list[Any]:
    """Return the values of a list, an array, a Series or of Arrow."""
    return values.to_pylist() if hasattr(values, "to_pylist") else list(values)


def _is_missing(value: Any) -> bool:
    # pandas and Arrow need not be installed, and pandas.NA is not equal to itself, nor unequal.
    none = value is None or value is np.ma.masked or type(value).__name__ in ("NAType", "NaTType")
    return none or (isinstance(value, float) and math.isnan(value))


def _by_name(place: str, arm: Any, names: Mapping[str, int]) -> Any:
    """Return the number of an arm that is given by its name; others as they are."""
    if not isinstance(arm, str):
        return arm
    if arm not in names:
        known = f"the names are {', '.join(names)!s:.200}" if names else "arms have numbers alone"
        raise BanditError(f"{place} is {arm!r:.80}, the name of no arm: {known}")
    return names[arm]


def number_of(play: Play, place: str, arm: Any, names: Mapping[str, int]) -> int:
    """Return the number of an arm from its number or name."""
    return whole(place, _by_name(place, arm, names), 0, play.n_arms - 1)


def named(names: Any, n_arms: int) -> dict[str, int]:
    """Return the arms' numbers by name; raise BanditError unless all have different ones."""
    several = hasattr(names, "__iter__") and not isinstance(names, str) and is_row(names)
    texts = listed(names) if several else [names]
    fit = [str(name) for name in texts if isinstance(name, str) and name and not ID.fullmatch(name)]
    if isinstance(names, str) or not len({*fit}) == len(texts) == n_arms:
        right = f"{n_arms} different texts, none an id of a choice"
        raise BanditError(f"names is {names!r:.80}: it must have {right}")
    return {name: k for k, name in enumerate(fit)}


def reward_of(play: Play, place: str, value: Any) -> float:
    """Return a reward as a number; raise BanditError if it is none, or not for the policy."""
    reward = number_in(place, value, -LARGEST, LARGEST, FINITE)
    check_range(play.policy, place, reward)
    return reward


def bandit_of(
    policy: Policy, fairness: ArrayLike, penalties: ArrayLike, *ceilings: ArrayLike
) -> Instance:
    """Return an instance with a player's parameters, checked for its policy; means are zeros."""
    tau, rates = numbers("fairness", fairness), numbers("penalties", penalties)
    sizes = [values.size for values in (rates, tau) if values.ndim == 1]
    if not sizes or rates.ndim > 1:
        raise BanditError(
            f"fairness and penalties have shapes {tau.shape} and {rates.shape}: they must be "
            "(K,) or one number, and not both one number"
        )
    bandit = Instance(np.zeros(sizes[0]), tau, rates, Deterministic(), *ceilings)
    check_ceilings(policy, bandit)
    return bandit


def fractions(
    play: Play, fairness: ArrayLike, service: IntArray, new: Sequence[FloatArray] = ()
) -> list[float]:
    """Return fractions of all arms, from one number for those in service or one for each arm.

    ``new`` has penalty, ceiling and excess penalty of an arm to be added.
    """
    about = [play.penalties, play.stats[CEILING], play.excess_penalties]
    about = [np.append(old, value) for old, value in zip(about, new, strict=True)] if new else about
    tau, there = numbers("fairness", fairness), np.isin(np.arange(about[0].size), service)
    tau = np.where(there, tau, 0.0) if tau.ndim == 0 else tau
    tau = bandit_of(play.policy, tau, *about).fairness
    for k in np.flatnonzero(tau * ~there):
        raise BanditError(f"fairness[{k}] is {tau[k]:g}, but arm {k} is retired: it must be 0")
    bandit_of(play.policy, *(values[service] for values in (tau, *about)))
    return tau.tolist()


def length(values: Any) -> int | None:
    """Return the length of a list; None of other values, and of those without an order."""
    sized = hasattr(values, "__len__") and not isinstance(values, str)
    return len(values) if sized and is_row(values) else None
