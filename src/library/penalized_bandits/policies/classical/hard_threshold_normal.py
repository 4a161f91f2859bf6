"""UCB for Gaussian rewards of unknown variance, and the same with the hard threshold.

    i_k(n) = m_k + A_k 1(N_k < tau_k n) + s_k sqrt(n^(2 / (N_k - 2)) - 1)

with s_k^2 the variance of the rewards seen (divided by N_k), after three pulls of each arm.
Source: Cowan, Honda and Katehakis, "Normal bandits of unknown means and variances", JMLR 18(154),
2018; the threshold is the paper's, eq. (11).  Rewards that do not vary leave no bonus: the arm
that seems best is pulled from then on.
"""

import math

from penalized_bandits.policies.base import UNPULLED_ROOT, Arm, Card, Hints, Policy


def index(arm: Arm) -> float:
    """Return the index of an arm, infinite before its third pull, but at a hard cap."""
    if arm.bonus == -math.inf:
        return arm.bonus
    if arm.observed < 3.0:  # where rewards are late, the arm of the fewest pulls first
        return UNPULLED_ROOT / arm.pulls if arm.observed < arm.pulls else math.inf
    # The square of the radius is 2 log n / N_k, whatever the logarithm is of (interpretation R1).
    level = arm.radius * arm.radius * arm.observed / (arm.observed - 2.0)
    return arm.mean + arm.bonus + math.sqrt(arm.variance * math.expm1(level))


POLICY = Policy(
    id="hard_threshold_normal",
    card=Card(
        label="Hard threshold, unknown variance",
        reference="Cowan, Honda and Katehakis 2018; threshold of eq. (11)",
        formula="max m_k + A_k 1(N_k < τ_k n) + s_k √(n^(2/(N_k − 2)) − 1); 3 pulls of each arm "
        "first",
        guarantees="none known with the threshold",
        limitations="other laws of rewards than Gaussian ones: of two pulls alike the variance is "
        "0",
        classical="ucb_normal",
        bound="unknown_variance",
    ),
    index=index,
    hints=Hints(index_is_nondecreasing=True),
)

CLASSICAL = POLICY.without_penalties(
    Card(
        label="UCB, unknown variance",
        reference="Cowan, Honda and Katehakis 2018",
        formula="max m_k + s_k √(n^(2/(N_k − 2)) − 1), s_k the standard deviation seen; 3 pulls "
        "of each arm first",
        guarantees="Gaussian rewards: classical regret of the least constant, Σ 2Δ_k / log(1 + "
        "Δ_k²/σ_k²), times log T, asymptotically",
        limitations="knows no penalties: penalized regret linear in T where A_k > Δ_k; other laws "
        "of rewards",
    ),
)
