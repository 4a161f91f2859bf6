"""The arms of a live player: which are there, their fractions and what they are owed."""

import numpy as np
from numpy.typing import ArrayLike

from penalized_bandits.bandit.checks import numbers
from penalized_bandits.common.errors import MOST_ROUNDS, BanditError, whole
from penalized_bandits.common.typing import FloatArray, IntArray
from penalized_bandits.live._checks import arms_in, fractions, named
from penalized_bandits.live._rewards import Rewards


class Catalogue(Rewards):
    """The part of a player that is about its arms as a whole."""

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
                named([*self._numbers, name], arm + 1)
            self._do("add_arm", {"fairness": tau, "penalty": float(rates[-1]), "name": name})
        return arm

    def _add_arm(self, fairness: list[float], penalty: float, name: str | None) -> None:
        if name is not None:
            self._numbers[name] = len(self._play.arms)
        self._tally.add_arm()
        self._play.add_arm(penalty)
        self._play.set_fairness(fairness)
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
        """Choices that the floor of each arm lacks by its ``accrual``, >= 0, shape (K,)."""
        with self._lock:
            return np.array([max(float(self._play.owed(k)), 0.0) for k in self._play.arms])
