"""The arms of a live player: which are there, their pulls, fractions, rewards and intervals."""

import os
import threading
import time
from collections.abc import Sequence
from copy import deepcopy
from typing import Any, Literal
from weakref import WeakSet

import numpy as np
from numpy.typing import ArrayLike

from penalized_bandits.bandit.checks import numbers
from penalized_bandits.common.errors import MOST_ROUNDS, BanditError, at_least_0, whole
from penalized_bandits.common.numbers import CONFIDENCE
from penalized_bandits.common.typing import FloatArray
from penalized_bandits.engine.play import Play
from penalized_bandits.live._checks import arms_in, fractions, named, reward_of
from penalized_bandits.live.choice import Choices
from penalized_bandits.policies.empirical_kl_ucb import count
from penalized_bandits.statistics.anytime import Tally, error_shares


class Catalogue:
    """The part of a player that is about its arms as a whole."""

    def __init__(self, play: Play, names: Sequence[str] | None, given: dict[str, Any]) -> None:
        self._play, self._lock, self._given = play, threading.RLock(), given
        self._choices = Choices(play, given["remembered"])
        self._journal: Any = None
        self._tally = Tally(len(play.arms))
        self._numbers = {} if names is None else named(names, len(play.arms))
        _ALL.add(self)

    def _do(self, event: str, facts: dict[str, Any], **unwritten: Any) -> Any:
        """Carry out an event whose facts are checked; a journal has them before."""
        act = getattr(self, f"_{event}")
        journal, done = self._journal, lambda: act(**facts, **unwritten)
        return journal._carry_out(event, facts, done) if journal else done()

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
        """Number of choices of each arm whose rewards are waited for, shape (K,)."""
        with self._lock:
            return [self._due(k) for k in self._play.arms]

    def _due(self, arm: int) -> int:
        play = self._play
        rewards = play.observed[arm] + len(play.waiting[arm]) - self._tally.history[arm]
        return int(play.pulls[arm] - rewards - self._tally.lost[arm])

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
            arms = list(self._play.twin().batch(n, arms_in(self._play, available, self._numbers)))
            return np.bincount(arms, minlength=len(self._play.arms)) / n

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
                named([*self._numbers, name], arm + 1)
            self._do("add_arm", {"fairness": tau, "penalty": float(rates[-1]), "name": name})
        return arm

    def _add_arm(self, fairness: list[float], penalty: float, name: str | None) -> None:
        if name is not None:
            self._numbers[name] = len(self._play.arms)
        self._tally.add_arm()
        self._play.add_arm(penalty)
        self._play.set_fairness(fairness)
        self._play.levels[-1] = -self._play.policy.queues_since * fairness[-1]
        self._choices.add_arm()

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
            tau = fractions(fairness, rest, np.array(play.penalties))
            self._do("retire_arm", {"fairness": tau, "rest": rest})

    def _retire_arm(self, fairness: list[float], rest: list[int]) -> None:
        self._play.set_fairness(fairness)
        self._play.in_service = rest

    @property
    def deficits(self) -> FloatArray:
        """Choices that the floor of each arm in service lacks by its ``accrual``, shape (K,)."""
        with self._lock:
            owed, there = self._play.owed, {*self._play.in_service}
            return np.array([max(float(owed(k)), 0.0) * (k in there) for k in self._play.arms])

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
            if play.policy.shares_memory or play.policy.commits:
                raise BanditError(
                    f"policy {play.policy.id} learns from its own choices alone: others' rewards "
                    "have no place in it"
                )
            taken = [reward_of(play, f"rewards[{i}]", value) for i, value in enumerate(values)]
            self._do("observe", {"arm": k, "rewards": taken})

    def _observe(self, arm: int, rewards: list[float]) -> None:
        for value in rewards:
            self._learn(arm, value)
            self._settle(arm, self._choices.issued, value)
        self._tally.history[arm] += len(rewards)

    def _learn(self, arm: int, reward: float) -> None:
        self._play.rewarded(arm, reward)
        self._tally.add(arm, reward)
        self._choices.quiet[arm] = 0

    def _close(self, arm: int, number: int | None, reward: float) -> None:
        if number is not None:
            self._choices.open[arm].pop(number, None)
        self._settle(arm, number, reward)

    def _settle(self, arm: int, number: int | None, reward: float) -> None:
        for value in () if number is None else self._choices.settled(arm, number, reward):
            count(self._tally.complete, arm, value)

    def expire(self, older_than: float, as_reward: float | None = None) -> list[int]:
        """Give up choices without a reward for so many seconds; return how many, shape (K,).

        They wait for no reward any more; nor do those whose ids are not ``remembered``.  A number
        is their reward, such as 0 for a visitor who has not bought within a day: means and
        intervals are then of rewards so defined.  By default they have none: means, and intervals,
        are right if whether one comes does not depend on what it is; else intervals with
        ``late="any"``, which missing rewards keep from shrinking to a point.

        Raises
        ------
        BanditError
            If the age is not finite and >= 0, or the reward is none, as for :meth:`update`.

        Examples
        --------
        >>> player = Player("ucb1", fairness=[0.0, 0.0], penalties=0.0)
        >>> choices = player.choose(4)
        >>> player.expire(older_than=86_400.0), player.expire(older_than=0.0, as_reward=0.0)
        ([0, 0], [2, 2])
        """
        age = at_least_0("older_than", older_than)
        with self._lock:
            if as_reward is not None:
                as_reward = reward_of(self._play, "as_reward", as_reward)
            return self._do(
                "expire", {"before": round(time.time() - age, 3), "as_reward": as_reward}
            )

    def _expire(self, before: float, as_reward: float | None) -> list[int]:
        choices, given_up = self._choices, list[int]()
        for k, opened in enumerate(choices.open):
            old: list[int | None] = [None] * (self._due(k) - len(opened))
            old += [number for number, at in opened.items() if at <= before]
            for number in old:
                if as_reward is not None:
                    self._learn(k, as_reward)
                    self._close(k, number, as_reward)
                choices.give_up(k, number, as_reward is None)
            self._tally.lost[k] += len(old) if as_reward is None else 0
            given_up.append(len(old))
        return given_up

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
            those at the start.
            ``math.inf`` allows any, with longer intervals for later ones.
        best_at
            For rewards that are sigma-sub-Gaussian instead, sigma the player's ``noise``, which
            must fit them (half the range of bounded ones): at this number of rewards of an arm its
            interval is as short as can be.
        late
            ``"independent"``: rewards of an arm are independent, of one law, and when they come, or
            whether, does not depend on what they are.  ``"any"``: it may; missing rewards are 0 for
            the lower ends and 1 for the upper ones, no further out than those of the arm's longest
            complete prefix, which a reward without its choice's id ends while others wait.

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
            missing = np.add(self.outstanding, tally.lost) * 1.0 if late == "any" else None
            tally = deepcopy(tally)
        # Others choose meanwhile: many arms take seconds.
        alpha = error_shares(confidence, n_arms, arms)
        return tally.intervals(alpha, self._given["noise"], best_at, missing)

    def best(self, confidence: float = CONFIDENCE, **options: Any) -> list[int]:
        """Return the arms in service that may still be best, by :meth:`intervals` and its options.

        With that confidence the best arms are always among them: a single one is the best.
        """
        low, high = self.intervals(confidence, **options).T
        with self._lock:
            service = np.array([k for k in self._play.in_service if k < len(low)])
        return service[high[service] >= low[service].max()].tolist()


_ALL: WeakSet[Catalogue] = WeakSet()


def _after_fork() -> None:
    """Give the child's players a lock that no thread holds and ids of their own, and no journal."""
    for player in _ALL:
        player._lock = threading.RLock()
        player._choices.renew()
        if player._journal:
            player._journal._leave()


if hasattr(os, "register_at_fork"):  # not on Windows, where nothing forks
    os.register_at_fork(after_in_child=_after_fork)
