"""Pulls of the hard-threshold rule without noise and without rounding.

In the long run the rule keeps the indices of all arms level: if the common level is v,
arm k has been pulled until its index

    mu_k + A_k 1(N_k < tau_k n) + sqrt(c log n / N_k)

came down to v.  The index drops by A_k where N_k = tau_k n, so for v in the gap the arm
sits on its fairness level, and

    N_k(v) = max{ min{c log n/(v - mu_k - A_k)^2, tau_k n}, c log n/(v - mu_k)^2 }

with infinity where v is not above the mean.  N_k(v) is continuous and falls in v, so
sum N_k(v) = n has one root.  The level itself falls as n grows (the counts at a fixed level
grow by less than one a round, as sum tau < 1), hence no arm has more pulls than the balance
allows and the balance is indeed reached.  The paper's Theorem 4.2 has the same shape with
8 in the place of c = 2.

Rewards with standard deviation s shift the expected pulls by about
-s^2/g^2 + 1.2 s/g + O(1), with g = sqrt(c log n/N_k): by Wald's identity for the walk
N g - sqrt(c N log n), whose slope at the balance is g/2.  That is a share s^2/(c log n) of
N_k, 0.1 % for s = 1/8 and 1 % for s = 1/2 at n = 10^5.  An arm within noise of the corner
between its fairness level and the free branches is rounded off by more.
"""

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import root_scalar

from penalized_bandits.errors import BanditError
from penalized_bandits.theory.problem import horizons, problem, ratio
from penalized_bandits.typing import FloatArray

BALANCED = 1e-3
"""Share of T by which rounding may make predicted pulls miss it: less than noise does."""


def _budget(horizon: float, exploration: float, n_arms: int) -> float:
    """Return c log T, the squared radius of an arm pulled once."""
    rounds = float(horizons(horizon))
    if rounds < n_arms:
        raise BanditError(f"horizon is {horizon}: each of the {n_arms} arms needs a pull")
    if not (np.isfinite(exploration) and exploration > 0):
        raise BanditError(f"exploration is {exploration}: it must be finite and above 0")
    return exploration * float(np.log(rounds))


def _pulls_at(
    above: float, gap: FloatArray, fairness: FloatArray, penalties: FloatArray, t: float, c: float
) -> FloatArray:
    """N_k where all indices are mu* + ``above``; one pull at least, as at the start."""
    free = ratio(c, np.maximum(above + gap, 0.0) ** 2)
    urged = ratio(c, np.maximum(above + gap - penalties, 0.0) ** 2)
    return np.maximum(np.maximum(np.minimum(urged, fairness * t), free), 1.0)


def _level(
    gaps: FloatArray, fairness: FloatArray, penalties: FloatArray, t: float, c: float
) -> float:
    """Return the common index less mu*: the root of sum N_k = T."""
    arms = (gaps, fairness, penalties)
    # At the lower end the best arm alone has T pulls; at the upper end no arm has more
    # than T/K.
    low = np.sqrt(c / t)
    high = penalties.max() + np.sqrt(c * gaps.size / t)
    found = root_scalar(
        lambda above: _pulls_at(above, *arms, t, c).sum() - t,
        bracket=(low * (1 - 1e-9), high * (1 + 1e-9)),
        method="brentq",
        xtol=1e-15,
        rtol=1e-14,
    )
    return float(found.root)


def predicted_pulls(
    means: ArrayLike,
    fairness: ArrayLike,
    penalties: ArrayLike,
    horizon: float,
    exploration: float = 2.0,
) -> FloatArray:
    """Fluid prediction of N_k(T) under the hard-threshold rule, shape (K,), pulls.

    Parameters
    ----------
    means, fairness, penalties
        mu, tau and A, shape (K,) (one number will do for tau and A).
    horizon
        T, at least K.
    exploration
        The constant c in the radius sqrt(c log n/N).

    Returns
    -------
    FloatArray
        Not rounded; the sum is T.

    Raises
    ------
    BanditError
        If the parameters make no sense, or are so large that the balance drowns in rounding.
    """
    bandit = problem(means, fairness, penalties)
    c = _budget(horizon, exploration, bandit.n_arms)
    arms = (bandit.gaps, bandit.fairness, bandit.penalties)
    t = float(horizon)
    pulls = _pulls_at(_level(*arms, t, c), *arms, t, c)
    if abs(pulls.sum() - t) > BALANCED * t:
        largest = max(bandit.gaps.max(), bandit.penalties.max())
        raise BanditError(
            f"gaps and penalty rates up to {largest:g} leave radii at T = {t:g} too few digits"
        )
    return pulls


def break_point(
    means: ArrayLike,
    fairness: ArrayLike,
    arm: int,
    horizon: float,
    exploration: float = 2.0,
) -> float:
    """Penalty rate A at which an arm leaves its fairness level, where all arms share A.

    Below it the fluid prediction has N_k < tau_k T, from it on N_k >= tau_k T.  It solves
    v(A) = mu_k + A + sqrt(c log T/(tau_k T)), v(A) being the common index: v(A) - A falls
    in A.  For large T it is Delta_k, as the paper says; before that the arm's radius at
    its level outweighs the best arm's, so that it is less:
    Delta_k + sqrt(c log T/N_1) - sqrt(c log T/(tau_k T)).

    Parameters
    ----------
    means, fairness
        mu and tau, shape (K,) (one number will do for tau).
    arm
        The arm k, from 0.
    horizon
        T, at least K.
    exploration
        The constant c in the radius sqrt(c log n/N).

    Returns
    -------
    float
        A in the unit of the means; 0 if the arm is at its level without any penalty,
        infinite if (1 - sum tau) T is less than the first pulls of other arms need and the
        arm is short at any rate.

    Raises
    ------
    BanditError
        If there is no such arm or the parameters make no sense.
    """
    bandit = problem(means, fairness, 0.0)
    if not 0 <= arm < bandit.n_arms:
        raise BanditError(f"arm is {arm}: it must be from 0 to {bandit.n_arms - 1}")
    t = float(horizon)
    c = _budget(horizon, exploration, bandit.n_arms)
    gap, tau = float(bandit.gaps[arm]), float(bandit.fairness[arm])
    if tau * t <= 1:
        return 0.0
    radius = float(np.sqrt(c / (tau * t)))

    def excess(penalty: float) -> float:
        shared = np.full(bandit.n_arms, penalty)
        return _level(bandit.gaps, bandit.fairness, shared, t, c) - penalty + gap - radius

    if excess(0.0) <= 0:
        return 0.0
    # With rates beyond every index all arms are at their level, if T has room for that
    # beside the first pulls of the others.
    beyond = float(bandit.gaps.max() + np.sqrt(c)) + 1.0
    if excess(beyond) > 0:
        return float("inf")
    return float(root_scalar(excess, bracket=(0.0, beyond), method="brentq").root)


def break_points(
    means: ArrayLike, fairness: ArrayLike, horizon: float, exploration: float = 2.0
) -> FloatArray:
    """:func:`break_point` of every arm, shape (K,)."""
    n_arms = np.size(means)
    return np.array([break_point(means, fairness, k, horizon, exploration) for k in range(n_arms)])
