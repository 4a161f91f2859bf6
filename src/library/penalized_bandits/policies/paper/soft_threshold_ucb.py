"""Soft-threshold UCB: the variant that the paper argues against.

    i_k(n) = m_k(n-1) + A_k max(tau_k n - N_k(n-1), 0) / (tau_k n) + sqrt(2 log n / N_k(n-1))

The bonus shrinks continuously as the arm nears its fairness level.  Source: Fang, Li
and Samorodnitsky, section 5, "On hard threshold".
"""

from penalized_bandits.policies.base import Arm, Card, Hints, Policy


def index(arm: Arm) -> float:
    """Index of section 5; below means N_k(n-1) < tau_k n, so the level is positive."""
    level = arm.fairness * arm.n
    bonus = arm.penalty * (level - arm.pulls) / level if arm.below and level > 0.0 else 0.0
    # A live player's arm with a smaller fraction than before may have less than no pulls.
    return arm.mean + min(bonus, arm.penalty) + arm.radius


POLICY = Policy(
    id="soft_threshold_ucb",
    card=Card(
        label="Soft-threshold UCB",
        reference="Fang, Li and Samorodnitsky, section 5",
        formula="max m_k + A_k (1 - N_k / (τ_k n))₊ + √(2 log n / N_k)",
        guarantees="R(T) / T → Σ τ_k (A_k - Δ_k) Δ_k / A_k over arms with 0 < Δ_k < A_k (Theorem "
        "4)",
        limitations="penalized regret linear in T where there is such an arm, as the bonus "
        "balances the gap below τ_k n",
        classical="ucb1",
        bound="soft_radius",
    ),
    index=index,
    hints=Hints(index_is_nondecreasing=True),
)
