"""Bandit instances: what the paper calls a setting's parameters, checked."""

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from penalized_bandits.bandit.by_value import ByValue
from penalized_bandits.bandit.checks import ROUNDED_SUM, free_share, in_order, numbers
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
    name: str, values: Any, arms: Any, n_arms: int, rows: int | None = 0, *, inf: bool = False
) -> FloatArray:
    """Return ``values`` >= 0 in shape (K,), or with R = ``rows`` (None: any) (R, K); read-only."""
    array = numbers(name, in_order(name, values, arms), least=0.0, inf=inf)
    if array.ndim == 0:
        array = numbers(name, np.full(n_arms, array), inf=inf)
    varies = array.ndim == 2 and len(array) > 0 and rows in (None, len(array))
    if not (array.ndim == 1 or varies) or array.shape[-1] != n_arms:
        shapes = f"it must be ({n_arms},)" + ("" if rows == 0 else f" or ({rows or 'R'}, {n_arms})")
        raise BanditError(f"{name} has shape {array.shape}, but there are {n_arms} arms: {shapes}")
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
        their sum at most 1.  The paper has it below 1.
    penalties
        Penalty rates A, shape (K,), (R, K) or one number for all arms; each >= 0.
    rewards
        Reward family around the means.  If it names its arms, labels of pandas are these names.
    ceilings
        Largest shares c of the rounds, shape (K,) or one number; each > 0, at least the arm's
        fairness fraction and at most 1, which is no ceiling.  Equal to the fraction, it makes a
        quota.
    excess_penalties
        Rates B, shape (K,) or one number, each >= 0: what a pull above the ceiling costs.
        Infinite for a hard cap.

    Raises
    ------
    BanditError
        If lengths differ, a value is no finite number or above 10^12 in size, a fraction or rate
        is negative, the fractions sum to more than 1 (up to rounding), a ceiling is out of range,
        hard caps of all arms leave rounds without an arm, the rewards are no family or one that
        does not admit the means, or no means are known.

    Examples
    --------
    >>> from penalized_bandits import Bernoulli
    >>> Instance([0.9, 0.5], fairness=0.25, penalties=[0.0, 0.5], rewards=Bernoulli()).critical
    array([False,  True])
    >>> capped = Instance([0.9, 0.5], 0.25, 0.5, Bernoulli(), ceilings=[0.4, 1.0],
    ...     excess_penalties=float("inf"))
    >>> float(capped.price), capped.optimal_split.round(2).tolist()
    (0.5, [[0.4, 0.4], [0.6, 0.6]])
    """

    means: FloatArray
    fairness: FloatArray
    penalties: FloatArray
    rewards: RewardFamily
    ceilings: FloatArray
    excess_penalties: FloatArray

    def __init__(
        self,
        means: ArrayLike | None = None,
        fairness: ArrayLike | None = None,
        penalties: ArrayLike | None = None,
        rewards: RewardFamily | None = None,
        ceilings: ArrayLike = 1.0,
        excess_penalties: ArrayLike = 0.0,
    ) -> None:
        if not isinstance(rewards, RewardFamily):
            right = "a reward family, such as Gaussian(sd=0.2) or Bernoulli()"
            raise BanditError(f"rewards is {rewards!r:.80}: it must be {right}")
        means = getattr(rewards, "means", None) if means is None else means
        if means is None:
            raise BanditError(f"means are missing, and {rewards!r:.80} does not know them")
        arms = getattr(rewards, "arms", None)
        mu = numbers("means", in_order("means", means, arms))
        if mu.ndim not in (1, 2) or mu.shape[-1] == 0 or mu.shape[0] == 0:
            raise BanditError(f"means must have shape (K,) or (R, K), not {mu.shape}")
        n_arms = mu.shape[-1]
        n_replicates = mu.shape[0] if mu.ndim == 2 else None
        tau = _vector("fairness", fairness, arms, n_arms)
        rates = _vector("penalties", penalties, arms, n_arms, n_replicates)
        # Rounded once: whether ten fractions of 0.1 are too many hangs on no order of adding.
        total = math.fsum(tau.tolist())
        if total > 1 + ROUNDED_SUM:
            raise BanditError(f"fairness fractions sum to {total:.13g}: the sum must be at most 1")
        caps = _vector("ceilings", ceilings, arms, n_arms)
        costs = _vector("excess_penalties", excess_penalties, arms, n_arms, inf=True)
        _check_ceilings(caps, tau, costs)
        # The way to set fields of a frozen class.
        self.__dict__.update(means=mu, fairness=tau, penalties=rates, rewards=rewards)
        self.__dict__.update(ceilings=caps, excess_penalties=costs)
        _ = self.reward_code

    def _given(self) -> dict[str, Any]:
        """Return the parameters, without ceilings where no arm has one."""
        given = super()._given()
        if (self.ceilings == 1).all():
            del given["ceilings"], given["excess_penalties"]
        return given

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

    @property
    def charges_excess(self) -> bool:
        """Whether some arm has a ceiling below 1, and pulls above it a cost."""
        return bool(((self.ceilings < 1) & (self.excess_penalties > 0)).any())

    @cached_property
    def price(self) -> FloatArray:
        """Price lambda, () or (R,): the value of the last pulls of an optimal split, in rewards.

        It is the largest v such that steps worth v or more fill 1: mu*, but for ceilings that are
        charged and fractions that sum to 1 (research/docs/stairs.md).
        """
        if not self.charges_excess and free_share(self.fairness) > 0:
            return self.means.max(axis=-1)
        rates, means = np.broadcast_arrays(self.penalties, self.means)
        values = np.concatenate([means + rates, means, means - self.excess_penalties], axis=-1)
        order = np.argsort(-values, axis=-1, kind="stable")
        filled = np.cumsum(self.step_widths.T.ravel()[order], axis=-1)
        values = np.take_along_axis(values, order, axis=-1)
        return np.where(filled >= 1 - ROUNDED_SUM, values, -np.inf).max(axis=-1)

    @cached_property
    def gaps(self) -> FloatArray:
        """Gaps Delta_k from mean to price; 0 as for margins, negative for a mean above the price.

        They are mu* - mu_k, the paper's, where the price is mu*.  Shape of ``means``; (R, K) where
        the price varies.
        """
        return self._gaps_to(self.price)

    @cached_property
    def gaps_to_best(self) -> FloatArray:
        """Suboptimality gaps mu* - mu_k of the classical regret, the shape of ``means``."""
        return self._gaps_to(self.means.max(axis=-1))

    def _gaps_to(self, value: FloatArray) -> FloatArray:
        value = value[..., None]
        return _differences(value - self.means, np.maximum(np.abs(value), np.abs(self.means)))

    @cached_property
    def margins(self) -> FloatArray:
        """Margins A_k - Delta_k, (K,) or (R, K): 0 where they are rounding alone."""
        return _differences(self.penalties - self.gaps, np.maximum(self._sizes, self.penalties))

    @property
    def step_widths(self) -> FloatArray:
        """Widths of the steps of the arms' values, (K, 3), shares of the rounds.

        At share x a pull of arm k is worth mu_k + A_k for x < tau_k, mu_k - B_k for x >= c_k, and
        mu_k between: three steps.
        """
        ends = np.stack([self.fairness, self.ceilings, np.ones(self.n_arms)], axis=-1)
        return np.diff(ends, axis=-1, prepend=0.0)

    @property
    def step_values(self) -> FloatArray:
        """Values of the steps less the price, (K, 3) or (R, K, 3); -inf above a hard cap."""
        costs = self.excess_penalties
        sizes = np.maximum(self._sizes, np.where(np.isinf(costs), 0.0, costs))
        steps = self.margins, -self.gaps, _differences(-self.gaps - costs, sizes)
        return np.stack(np.broadcast_arrays(*steps), axis=-1)

    @property
    def _sizes(self) -> FloatArray:
        """The scale of rounding of gaps: the larger of price and mu_k in size."""
        return np.maximum(np.abs(self.price[..., None]), np.abs(self.means))

    @property
    def optimal_split(self) -> FloatArray:
        """Least and largest share of each arm in an optimal split, (K, 2) or (R, K, 2), eq. (7)."""
        values, widths = self.step_values, self.step_widths
        above, worth = ((inside * widths).sum(axis=-1) for inside in (values > 0, values >= 0))
        # What is left of the rounds where all others have their most, and their least.
        least = np.maximum(above, 1 - (worth.sum(axis=-1, keepdims=True) - worth))
        most = np.minimum(worth, 1 - (above.sum(axis=-1, keepdims=True) - above))
        return np.stack([least, most], axis=-1)

    @property
    def optimal_loss_rate(self) -> FloatArray:
        """L*(T)/T of eq. (9), () or (R,): what a prophet loses in a round, in units of reward."""
        if not self.charges_excess:
            return (np.minimum(self.gaps_to_best, self.penalties) * self.fairness).sum(axis=-1)
        # Shares are worth the price, and steps above it more; all floors are owed their rates.
        gained = (np.maximum(self.step_values, 0.0) * self.step_widths).sum(axis=(-2, -1))
        owed = (self.penalties * self.fairness).sum(axis=-1)
        return self.means.max(axis=-1) - self.price + owed - gained

    @property
    def optimal(self) -> BoolArray:
        """Arms of A_opt: mu_k = mu*, or with ceilings a mean that is at least the price."""
        return self.gaps <= 0

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


def _check_ceilings(ceilings: FloatArray, fairness: FloatArray, costs: FloatArray) -> None:
    """Raise BanditError if a ceiling is out of range, or hard caps leave rounds without an arm."""
    for k in np.flatnonzero((ceilings <= 0) | (ceilings > 1) | (ceilings < fairness)):
        right = f"above 0, at least the fairness fraction {fairness[k]:g} and at most 1"
        raise BanditError(f"ceilings[{k}] is {ceilings[k]:g}: it must be {right}")
    total = math.fsum(np.where(np.isinf(costs), ceilings, 1.0).tolist())
    if total < 1 - ROUNDED_SUM:
        raise BanditError(
            f"ceilings are hard caps (infinite excess_penalties) that sum to {total:.13g}: some "
            "rounds would have no arm; the sum must be at least 1, or a rate finite"
        )


def check_instance(instance: Instance) -> None:
    """Raise BanditError if an instance is none."""
    if not isinstance(instance, Instance):
        raise BanditError(f"instance is {instance!r:.80}: it must be an Instance")


def check_floors_alone(instance: Instance, what: str = "this result", other: str = "") -> None:
    """Raise BanditError if ceilings are charged, of which ``what`` knows nothing."""
    if instance.charges_excess:
        text = f"the instance has ceilings, but {what} is for floors alone"
        raise BanditError(f"{text}: leave them out{other}")
