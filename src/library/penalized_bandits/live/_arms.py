"""The arms of a live player: which are there, their pulls, fractions, rewards and intervals."""

from copy import deepcopy
from datetime import timedelta
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from penalized_bandits.bandit.checks import numbers
from penalized_bandits.common.errors import MOST_ROUNDS, BanditError, at_least_0, one_of, whole
from penalized_bandits.common.numbers import CONFIDENCE
from penalized_bandits.common.typing import FloatArray
from penalized_bandits.engine._scores import CEILING, FAIRNESS
from penalized_bandits.live._checks import arms_in, fractions, listed, named, number_of, reward_of
from penalized_bandits.live._events import Events, alone
from penalized_bandits.live.choice import now
from penalized_bandits.policies import Policy
from penalized_bandits.statistics.anytime import error_shares


class Catalogue(Events):
    """The part of a player that is about its arms as a whole."""

    @property
    def policy(self) -> Policy:
        """The policy at play."""
        return self._play.policy

    @property
    @alone
    def names(self) -> list[str]:
        """Names of the arms, shape (K,); empty if they have none."""
        return [*self._numbers]

    @property
    @alone
    def fairness(self) -> FloatArray:
        """Fairness fractions of now, shape (K,), 0 for retired arms."""
        return self._play.stats[FAIRNESS].copy()

    @property
    @alone
    def penalties(self) -> FloatArray:
        """Penalty rates, shape (K,), in the unit of the rewards."""
        return self._play.penalties.copy()

    @property
    @alone
    def ceilings(self) -> FloatArray:
        """Ceilings, shape (K,), 1 for arms without one."""
        return self._play.stats[CEILING].copy()

    @property
    @alone
    def excess_penalties(self) -> FloatArray:
        """Rates of choices above the ceilings, shape (K,), infinite for hard caps."""
        return self._play.excess_penalties.copy()

    @property
    @alone
    def rounds(self) -> int:
        """Number of choices so far."""
        return self._play.rounds

    @property
    @alone
    def pulls(self) -> list[int]:
        """Number of choices of each arm, shape (K,)."""
        return self._play.pulls.tolist()

    @property
    @alone
    def outstanding(self) -> list[int]:
        """Number of choices of each arm whose rewards are waited for, shape (K,)."""
        return [self._due(k) for k in range(self._play.n_arms)]

    @alone
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
        arms = list(self._play.twin().batch(n, arms_in(self._play, available, self._numbers)))
        return np.bincount(arms, minlength=self._play.n_arms) / n

    @alone
    def add_arm(
        self,
        fairness: ArrayLike,
        penalty: float,
        name: str | None = None,
        *,
        ceiling: float = 1.0,
        excess_penalty: float = 0.0,
    ) -> int:
        """Add an arm, owed nothing so far, give all fractions anew and return its number.

        Fractions hold from the next choice on: shape (K + 1,), the new arm's last, 0 for retired
        arms; or one number for all in service.  The penalty rate has the unit of the rewards.  What
        other arms learned, and pulls that they are owed, stays.  A policy that needs a reward of
        each arm leaves the new arm out until its first one, but for the arm's floor.  It needs a
        name if the others have one.  Its ceiling is a share of the choices from the next one on;
        those of other arms stay, and no fraction may exceed its arm's.

        Raises
        ------
        BanditError
            If a parameter makes no sense, or the policy knows a fixed set of arms or floors alone.

        Examples
        --------
        >>> player = Player("hard_threshold_ucb", fairness=[0.2, 0.2], penalties=1.0)
        >>> player.add_arm([0.2, 0.2, 0.1], penalty=1.0)
        2
        """
        play, arm = self._play, self._play.n_arms
        play.check_by_arm()
        rate, cap = numbers("penalty", penalty), numbers("ceiling", ceiling)
        new = rate, cap, numbers("excess_penalty", excess_penalty, inf=True)
        tau = fractions(play, fairness, np.append(play.in_service, arm), new)
        if self._numbers or name is not None:
            named([*self._numbers, name], arm + 1)
        return self._do(self._add_arm, tau, rate.item(), name, [value.item() for value in new[1:]])

    @alone
    def retire_arm(self, arm: int | str, fairness: ArrayLike) -> None:
        """Retire an arm, whose number or name is not used again, and give all fractions anew.

        Fractions are of shape (K,), as for :meth:`add_arm`.  Rewards of its choices still count.
        Hard caps of the arms left must sum to at least 1.

        Raises
        ------
        BanditError
            If a parameter makes no sense, the arm is the last one, or the policy knows a fixed set
            of arms alone.
        """
        play = self._play
        play.check_by_arm()
        rest = play.in_service[play.in_service != number_of(play, "arm", arm, self._numbers)]
        if len(rest) == len(play.in_service) or not rest.size:
            raise BanditError(f"arm is {arm}: it must be one of several in service")
        self._do(self._retire_arm, fractions(play, fairness, rest), rest.tolist())

    @property
    @alone
    def deficits(self) -> FloatArray:
        """Choices that the floor of each arm in service lacks by its ``accrual``, shape (K,)."""
        return self._in_service(self._play.owed)

    @property
    @alone
    def over(self) -> FloatArray:
        """Choices of each arm in service above its ceiling, by its ``accrual``, shape (K,)."""
        return self._in_service(self._play.excess(self._play.rounds))

    def _in_service(self, values: FloatArray) -> FloatArray:
        there = np.isin(np.arange(self._play.n_arms), self._play.in_service)
        return np.where(there, np.maximum(values, 0.0), 0.0)

    @property
    @alone
    def counts(self) -> list[int]:
        """Number of rewards of each arm, those of :meth:`observe` too, shape (K,)."""
        return self._tally.counts.tolist()

    @property
    @alone
    def means(self) -> FloatArray:
        """Mean reward of each arm, shape (K,); nan without rewards.

        Means are taken to be constant; those of a policy that forgets are recent (discounted) ones.
        """
        counts, sums = self._weighed()
        return np.divide(sums, counts, np.full(counts.size, np.nan), where=counts > 0)

    @property
    @alone
    def effective_counts(self) -> FloatArray:
        """Weights of each arm's rewards, shape (K,): their number, unless the policy forgets."""
        return self._weighed()[0]

    def _weighed(self) -> tuple[FloatArray, FloatArray]:
        if self._play.policy.forgets:
            return self._play.recent()
        return self._tally.counts.astype(float), np.array(self._tally.totals)

    @alone
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
        values: Any = [rewards] if np.ndim(rewards) == 0 else listed(rewards)
        play, k = self._play, number_of(self._play, "arm", arm, self._numbers)
        if play.policy.shares_memory or play.policy.commits:
            raise BanditError(f"policy {play.policy.id} learns from its own choices alone")
        taken = [reward_of(play, f"rewards[{i}]", value) for i, value in enumerate(values)]
        self._do(self._observe, k, taken)

    @alone
    def expire(self, older_than: float | timedelta, as_reward: float | None = None) -> list[int]:
        """Give up choices without a reward for so long; return how many, shape (K,).

        A number is in seconds, of the computer's running time: setting its clock changes nothing,
        but for choices made before a restart.

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
        if isinstance(older_than, timedelta | np.timedelta64):
            older_than = float(np.timedelta64(older_than) / np.timedelta64(1, "s"))
        age = at_least_0("older_than", older_than)
        if as_reward is not None:
            as_reward = reward_of(self._play, "as_reward", as_reward)
        return self._do(self._expire, round(now() - age, 3), as_reward)

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
        same arguments in all looks, chosen before the first.  Means are taken to be constant; with
        ``best_at`` an interval is right for the average of mu_k over the arm's own choices too.

        Parameters
        ----------
        confidence
            In (0, 1).
        arms
            The largest number of arms that there will ever be, retired ones included; by default
            those at the start.  ``math.inf`` allows any, with longer intervals for later ones.
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
            If a parameter makes no sense, a reward was outside [0, 1] or the policy forgets and
            ``best_at`` is not given, or arms were added and ``arms`` is not given.
        """
        if best_at is None:
            self._check_constant("intervals without best_at")
        # A copy, as others choose meanwhile: many arms take seconds.
        tally, outstanding = self._together(lambda: (deepcopy(self._tally), self.outstanding))
        n_arms = len(outstanding)
        if arms is None and n_arms > tally.start:
            raise BanditError(
                f"arms is None, but {n_arms - tally.start} arms were added: give the largest "
                "number that there will ever be, the same in all looks"
            )
        one_of("late", late, "independent", "any")
        missing = np.add(outstanding, tally.lost) * 1.0 if late == "any" else None
        alpha = error_shares(confidence, n_arms, arms)
        return tally.intervals(alpha, self._given["noise"], best_at, missing)

    def best(self, confidence: float = CONFIDENCE, **options: Any) -> list[int]:
        """Return the arms in service that may still be best, by :meth:`intervals` and its options.

        With that confidence the best arms are always among them: a single one is the best.  Means
        are taken to be constant: BanditError if the policy forgets.
        """
        self._check_constant("best")
        low, high = self.intervals(confidence, **options).T
        service = self._play.in_service
        service = service[service < len(low)]
        return service[high[service] >= low[service].max()].tolist()

    def _check_constant(self, name: str) -> None:
        if self.policy.forgets:
            text = f"policy {self.policy.id} is for means that change, but {name} takes them to be"
            raise BanditError(f"{text} constant: look at means and effective_counts")
