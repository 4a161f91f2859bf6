"""The arms of a live player: which are there, their pulls, fractions, rewards and intervals."""

import os
import re
import secrets
import threading
from collections.abc import Mapping, Sequence
from copy import deepcopy
from typing import Any, Literal, cast
from weakref import WeakSet

import numpy as np
from numpy.typing import ArrayLike

from penalized_bandits.bandit.checks import numbers
from penalized_bandits.bandit.instances import Instance
from penalized_bandits.bandit.rewards import Deterministic
from penalized_bandits.common.confidence import CONFIDENCE
from penalized_bandits.common.errors import LARGEST, MOST_ROUNDS, BanditError, whole, within
from penalized_bandits.common.typing import FloatArray, IntArray
from penalized_bandits.engine.play import Play
from penalized_bandits.engine.unit_rewards import check_range
from penalized_bandits.live.choice import Choices
from penalized_bandits.statistics.anytime import Tally, error_shares


class Catalogue:
    """The part of a player that is about its arms as a whole."""

    def __init__(self, play: Play, names: Sequence[str] | None, noise: float) -> None:
        self._play, self._lock, self._noise = play, threading.RLock(), noise
        self._choices = Choices([{} for _ in play.arms], play)
        self._tally = Tally(len(play.arms))
        self._numbers = {} if names is None else named(names, len(play.arms))
        _ALL.add(self)

    def _number(self, place: str, arm: Any) -> int:
        """Return the number of an arm from its number or name."""
        if isinstance(arm, str) and arm in self._numbers:
            return self._numbers[arm]
        return whole(place, arm, 0, len(self._play.arms) - 1)

    @property
    def names(self) -> list[str]:
        """Names of the arms, shape (K,); empty if they have none."""
        return [*self._numbers]

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
        rewards = play.observed[arm] + len(play.waiting[arm]) - self._tally.history[arm]
        return int(play.pulls[arm] - rewards)

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
            arms = list(self._play.twin().batch(n, self._arms_in(available)))
            return np.bincount(arms, minlength=len(self._play.arms)) / n

    def _arms_in(self, available: ArrayLike | None) -> IntArray | None:
        return arms_in(self._play, available, self._numbers)

    def add_arm(self, fairness: ArrayLike, penalty: float, name: str | None = None) -> int:
        """Add an arm, owed nothing so far, give all fractions anew and return its number.

        Fractions hold from the next choice on: shape (K + 1,), the new arm's last, 0 for retired
        arms; or one number for all in service.  The penalty rate has the unit of the rewards.  What
        other arms learned, and pulls that they are owed, stays.  A policy that needs a reward of
        each arm leaves the new arm out until its first one, but for the arm's floor.  It needs a
        name if the others have one.

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
            if self._numbers or name is not None:
                self._numbers = named([*self._numbers, name], arm + 1)
            self._tally.add_arm()
            play.add_arm(float(rates[-1]))
            play.set_fairness(tau)
            self._choices.open.append({})
            self._choices.quiet.append(0)
        return arm

    def retire_arm(self, arm: int | str, fairness: ArrayLike) -> None:
        """Retire an arm, whose number or name is not used again, and give all fractions anew.

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
            arm = self._number("arm", arm)
            rest = [int(k) for k in play.in_service if k != arm]
            if len(rest) == len(play.in_service) or not rest:
                raise BanditError(f"arm is {arm}: it must be one of several in service")
            play.set_fairness(fractions(fairness, rest, np.array(play.penalties)))
            play.in_service = rest

    @property
    def counts(self) -> list[int]:
        """Number of rewards of each arm, those of :meth:`observe` too, shape (K,)."""
        with self._lock:
            return np.rint(self._tally.table.sum(axis=0)).astype(int).tolist()

    @property
    def means(self) -> FloatArray:
        """Mean reward of each arm, shape (K,); nan without rewards."""
        with self._lock:
            counts = np.array(self.counts)
            return np.where(counts > 0, self._tally.totals, np.nan) / np.maximum(counts, 1)

    @property
    def deficits(self) -> FloatArray:
        """Choices that the floor of each arm lacks by its ``accrual``, >= 0, shape (K,)."""
        with self._lock:
            return np.array([max(float(self._play.owed(k)), 0.0) for k in self._play.arms])

    def observe(self, arm: int | str, rewards: ArrayLike) -> None:
        """Report rewards of an arm, shape (H,), that no choice of this player brought.

        The policy's means and radius, and intervals, use them as any others; rounds, pulls and
        deficits do not, and first rounds, which pull each arm, are played all the same.  They must
        not be selected by what they are.  A policy with a memory is shown one a round.

        Raises
        ------
        BanditError
            As for :meth:`update`, or if the policy learns from its own choices alone.

        Examples
        --------
        >>> player = Player("ucb1", fairness=[0.0, 0.0], penalties=0.0, names=["old", "new"])
        >>> player.observe("old", [1.0] * 99)
        >>> player.counts, player.pulls, player.intervals().round(2).tolist()
        ([99, 0], [0, 0], [[0.92, 1.0], [0.0, 1.0]])
        """
        values: Any = [rewards] if np.ndim(rewards) == 0 else rewards
        with self._lock:
            play, k = self._play, self._number("arm", arm)
            if play.policy.shares_memory:
                raise BanditError(
                    f"policy {play.policy.id} keeps a memory of its own choices: others' rewards "
                    "have no place in it"
                )
            taken = [reward_of(play, f"rewards[{i}]", value) for i, value in enumerate(values)]
            for value in taken:
                play.rewarded(k, value)
                self._tally.add(k, value)
            self._tally.history[k] += len(taken)
            self._choices.quiet[k] = 0

    def intervals(
        self,
        confidence: float = CONFIDENCE,
        *,
        arms: float | None = None,
        best_at: float | None = None,
        late: Literal["independent", "any"] = "independent",
    ) -> FloatArray:
        """Return an interval for each mean, shape (K, 2), right for all arms at all times at once.

        With probability ``confidence`` none ever fails, whatever the policy, and whenever one
        looks or stops, if a reward in [0, 1] has the same mean given the past and the arm.  Use the
        same arguments in all looks, chosen before the first.

        Parameters
        ----------
        confidence
            In (0, 1).
        arms
            The largest number of arms that there will ever be, retired ones included; by default
            those at the start or, of a state of an earlier version, those when it was read.
            ``math.inf`` allows any, with longer intervals for later ones.
        best_at
            For rewards that are sigma-sub-Gaussian instead, sigma the player's ``noise``, which
            must fit them (half the range of bounded ones): at this number of rewards of an arm its
            interval is as short as can be.
        late
            ``"independent"``: rewards of an arm are independent, of one law, and when they come, or
            whether, does not depend on what they are.  ``"any"``: it may; outstanding rewards are 0
            for the lower ends and 1 for the upper ones.

        Raises
        ------
        BanditError
            If a parameter makes no sense, a reward was outside [0, 1] and ``best_at`` is not given,
            or arms were added and ``arms`` is not given.
        """
        with self._lock:
            tally, n_arms = self._tally, len(self._play.arms)
            if arms is None and n_arms > tally.start:
                raise BanditError(
                    f"arms is None, but {n_arms - tally.start} arms were added: give the largest "
                    "number that there will ever be, the same in all looks"
                )
            if late not in ("independent", "any"):
                raise BanditError(f"late is {late!r}: it must be 'independent' or 'any'")
            missing = np.array(self.outstanding, dtype=float) * (late == "any")
            tally = deepcopy(tally)
        # Others choose meanwhile: many arms take seconds.
        alpha = error_shares(confidence, n_arms, arms)
        return tally.intervals(alpha, self._noise, best_at, missing)

    def best(self, confidence: float = CONFIDENCE, **options: Any) -> list[int]:
        """Return the arms in service that may still be best, by :meth:`intervals` and its options.

        With that confidence the best arms are always among them: a single one is the best.
        """
        low, high = self.intervals(confidence, **options).T
        with self._lock:
            service = np.array([k for k in self._play.in_service if k < len(low)])
        return service[high[service] >= low[service].max()].tolist()


_ALL: WeakSet[Catalogue] = WeakSet()
_ID = re.compile(r"\d+-[0-9a-f]{8}")


def _after_fork() -> None:
    """Give the child's players locks that no thread holds, and ids that no other process issues."""
    for player in _ALL:
        player._lock, player._choices.word = threading.RLock(), secrets.token_hex(4)


if hasattr(os, "register_at_fork"):  # not on Windows, where nothing forks
    os.register_at_fork(after_in_child=_after_fork)


def arms_in(play: Play, available: ArrayLike | None, names: Mapping[str, int]) -> IntArray | None:
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
    fit = [name for name in names if isinstance(name, str) and name and not _ID.fullmatch(name)]
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
