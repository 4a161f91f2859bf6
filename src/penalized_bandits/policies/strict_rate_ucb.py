"""Strict-rate-constrained UCB: no arm is ever below its rate.

    if some tau_k n > N_k(n-1), pull the arm with the largest tau_k n - N_k(n-1); else UCB1

Source: Claure, Chen, Modi, Jung and Nikolaidis, HRI 2020 (the strict-rate-constrained UCB),
for one minimum rate of all arms.  It keeps every arm fair up to rounding, whatever that
costs, and has O(log T) regret against the *constrained* optimum; it knows no penalties, so
its penalized regret is linear in T wherever unfairness would pay.  It is FairLearn with
alpha = 0, looking at the round to come.
"""

from penalized_bandits.policies import ucb1
from penalized_bandits.policies.base import NOT_URGENT, Arm, Policy


def urgency(arm: Arm) -> float:
    """How far the arm is below its rate."""
    return arm.fairness * arm.n - arm.pulls if arm.below else NOT_URGENT


POLICY = Policy(
    id="strict_rate_ucb",
    label="Strict-rate UCB",
    reference="Claure et al. 2020",
    index=ucb1.index,
    urgency=urgency,
    ignores_penalties=True,
    rises=True,
    crosses_once=True,
)
