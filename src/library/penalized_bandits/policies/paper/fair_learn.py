"""Fair-Learn (Flearn): serve the largest deficit above alpha, else UCB1.

    A(n) = {k : tau_k (n-1) - N_k(n-1) > alpha}
    if A(n) is not empty: the arm with the largest tau_k (n-1) - N_k(n-1)
    else: the arm with the largest m_k(n-1) + sqrt(2 log n / N_k(n-1))

Each arm is pulled once first, as UCB1 needs; the deficit rule holds from then on
(interpretation R14).  Source: Patil et al., JMLR 22, 2021; as restated in section 3.
"""

import numpy as np

from penalized_bandits.policies.base import NOT_URGENT, Arm, Card, Hints, Policy, Tuning
from penalized_bandits.policies.paper.hard_threshold_ucb import ucb1_index


def urgency(arm: Arm) -> float:
    """Deficit tau_k (n-1) - N_k(n-1) where it exceeds alpha, section 3."""
    deficit = arm.fairness * (arm.n - 1.0) - arm.pulls
    return deficit if deficit > arm.tuning else NOT_URGENT


POLICY = Policy(
    id="fair_learn",
    card=Card(
        label="Flearn",
        reference="Patil et al. 2021",
        formula="max τ_k (n-1) - N_k where it exceeds α, else UCB1",
        guarantees="shortfalls of α and a pull or so once each arm was pulled; O(log T) regret "
        "against the best that keeps the fractions",
        limitations="knows no penalties: serves arms whose gap exceeds A_k too, at a loss linear "
        "in T",
    ),
    index=ucb1_index,
    urgency=urgency,
    tuning=Tuning(
        symbol="α",
        regret=lambda arms, horizon: 0.0,  # noqa: ARG005
        path=lambda scale, level, horizon: (1.0 - scale) * level,  # noqa: ARG005
        tradeoff=lambda points, level, horizon: np.linspace(0, level, points).tolist(),  # noqa: ARG005
    ),
    ignores_penalties=True,
    hints=Hints(index_is_nondecreasing=True),
)
