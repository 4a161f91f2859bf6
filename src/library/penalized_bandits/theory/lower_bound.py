"""The instance lower bound: what any consistent policy must lose for each log T.

    liminf R(T) / log T >= sum over Delta_k > A'_k of (Delta_k - A'_k) / KL(nu_k, lambda - A'_k)

for penalized regret o(T^a) on all instances, for every a > 0: Theorem W of research/docs/stairs.md,
which is Theorem 3 of research/docs/least-constant.md where the price lambda is mu*.  Delta_k is the
gap to the price.  A'_k = A_k, or 0 where tau_k = 0, is what a pull below the fairness level saves;
KL is the least divergence from the arm's law nu_k to a law of the same family with that mean, and
infinite where the family has none: such an arm adds nothing.
"""

from functools import cache, singledispatch
from itertools import count

import numpy as np
from scipy.optimize import minimize_scalar
from scipy.special import betaln, digamma, rel_entr

from penalized_bandits.bandit.instances import Instance
from penalized_bandits.bandit.rewards import Bernoulli, Beta, Categorical, Gaussian, RewardFamily
from penalized_bandits.common.errors import BanditError
from penalized_bandits.common.typing import FloatArray
from penalized_bandits.theory.inputs import below_price, one_horizon


@singledispatch
def divergences(law: RewardFamily, _means: FloatArray, _targets: FloatArray) -> FloatArray:
    """Return KL(nu_k, x_k) for means and targets x_k > mu_k, (..., K); BanditError if not known."""
    raise BanditError(f"no lower bound is known here for rewards {law.id}")


@divergences.register
def _(law: Gaussian, means: FloatArray, targets: FloatArray) -> FloatArray:
    return (targets - means) ** 2 / (2 * law.sd**2)


@divergences.register
def _(_law: Bernoulli, means: FloatArray, targets: FloatArray) -> FloatArray:
    return rel_entr(means, targets) + rel_entr(1 - means, 1 - targets)


@divergences.register
def _(_law: Beta, means: FloatArray, targets: FloatArray) -> FloatArray:
    # Beta(m, 1 - m) against Beta(x, 1 - x): both have a + b = 1.  At 0 and 1 it is one point.
    finite = (means > 0) & (means < 1) & (targets < 1)
    inner, outer = np.where(finite, means, 0.5), np.where(finite, targets, 0.5)
    divergence = (
        betaln(outer, 1 - outer)
        - betaln(inner, 1 - inner)
        + (inner - outer) * (digamma(inner) - digamma(1 - inner))
    )
    return np.where(finite, divergence, np.inf)


@divergences.register
def _(law: Categorical, _means: FloatArray, targets: FloatArray) -> FloatArray:
    # Arms are the law's own, in order.
    least = cache(lambda k, target: least_divergence(law.support, law.probabilities[k], target))
    rows = targets.reshape(-1, law.probabilities.shape[0]).tolist()
    return np.reshape([[*map(least, count(), row)] for row in rows], targets.shape)


def least_divergence(support: FloatArray, probabilities: FloatArray, mean: float) -> float:
    """Return the least KL from a law on a finite support (J,) to one of at least some mean.

    Its dual (Honda and Takemura 2010): max E log(1 - l (X - mean)) over 0 <= l <= 1/(max - mean).
    """
    if float((support * probabilities).sum()) >= mean:
        return 0.0
    room = float(support.max()) - mean
    if room <= 0:
        return float("inf")

    taken = probabilities > 0

    def loss(share: float) -> float:
        inside = 1 - share / room * (support - mean)
        with np.errstate(divide="ignore"):
            return -float((probabilities[taken] * np.log(inside[taken])).sum())

    solved = minimize_scalar(loss, bounds=(0, 1), method="bounded", options={"xatol": 1e-12})
    return max(-float(solved.fun), 0.0)


def least_pulls(bandit: Instance) -> tuple[FloatArray, FloatArray]:
    """Return Delta - A' where positive, else 0, and 1/KL of these arms, else 0; (..., K) each.

    Raises BanditError if no divergence is known for the reward family.
    """
    saved, margin = np.where(bandit.fairness > 0, bandit.penalties, 0.0), below_price(bandit)
    paying = margin > 0
    means = np.broadcast_to(bandit.means, margin.shape)
    targets = np.where(paying, bandit.price[..., None] - saved, means)
    divergence = divergences(bandit.rewards, means, targets)
    return margin, np.divide(1.0, divergence, out=np.zeros_like(margin), where=paying)


def lower_constant(bandit: Instance) -> FloatArray:
    """Return the constant of log T in the instance lower bound (as T grows), in units of reward.

    Shape (R,) where means or penalty rates vary by replicate, else (); 0 where no arm is to be
    left below its level.  Raises BanditError as `least_pulls` does.
    """
    margin, pulls = least_pulls(bandit)
    return (margin * pulls).sum(axis=-1)


def lower_bound(bandit: Instance, horizon: float) -> FloatArray:
    """Return the instance lower bound's value at a horizon, shape (R,) or (), in units of reward.

    It is asymptotic: at a given horizon a policy may have less regret.  It is `lower_constant`
    times log T, but of no arm more pulls than its fairness level (without one, than its ceiling or
    T): beyond it the arm costs more, and the bound says nothing.  Instances with an arm whose Delta
    is next to A would have any bound, at horizons too short for it.
    """
    margin, pulls = least_pulls(bandit)
    rounds = one_horizon(horizon)
    ceilings = np.where(bandit.excess_penalties > 0, bandit.ceilings, 1.0)
    level = np.where(bandit.fairness > 0, bandit.fairness, ceilings) * rounds
    return (margin * np.minimum(pulls * np.log(rounds), level)).sum(axis=-1)
