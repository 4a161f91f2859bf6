"""The hard threshold without exploration: fairness alone makes it try other arms.

    i_k(n) = m_k(n-1) + A_k 1(N_k(n-1) < tau_k n)

It is eq. (11) of Fang, Li and Samorodnitsky without its radius.
"""

from penalized_bandits.policies.base import Arm, Card, Policy


def index(arm: Arm) -> float:
    """Mean plus the hard-threshold bonus."""
    return arm.mean + arm.bonus


POLICY = Policy(
    id="threshold_greedy",
    card=Card(
        label="Greedy, hard threshold",
        reference="eq. (11) without its radius",
        formula="max m_k + A_k 1(N_k < τ_k n)",
        guarantees="none known",
        limitations="no exploration of its own: an arm without a fairness fraction may be given up",
    ),
    index=index,
)
