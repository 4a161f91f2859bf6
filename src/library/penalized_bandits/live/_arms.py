"""The arms of a live player: which are there, their pulls and their fractions."""

import os
import secrets
import threading
from typing import Any, cast
from weakref import WeakSet

import numpy as np
from numpy.typing import ArrayLike

from penalized_bandits.bandit.checks import numbers
from penalized_bandits.bandit.instances import Instance
from penalized_bandits.bandit.rewards import Deterministic
from penalized_bandits.common.errors import MOST_ROUNDS, BanditError, whole
from penalized_bandits.common.typing import FloatArray, IntArray
from penalized_bandits.engine.play import Play
from penalized_bandits.live.choice import Choices


class Catalogue:
    """The part of a player that is about its arms as a whole."""

    def __init__(self, play: Play, choices: Choices) -> None:
        self._play, self._choices, self._lock = play, choices, threading.RLock()
        _ALL.add(self)

    @property
    def rounds(self) -> int:
        """Number of choices so far."""
        with self._lock:
            return self._play.rounds

    @property
    def pulls(self) -> list[int]:
        """Number of choices of each arm, shape (K,)."""
        with self._lock:
            return np.array(self._play.pulls).tolist()

    @property
    def outstanding(self) -> list[int]:
        """Number of choices of each arm without a reward yet, shape (K,)."""
        with self._lock:
            return [self._due(k) for k in self._play.arms]

    def _due(self, arm: int) -> int:
        play = self._play
        return int(play.pulls[arm] - play.observed[arm] - len(play.waiting[arm]))

    def allocation(self, n: int = 1000, *, available: ArrayLike | None = None) -> FloatArray:
        """Return the shares of the arms, shape (K,), in the next n choices, if no reward comes.

        The player stays as it is; ``choose(n)`` counts these choices.

        Raises
        ------
        BanditError
            If n is below 1, or ``available`` is wrong, as in :meth:`choose`.

        Examples
        --------
        >>> Player("ucb1", fairness=[0.0, 0.0], penalties=0.0).allocation(2)
        array([0.5, 0.5])
        """
        n = whole("n", n, 1, MOST_ROUNDS)
        with self._lock:
            arms = list(self._play.twin().batch(n, arms_in(self._play, available)))
            return np.bincount(arms, minlength=len(self._play.arms)) / n

    def add_arm(self, fairness: ArrayLike, penalty: float) -> int:
        """Add an arm, owed nothing so far, give all fractions anew and return its number.

        Fractions hold from the next choice on: shape (K + 1,), the new arm's last, 0 for retired
        arms; or one number for all in service.  The penalty rate has the unit of the rewards.  What
        other arms learned, and pulls that they are owed, stays.  A policy that needs a reward of
        each arm leaves the new arm out until its first one, but for the arm's floor.

        Raises
        ------
        BanditError
            If a parameter makes no sense, or the policy knows a fixed set of arms alone.

        Examples
        --------
        >>> player = Player("hard_threshold_ucb", fairness=[0.2, 0.2], penalties=1.0)
        >>> player.add_arm([0.2, 0.2, 0.1], penalty=1.0)
        2
        """
        with self._lock:
            play, arm = self._play, len(self._play.arms)
            play.check_by_arm()
            rates = np.append(play.penalties, numbers("penalty", penalty))
            tau = fractions(fairness, [*play.in_service, arm], rates)
            play.add_arm(float(rates[-1]))
            play.set_fairness(tau)
            self._choices.open.append({})
            self._choices.quiet.append(0)
        return arm

    def retire_arm(self, arm: int, fairness: ArrayLike) -> None:
        """Retire an arm, whose number is not used again, and give all fractions anew.

        Fractions are of shape (K,), as for :meth:`add_arm`.  Rewards of its choices still count.

        Raises
        ------
        BanditError
            If a parameter makes no sense, the arm is the last one, or the policy knows a fixed set
            of arms alone.
        """
        with self._lock:
            play = self._play
            play.check_by_arm()
            arm = whole("arm", arm, 0, len(play.arms) - 1)
            rest = [int(k) for k in play.in_service if k != arm]
            if len(rest) == len(play.in_service) or not rest:
                raise BanditError(f"arm is {arm}: it must be one of several in service")
            play.set_fairness(fractions(fairness, rest, np.array(play.penalties)))
            play.in_service = rest


_ALL: WeakSet[Catalogue] = WeakSet()


def _after_fork() -> None:
    """Give the child's players locks that no thread holds, and ids that no other process issues."""
    for player in _ALL:
        player._lock, player._choices.word = threading.RLock(), secrets.token_hex(4)


if hasattr(os, "register_at_fork"):  # not on Windows, where nothing forks
    os.register_at_fork(after_in_child=_after_fork)


def arms_in(play: Play, available: ArrayLike | None) -> IntArray | None:
    """Return the arms in service that are available, in order; None for all."""
    if available is None:
        return None
    n_arms, service, named = len(play.arms), np.asarray(play.in_service), cast("Any", available)
    if type(named) in (list, tuple) and set(map(type, named)) in ({bool}, {int}):
        named = np.array(named)
    quick = type(named) is np.ndarray and named.dtype.kind in "bi"
    shape = named.shape if quick else np.asarray(named, dtype=object).shape
    if not quick:
        # Not as an array, in which truth values beside numbers would be numbers.
        named = cast("Any", list(named) if len(shape) == 1 else [])
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


def fractions(fairness: ArrayLike, service: list[int], penalties: FloatArray) -> list[float]:
    """Return fractions of all arms, from one number for those in service or one for each arm."""
    tau, there = numbers("fairness", fairness), np.isin(np.arange(penalties.size), service)
    tau = np.where(there, tau, 0.0) if tau.ndim == 0 else tau
    tau = Instance(np.zeros(penalties.size), tau, penalties, Deterministic()).fairness
    for k in np.flatnonzero(tau * ~there):
        raise BanditError(f"fairness[{k}] is {tau[k]:g}, but arm {k} is retired: it must be 0")
    return tau.tolist()
