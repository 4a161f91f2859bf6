"""Learning with Fairness Guarantee (LFG): virtual queues plus a truncated UCB.

    pull the arm with the largest  Q_k(n) + eta_0 w_k min(m_k(n-1) + sqrt(2 log n / N_k(n-1)), 1)
    Q_k(n) = max(Q_k(n-1) + tau_k - 1{k pulled}, 0),    w_k = 1

The paper leaves the start and the order open (interpretation R13).  ``POLICY`` is the default:
one pull of each arm first, queues updated after the pull.  ``ORIGINAL`` follows Li, Liu
and Ji (arXiv 1901.04891): the queue is updated before the choice, with the pull of the
round before, so that it begins at tau_k; no forced first pulls (an arm never pulled has
the index 1); and sqrt(3 log n / (2 N)).
"""

import math
from dataclasses import replace

from penalized_bandits.policies.base import Arm, Card, Hints, Policy, Tuning, spaced_in_logarithms


def index(arm: Arm) -> float:
    """Queue plus eta_0 times the truncated UCB, section 3."""
    return arm.queue + arm.tuning * min(arm.mean + arm.radius, 1.0)


def served(queue: float, penalty: float, tuning: float) -> float:  # noqa: ARG001
    """Return Q_k after a round that pulled the arm, from Q_k(n-1) + tau_k."""
    return max(queue - 1.0, 0.0)


POLICY = Policy(
    id="lfg",
    card=Card(
        label="LFG",
        reference="Li, Liu and Ji 2019",
        formula="max Q_k + η₀ min(m_k + √(2 log n / N_k), 1); Q_k gains τ_k a round, loses 1 a "
        "pull",
        guarantees="long-run fractions kept; reward within O(T/η₀ + √(T log T)) of the best that "
        "keeps them",
        limitations="knows no penalties; queues, and so shortfalls, grow with η₀; means outside "
        "[0, 1]",
    ),
    needs_unit_rewards="means",
    index=index,
    served=served,
    tuning=Tuning(
        symbol="η₀",
        regret=lambda arms, horizon: math.sqrt(horizon),  # noqa: ARG005
        path=lambda scale, level, horizon: (1.0 - scale) * horizon,  # noqa: ARG005
        tradeoff=lambda points, level, horizon: spaced_in_logarithms(1.0, horizon, points),  # noqa: ARG005
    ),
    ignores_penalties=True,
    hints=Hints(index_is_nondecreasing=True),
)

ORIGINAL = replace(
    POLICY,
    id="lfg_original",
    card=replace(
        POLICY.card,
        label="LFG (as published)",
        formula="as LFG, with √(3 log n / (2 N_k)), no first pulls, queues of τ_k at first",
    ),
    exploration=1.5,
    first_pulls=False,
)
