"""Limits of the fluid prediction as T grows: the constants of the laws.

Arms with Delta_k > A_k are pulled 2 log T/(Delta_k - A_k)^2 times in the limit, which costs
Delta_k - A_k a pull (where tau_k = 0, the rate is never paid: A_k counts as 0); all other arms have
shares of an optimal split and cost nothing beyond L*(T).  Gaps are to the price: Theorem V of
research/docs/stairs.md.  Under the soft threshold, for which they are to mu*, an arm with
0 < Delta_k < A_k has tau_k T (1 - Delta_k/A_k) pulls: short of its level by a share of T.
"""

import numpy as np

from penalized_bandits.bandit.instances import Instance
from penalized_bandits.bandit.rewards import Bernoulli, Beta, Categorical
from penalized_bandits.common.typing import FloatArray
from penalized_bandits.policies import POLICIES, Policy
from penalized_bandits.policies.reads import reads_bonus
from penalized_bandits.theory.exploration import PAPER, Exploration, exploration_of
from penalized_bandits.theory.inputs import below_price, free_share, margins_to_best
from penalized_bandits.theory.lower_bound import least_pulls

PULLS = 2.0
"""Limit of N_k (Delta_k - A_k)^2/log T of a non-critical arm: c of the radius sqrt(c log n/N)."""
_ANY = 1e6
"""A horizon to take N/log T at: without noise it depends on none."""


def log_constant(bandit: Instance, rule: Exploration = PAPER) -> FloatArray:
    """Limit of R(T)/log T under a hard threshold.

    The sum over Delta_k > A_k of Delta_k - A_k times the limit of N_k/log T, which is
    2/(Delta_k - A_k)^2 with the radius of eq. (11).  Shape (...) for means and rates (..., K).

    >>> capped = Instance([0.9, 0.7, 0.4], 0.0, 0.0, Bernoulli(), 0.3, [0.1, 0.4, 0.4])
    >>> float(capped.price), float(log_constant(capped).round(9))
    (0.8, 25.0)
    """
    margin = below_price(bandit)
    return np.where(margin > 0, margin * _pulls(margin, bandit, rule), 0.0).sum(axis=-1)


def explores_too_little(bandit: Instance, rule: Exploration) -> bool:
    """Return whether some arm's limit of N/log T is less than Theorem 3 requires for its law.

    It then gives up a better arm in some runs, at a cost of order T.  Raises as `least_pulls`.
    """
    with np.errstate(divide="ignore", invalid="ignore"):  # without noise
        margin, least = least_pulls(bandit)
    return bool((_pulls(margin, bandit, rule) < (1 - 1e-9) * least).any())


def _pulls(margin: FloatArray, bandit: Instance, rule: Exploration) -> FloatArray:
    """Return the limits of N_k/log T where the margin is positive, shape (..., K)."""
    explores = rule.leading or rule
    return explores.pulls(np.where(margin > 0, margin, 1.0), bandit.means, _ANY) / np.log(_ANY)


def proved_constant(policy: str, bandit: Instance) -> FloatArray | None:
    """`log_constant` where Theorem A, 2' or V of research/docs is about a policy and a reward law.

    None for others, though the fluid prediction may have a limit.  Theorem V alone is about
    ceilings and about fractions that sum to 1; it has no empirical KL bounds.  Frank-Wolfe's
    threshold is that of eq. (11) a round later, which changes a deficit by less than a pull; it
    serves no ceilings.
    """
    law, rule = bandit.rewards, POLICIES.get(policy)
    if rule is None or (bound := rule.card.bound) is None:
        return None
    unit = isinstance(law, Bernoulli | Beta) or (
        isinstance(law, Categorical) and law.support.min() >= 0 and law.support.max() <= 1
    )
    proved = wide_enough(rule, law.noise) if bound == "radius" else unit and "kl" in bound
    if bandit.charges_excess or free_share(bandit.fairness) == 0:
        proved = proved and not bound.startswith("empirical")
        proved = proved and (reads_bonus(rule) or not bandit.charges_excess)
    exploration = exploration_of(policy, law.noise, law=law) if proved else None
    return None if exploration is None else log_constant(bandit, exploration)


def wide_enough(policy: Policy, noise: float) -> bool:
    """Return whether a radius sqrt(c log n/N) has c >= 2 sigma^2, case (S) of Theorem A."""
    return 2 * noise**2 <= policy.exploration_for(noise) < np.inf


def linear_constant(bandit: Instance) -> FloatArray:
    """Limit of R(T)/T under the soft threshold.

    The sum of tau_k (A_k - Delta_k) Delta_k/A_k over 0 < Delta_k < A_k: positive where there is
    a critical arm that is not optimal.  Shape (...) for means and rates (..., K).  BanditError if
    ceilings are charged.
    """
    margin = margins_to_best(bandit)
    gap, rates = np.broadcast_arrays(bandit.gaps_to_best, bandit.penalties)
    critical = (gap > 0) & (margin > 0)
    share = np.divide(gap, rates, out=np.zeros_like(gap), where=critical)
    return np.where(critical, bandit.fairness * (margin * share), 0.0).sum(axis=-1)
