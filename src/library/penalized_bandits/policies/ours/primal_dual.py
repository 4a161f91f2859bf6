"""Primal-dual UCB: a multiplier for each arm's fairness, kept in [0, A_k].

    pull the arm with the largest  m_k(n-1) + lambda_k + sqrt(2 log n / N_k(n-1))
    lambda_k <- max(min(lambda_k + s tau_k, A_k) - s 1{k pulled}, 0)

A_k (tau_k T - N_k)+ is the largest lambda (tau_k T - N_k) with lambda in [0, A_k], so this is
projected subgradient ascent in the multipliers, with step s, beside an optimistic choice of
arm.  The projection is between arrival and service, so that a multiplier at A_k falls by s when
its arm is pulled.  Source: ours, after the primal-dual scheme of bandits with knapsacks
(Badanidiyuru, Kleinberg and Slivkins, J. ACM 65(3), 2018), whose usual argument would give order
sqrt(T log T) with s of order 1/sqrt(T).  ``queue`` is lambda_k / s before it is cut at A_k.
"""

import math

from penalized_bandits.policies.base import Arm, Card, Hints, Policy, Tuning


def index(arm: Arm) -> float:
    """Upper confidence bound plus the multiplier."""
    return arm.mean + min(arm.tuning * arm.queue, arm.penalty) + arm.radius


def served(queue: float, penalty: float, tuning: float) -> float:
    """Return lambda_k / s after a pull, from the same with the round's arrival."""
    most = penalty / tuning if tuning > 0.0 else 0.0
    return max(min(queue, most) - 1.0, 0.0)


POLICY = Policy(
    id="primal_dual",
    card=Card(
        label="Primal-dual UCB",
        reference="ours, after Badanidiyuru, Kleinberg and Slivkins 2018",
        formula="max m_k + λ_k + √(2 log n / N_k); λ_k in [0, A_k] gains s τ_k a round, loses s a "
        "pull",
        guarantees="none known",
        limitations="a log T law: multipliers go on moving by steps of s",
        classical="ucb1",
    ),
    index=index,
    served=served,
    tuning=Tuning(symbol="s", regret=lambda arms, horizon: 1.0 / math.sqrt(horizon)),  # noqa: ARG005
    hints=Hints(index_is_nondecreasing=True),
)
