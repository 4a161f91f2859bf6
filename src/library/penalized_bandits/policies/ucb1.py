"""UCB1: the hard-threshold rule with every penalty rate zero.

    i_k(n) = m_k(n-1) + sqrt(2 log n / N_k(n-1))

Source: Auer, Cesa-Bianchi and Fischer, Machine Learning 47, 2002.
"""

from penalized_bandits.policies.base import Arm, Card, Hints, Policy


def index(arm: Arm) -> float:
    """Eq. (11) with A_k = 0."""
    return arm.mean + arm.radius


POLICY = Policy(
    id="ucb1",
    card=Card(
        label="UCB1",
        reference="Auer, Cesa-Bianchi and Fischer 2002",
        formula="max m_k + √(2 log n / N_k)",
        guarantees="classical regret O(log T), O(√(K T log T)) whatever the gaps",
        limitations="knows no penalties: penalized regret linear in T where A_k > Δ_k",
    ),
    index=index,
    ignores_penalties=True,
    bound="radius",
    hints=Hints(index_is_nondecreasing=True, indices_cross_once=True),
)
