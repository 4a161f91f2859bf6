"""MOSS, whose bonus of an arm ends with its share of the horizon, and MOSS with the hard threshold.

    i_k(n) = m_k(n-1) + sqrt(max(log(T / (K N_k(n-1))), 0) / N_k(n-1)) + A_k 1(N_k(n-1) < tau_k n)

Source: the index is that of Audibert and Bubeck, COLT 2009 (minimax optimal strategy in the
stochastic case), who prove besides O(K log(T Delta^2 / K) / Delta), Delta the least gap; the
threshold is eq. (11) of Fang, Li and Samorodnitsky.  Theorem M of research/docs/gap-free.md is
about it.  T must be known: the tuning is T / K.
"""

import math

from penalized_bandits.policies.base import Arm, Card, Hints, Policy, Tuning


def index(arm: Arm) -> float:
    """Mean, the bonus, none from T / K pulls on, and the penalty rate below the fairness level."""
    share = arm.tuning / arm.observed
    radius = math.sqrt(math.log(share) / arm.observed) if share > 1.0 else 0.0
    return arm.mean + radius + arm.bonus


POLICY = Policy(
    id="moss_hard_threshold",
    card=Card(
        label="Hard-threshold MOSS",
        reference="Audibert and Bubeck 2009; threshold of eq. (11)",
        formula="max m_k + √(max(log(T / (K N_k)), 0) / N_k) + A_k 1(N_k < τ_k n)",
        guarantees="rewards in [0, 1]: penalized regret at most 7.8 √(K T) + Σ Δ_k + "
        "(K - 1) max (A_k - Δ_k)₊ (Theorem M), the least order whatever the gaps for A_k ≤ 1/2",
        limitations="must know T; for fixed gaps no log T law is proved, and an arm that lost its "
        "early pulls by chance is tried again only while N_k < T / K",
        classical="moss",
    ),
    index=index,
    exploration=0.0,
    tuning=Tuning(symbol="T/K", regret=lambda arms, horizon: horizon / arms),
    hints=Hints(index_is_nondecreasing=True),
)

CLASSICAL = POLICY.without_penalties(
    Card(
        label="MOSS",
        reference="Audibert and Bubeck 2009",
        formula="max m_k + √(max(log(T / (K N_k)), 0) / N_k)",
        guarantees="rewards in [0, 1]: classical regret O(√(K T)) whatever the gaps, the least "
        "order",
        limitations="must know T; knows no penalties: penalized regret linear in T where A_k > Δ_k",
    ),
)
