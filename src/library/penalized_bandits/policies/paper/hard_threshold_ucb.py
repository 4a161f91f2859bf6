"""Hard-threshold UCB, the paper's algorithm, and UCB1: the same with every penalty rate zero.

    i_k(n) = m_k(n-1) + A_k 1(N_k(n-1) < tau_k n) + sqrt(2 log n / N_k(n-1))    eq. (11)

The penalty rate is paid in full as long as the arm is below its fairness level, and
drops to nothing at it.  Sources: Fang, Li and Samorodnitsky, Algorithm 1; Auer, Cesa-Bianchi and
Fischer, Machine Learning 47, 2002.
"""

from penalized_bandits.policies.base import Arm, Card, Hints, Policy


def index(arm: Arm) -> float:
    """Eq. (11)."""
    return arm.mean + arm.bonus + arm.radius


def ucb1_index(arm: Arm) -> float:
    """Eq. (11) with A_k = 0."""
    return arm.mean + arm.radius


POLICY = Policy(
    id="hard_threshold_ucb",
    card=Card(
        label="Hard-threshold UCB",
        reference="Fang, Li and Samorodnitsky, eq. (11), Algorithm 1",
        formula="max m_k + A_k 1(N_k < τ_k n) + √(2 log n / N_k)",
        guarantees="penalized regret Θ(log T) (Theorem 4.2): R(T) / log T → Σ 2 / (Δ_k - A_k) "
        "(Theorem 1); O(√(K T log T)) whatever the gaps (Theorem 4.5); arms with A_k > Δ_k short "
        "of O(1) pulls over all rounds",
        limitations="its bonus knows no noise: more than 4 times the least constant for Bernoulli "
        "rewards, 1/σ² times for Gaussian ones; no log T law where σ > 1",
        classical="ucb1",
        bound="radius",
    ),
    index=index,
    hints=Hints(index_is_nondecreasing=True),
)

CLASSICAL = POLICY.without_penalties(
    Card(
        label="UCB1",
        reference="Auer, Cesa-Bianchi and Fischer 2002",
        formula="max m_k + √(2 log n / N_k)",
        guarantees="classical regret O(log T), O(√(K T log T)) whatever the gaps",
        limitations="knows no penalties: penalized regret linear in T where A_k > Δ_k",
    ),
    index=ucb1_index,
)
