"""Pulls of the hard-threshold rule without noise and without rounding.

In the long run the rule keeps the indices of all arms level: if the common level is v,
arm k has been pulled until its index

    mu_k + A_k 1(N_k < tau_k n) - B_k 1(N_k >= c_k n) + sqrt(c log n / N_k)

came down to v.  The index drops by A_k where N_k = tau_k n, so for v in the gap the arm
sits on its fairness level, and by B_k at its ceiling, where it has one.  So N_k(v) is the largest
of

    min{c log n/(v - mu_k - A_k)^2, tau_k n},  min{c log n/(v - mu_k)^2, c_k n},
    c log n/(v - mu_k + B_k)^2

with infinity where v is not above the mean and its bonus, and 0 for a hard cap.  N_k(v) is
continuous and falls in v, and at the price lambda sum N_k(v) is at least n (Lemma V of
research/docs/stairs.md), so sum N_k(v) = n has a root from there on.  The level itself falls as n
grows (the counts at a fixed level above the price grow by at most one a round), hence no arm has
more pulls than the balance allows and the balance is indeed reached.  The paper's Theorem 4.2 has
the same shape with 8 in the place of c = 2.  Without penalties this is the deterministic fixed
point of UCB's pulls of Khamaru and Zhang 2024 and of Han, Khamaru and Zhang 2024.

Rewards with standard deviation s shift the expected pulls by about
-s^2/g^2 + 1.2 s/g + O(1), with g = sqrt(c log n/N_k): by Wald's identity for the walk
N g - sqrt(c N log n), whose slope at the balance is g/2.  That is a share s^2/(c log n) of
N_k, 0.1 % for s = 1/8 and 1 % for s = 1/2 at n = 10^5.  An arm within noise of the corner
between its fairness level and the free branches is rounded off by more.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import elementwise, root_scalar

from penalized_bandits.bandit.instances import Instance, check_floors_alone
from penalized_bandits.bandit.regret import penalized_regret
from penalized_bandits.common.errors import BanditError, number_in
from penalized_bandits.common.typing import FloatArray, IntArray
from penalized_bandits.theory.exploration import PAPER, Exploration
from penalized_bandits.theory.inputs import check_single, free_share, instance_of, one_horizon

BALANCED = 1e-3
"""Share of T by which rounding may make predicted pulls miss it: less than noise does."""
LONGEST_FLUID = 1e15
"""Predictions are for horizons up to this: of larger ones a pull is rounded off."""
HALVINGS = 60
"""Steps of a bisection: as many as a double has digits, and some."""


@dataclass(frozen=True, eq=False)
class _Balance:
    """Bandits (R, K) whose indices are to be level after T rounds."""

    gaps: FloatArray
    """Distances from mean to price."""
    price: FloatArray
    """lambda, shape (R, 1); mu* for a soft threshold."""
    fairness: FloatArray
    penalties: FloatArray
    rounds: float
    rule: Exploration
    soft: bool = False
    ceilings: tuple[FloatArray, FloatArray] | None = None
    """c and B, shape (K,), where a ceiling is charged."""

    def pulls(self, above: FloatArray, rows: IntArray) -> FloatArray:
        """N_k where all indices are the price + ``above`` (n,), of some rows; from 1 to T."""
        gap, rate = self.gaps[rows], self.penalties[rows]
        level, means, t = self.fairness[rows] * self.rounds, self.price[rows] - gap, self.rounds
        over = above[:, None] + gap
        free = self.rule.pulls(over, means, t)
        if self.ceilings is not None:
            shares, costs = self.ceilings
            beyond = self.rule.pulls(over + costs, means, t)
            free = np.maximum(np.minimum(free, shares * t), beyond)
        if self.soft:
            urged = self._softly_urged(over, means, rate, level)
        else:
            urged = np.minimum(self.rule.pulls(over - rate, means, t), level)
        return np.clip(np.maximum(urged, free), 1.0, t)

    def _softly_urged(
        self, over: FloatArray, means: FloatArray, rates: FloatArray, level: FloatArray
    ) -> FloatArray:
        """Largest N <= tau_k T whose index with the bonus A (1 - N/(tau_k T)) is at the level."""
        low, high = np.zeros_like(over), level.copy()
        for _ in range(HALVINGS):
            middle = (low + high) / 2
            share = np.divide(middle, level, out=np.ones_like(middle), where=level > 0)
            needed = self.rule.pulls(over - rates * (1 - share), means, self.rounds)
            low, high = np.where(needed >= middle, (middle, high), (low, middle))
        return low

    def level(self) -> FloatArray:
        """Return the common index less the price: the root of sum N_k = T, shape (R,)."""
        rows = np.arange(len(self.gaps))

        def missed(above: FloatArray, rows: IntArray) -> FloatArray:
            return self.pulls(above, rows).sum(axis=1) - self.rounds

        # At the price itself there are T pulls or more; at the upper end no arm has more than T/K.
        width = self.rule.width(self.rounds / self.gaps.shape[1], self.rounds) * (1 + 1e-9)
        high = self.penalties.max(axis=1) + np.maximum(-self.gaps.min(axis=1), 0.0) + width
        low = np.zeros_like(high)
        tolerances = {"xatol": 1e-300, "xrtol": 1e-14}
        root = elementwise.find_root(missed, (low, high), args=(rows,), tolerances=tolerances)
        # Where steps down to the price fill 1, the pulls at it are T but for rounding.
        return np.where(missed(low, rows) > 0, root.x, low)


def _rounds(horizon: float, bandit: Instance) -> float:
    """Return T; raise BanditError if it is below K, or above `LONGEST_FLUID`."""
    right = f"at most {LONGEST_FLUID:g}: predicted pulls have too few digits above"
    return number_in("horizon", one_horizon(horizon, bandit.n_arms), 0, LONGEST_FLUID, right)


def predicted_pulls(
    bandit: Instance, horizon: float, *, rule: Exploration = PAPER, soft: bool = False
) -> FloatArray:
    """Fluid prediction of N_k(T), shape (K,) or (R, K), pulls.

    Parameters
    ----------
    bandit
        One bandit, or R of them: means and penalty rates (K,) or (R, K).  The reward family does
        not matter.
    horizon
        T, at least K.
    rule
        How the policy explores; by default with the radius of eq. (11).
    soft
        Whether the bonus is A (1 - N/(tau_k n))_+ in the place of A 1(N < tau_k n).

    Returns
    -------
    FloatArray
        Not rounded; the sum is T.

    Raises
    ------
    BanditError
        If the parameters make no sense, or are so large that the balance drowns in rounding, or a
        soft threshold is to serve ceilings.
    """
    if soft:
        check_floors_alone(bandit)
    t = _rounds(horizon, bandit)
    shape = np.broadcast_shapes(bandit.means.shape, bandit.penalties.shape)
    mu, rates = (np.atleast_2d(np.broadcast_to(x, shape)) for x in (bandit.means, bandit.penalties))
    fairness = np.broadcast_to(bandit.fairness, mu.shape)
    price = (mu.max(axis=1) if soft else np.broadcast_to(bandit.price, len(mu)))[:, None]
    ceilings = (bandit.ceilings, bandit.excess_penalties) if bandit.charges_excess else None
    balance = _Balance(price - mu, price, fairness, rates, t, rule, soft, ceilings)
    pulls = balance.pulls(balance.level(), np.arange(len(mu)))
    if not (np.abs(pulls.sum(axis=1) - t) <= BALANCED * t).all():
        largest = max(balance.gaps.max(), rates.max())
        raise BanditError(f"gaps, rates up to {largest:g} leave radii at T = {t:g} too few digits")
    return pulls.reshape(shape)


def break_points(means: ArrayLike, fairness: ArrayLike, horizon: float) -> FloatArray:
    """Penalty rates A at which each arm leaves its fairness level, where all arms share A.

    Below it the fluid prediction has N_k < tau_k T, from it on N_k >= tau_k T.  It solves
    v(A) = mu_k + A + sqrt(2 log T/(tau_k T)), v(A) being the common index: v(A) - A falls in A.
    For large T it is Delta_k, as the paper says; before, the arm's radius at its level outweighs
    the best arm's, so that it is less: Delta_k + sqrt(2 log T/N_1) - sqrt(2 log T/(tau_k T)).

    Parameters
    ----------
    means, fairness
        mu and tau, shape (K,) (one number will do for tau).
    horizon
        T, at least K.

    Returns
    -------
    FloatArray
        A in the unit of the means, shape (K,); 0 if the arm is at its level without any penalty,
        infinite if (1 - sum tau) T is less than the first pulls of other arms need and the
        arm is short at any rate.
    """
    bandit = instance_of(means, fairness)
    check_single(bandit)
    rounds = _rounds(horizon, bandit)
    return np.array([_break_point(bandit, arm, rounds) for arm in range(bandit.n_arms)])


def _break_point(bandit: Instance, arm: int, t: float) -> float:
    gap, tau = float(bandit.gaps[arm]), float(bandit.fairness[arm])
    if tau * t <= 1:
        return 0.0
    radius = PAPER.width(tau * t, t)
    best, gaps, fairness = bandit.means.max(), bandit.gaps[None], bandit.fairness[None]
    # Where levels leave no pull, their index is an interval: a share of 1e-9 picks its lower end.
    fairness = fairness if free_share(bandit.fairness) else fairness * (1 - 1e-9)

    def excess(penalty: float) -> float:
        shared = np.full_like(gaps, penalty)
        balance = _Balance(gaps, np.full((1, 1), best), fairness, shared, t, PAPER)
        return float(balance.level()[0]) - penalty + gap - radius

    if excess(0.0) <= 0:
        return 0.0
    # With rates beyond every index all arms are at their level, if T has room for that
    # beside the first pulls of the others.
    beyond = float(bandit.gaps.max() + PAPER.width(1.0, t)) + 1.0
    if excess(beyond) > 0:
        return float("inf")
    return float(root_scalar(excess, bracket=(0.0, beyond), method="brentq").root)


def predicted_regret(
    bandit: Instance, horizon: float, *, rule: Exploration = PAPER, soft: bool = False
) -> FloatArray:
    """Return the penalized regret (10) of the predicted pulls, of one bandit or (R,)."""
    return penalized_regret(predicted_pulls(bandit, horizon, rule=rule, soft=soft), bandit)
