"""MOSS with the hard threshold: the least order of regret whatever gaps, fractions and rates are.

    i_k(n) = m_k(n-1) + sqrt(max(log(T / (K N_k(n-1))), 0) / N_k(n-1)) + A_k 1(N_k(n-1) < tau_k n)

Source: the index is that of Audibert and Bubeck, COLT 2009; the threshold is eq. (11) of Fang, Li
and Samorodnitsky.  For rewards in [0, 1] penalized regret is at most

    7.8 sqrt(K T) + sum Delta_k + (K - 1) max (A_k - Delta_k)+

for all means, fractions and rates (Theorem M of docs/pages/theory/gap-free.md); no policy has a
smaller order for rates up to 1/2.  T must be known: the tuning is T / K.
"""

from penalized_bandits.policies import moss
from penalized_bandits.policies.base import Arm, Card, Hints, Policy


def index(arm: Arm) -> float:
    """Index of MOSS, and the threshold's bonus."""
    return moss.index(arm) + (arm.penalty if arm.below else 0.0)


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
    ),
    index=index,
    classical="moss",
    exploration=0.0,
    tuning=moss.POLICY.tuning,
    hints=Hints(index_is_nondecreasing=True, indices_cross_once=True),
)
