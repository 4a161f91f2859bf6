"""Bandit instances: what the paper calls a setting's parameters, checked."""

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from penalized_bandits.bandit.by_value import ByValue
from penalized_bandits.bandit.checks import ROUNDED_SUM, in_order, numbers
from penalized_bandits.bandit.rewards import RewardCode, RewardFamily
from penalized_bandits.common.errors import BanditError
from penalized_bandits.common.typing import BoolArray, FloatArray

TIED = 8 * np.finfo(np.float64).eps
"""Differences up to this, in units of the largest mean or rate, are those of rounding."""


def _differences(values: FloatArray, scale: FloatArray) -> FloatArray:
    """Return values, read-only, with 0 for those that are rounding alone in units of scale."""
    values[np.abs(values) <= TIED * scale] = 0.0
    values.flags.writeable = False
    return values


def _vector(
    name: str, values: ArrayLike | None, n_arms: int, n_replicates: int | None, *, may_vary: bool
) -> FloatArray:
    """Return ``values`` >= 0 in shape (K,), or (R, K) where it may vary by replicate; read-only."""
    array = numbers(name, values, least=0.0)
    array = numbers(name, np.full(n_arms, array)) if array.ndim == 0 else array
    by_replicate = may_vary and array.ndim == 2 and array.shape[0] > 0
    rows_agree = not by_replicate or n_replicates in (None, array.shape[0])
    if not (array.ndim == 1 or by_replicate) or array.shape[-1] != n_arms or not rows_agree:
        allowed = f"({n_arms},)"
        if may_vary:
            allowed += f" or ({'R' if n_replicates is None else n_replicates}, {n_arms})"
        raise BanditError(
            f"{name} has shape {array.shape}, but there are {n_arms} arms: it must be {allowed}"
        )
    return array


@dataclass(frozen=True, eq=False, repr=False)
class Instance(ByValue):
    """A stochastic bandit with penalties (section 2 of the paper); its arrays are read-only.

    Parameters
    ----------
    means
        Expected rewards mu, shape (K,); or (R, K), one row for each replicate; by default those
        of the rewards, where these know them.
    fairness
        Fairness fractions tau, shape (K,) or one number for all arms; each >= 0,
        their sum at most 1.  The paper has it below 1, as have theorems with log T; bounds free
        of the gaps (:mod:`penalized_bandits.theory.gap_free`) allow 1.
    penalties
        Penalty rates A, shape (K,), (R, K) or one number for all arms; each >= 0.
    rewards
        Reward family around the means.  If it names its arms, labels of pandas are these names.

    Raises
    ------
    BanditError
        If lengths differ, a value is no finite number or above 10^12 in size, a fraction or rate
        is negative, the fractions sum to more than 1 (up to rounding), or the rewards are no
        family or one that does not admit the means, or no means are known.

    Examples
    --------
    >>> from penalized_bandits import Bernoulli
    >>> Instance([0.9, 0.5], fairness=0.25, penalties=[0.0, 0.5], rewards=Bernoulli()).critical
    array([False,  True])
    """

    means: FloatArray
    fairness: FloatArray
    penalties: FloatArray
    rewards: RewardFamily

    def __init__(
        self,
        means: ArrayLike | None = None,
        fairness: ArrayLike | None = None,
        penalties: ArrayLike | None = None,
        rewards: RewardFamily | None = None,
    ) -> None:
        if not isinstance(rewards, RewardFamily):
            raise BanditError(
                f"rewards is {rewards!r:.80}: it must be a reward family, such as "
                "Gaussian(sd=0.2) or Bernoulli()"
            )
        means = getattr(rewards, "means", None) if means is None else means
        if means is None:
            raise BanditError(f"means are missing, and {rewards!r:.80} does not know them")
        arms = getattr(rewards, "arms", None)
        mu = numbers("means", in_order("means", means, arms))
        if mu.ndim not in (1, 2) or mu.shape[-1] == 0 or mu.shape[0] == 0:
            raise BanditError(f"means must have shape (K,) or (R, K), not {mu.shape}")
        n_arms = mu.shape[-1]
        n_replicates = mu.shape[0] if mu.ndim == 2 else None
        fairness = in_order("fairness", fairness, arms)
        tau = _vector("fairness", fairness, n_arms, None, may_vary=False)
        penalties = in_order("penalties", penalties, arms)
        rates = _vector("penalties", penalties, n_arms, n_replicates, may_vary=True)
        # Rounded once: whether ten fractions of 0.1 are too many hangs on no order of adding.
        total = math.fsum(tau.tolist())
        if total > 1 + ROUNDED_SUM:
            raise BanditError(f"fairness fractions sum to {total:.13g}: the sum must be at most 1")
        # The way to set fields of a frozen class.
        self.__dict__.update(means=mu, fairness=tau, penalties=rates, rewards=rewards)
        _ = self.reward_code

    @property
    def n_arms(self) -> int:
        """Number of arms K."""
        return self.means.shape[-1]

    @property
    def n_replicates(self) -> int | None:
        """Number of replicates that means or penalties are given for, if they vary."""
        return next((a.shape[0] for a in (self.means, self.penalties) if a.ndim == 2), None)

    @cached_property
    def reward_code(self) -> RewardCode:
        """The reward family in the form that compiled code takes."""
        return self.rewards.code(self.means)

    @cached_property
    def gaps(self) -> FloatArray:
        """Suboptimality gaps Delta_k = mu* - mu_k, the shape of ``means``; 0 as for margins."""
        return _differences(self.means.max(axis=-1, keepdims=True) - self.means, self._sizes)

    @cached_property
    def margins(self) -> FloatArray:
        """Margins A_k - Delta_k, (K,) or (R, K): 0 where they are rounding alone."""
        return _differences(self.penalties - self.gaps, np.maximum(self._sizes, self.penalties))

    @property
    def _sizes(self) -> FloatArray:
        """The scale of rounding of gaps: the larger of mu* and mu_k in size."""
        return np.maximum(np.abs(self.means.max(axis=-1, keepdims=True)), np.abs(self.means))

    @property
    def optimal(self) -> BoolArray:
        """Arms of A_opt: mu_k = mu*."""
        return self.gaps == 0

    @property
    def critical(self) -> BoolArray:
        """Arms of A_cr: A_k >= Delta_k > 0."""
        return (self.gaps > 0) & (self.margins >= 0)

    @property
    def non_critical(self) -> BoolArray:
        """Arms of A_non-cr: Delta_k > A_k."""
        return self.margins < 0

    @property
    def optimal_or_critical(self) -> BoolArray:
        """All other arms: Delta_k <= A_k."""
        return ~self.non_critical


def check_instance(instance: Instance) -> None:
    """Raise BanditError if an instance is none."""
    if not isinstance(instance, Instance):
        raise BanditError(f"instance is {instance!r:.80}: it must be an Instance")
