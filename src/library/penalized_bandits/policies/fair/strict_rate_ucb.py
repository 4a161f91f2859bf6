"""Strict-rate-constrained UCB: what an arm is short of its rate comes first.

    if some tau_k n > N_k(n-1), pull the arm with the largest tau_k n - N_k(n-1); else UCB1

Source: Claure, Chen, Modi, Jung and Nikolaidis, HRI 2020 (the strict-rate-constrained UCB),
for one minimum rate of all arms.  It is FairLearn with alpha = 0, looking at the round to come.
"""

from penalized_bandits.policies.base import NOT_URGENT, Arm, Card, Hints, Policy
from penalized_bandits.policies.paper.hard_threshold_ucb import ucb1_index


def urgency(arm: Arm) -> float:
    """Return the pulls that the arm is short of its rate."""
    return arm.fairness * arm.n - arm.pulls if arm.below else NOT_URGENT


POLICY = Policy(
    id="strict_rate_ucb",
    card=Card(
        label="Strict-rate UCB",
        reference="Claure et al. 2020",
        formula="max τ_k n - N_k where it is above 0, else UCB1",
        guarantees="shortfalls of a pull or so once each arm was pulled; O(log T) regret against "
        "the best that keeps the rates",
        limitations="knows no penalties: serves arms whose gap exceeds A_k too, at a loss linear "
        "in T",
    ),
    index=ucb1_index,
    urgency=urgency,
    ignores_penalties=True,
    hints=Hints(index_is_nondecreasing=True),
)
