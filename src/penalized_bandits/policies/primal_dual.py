"""Primal-dual UCB: a multiplier for each arm's fairness, kept in [0, A_k].

    pull the arm with the largest  m_k(n-1) + lambda_k + sqrt(2 log n / N_k(n-1))
    lambda_k <- max(min(lambda_k + s tau_k, A_k) - s 1{k pulled}, 0)

The penalized loss is the largest over multipliers in [0, A_k] of the Lagrangian, so this is
projected subgradient ascent on it, with step s, beside an optimistic choice of arm.  Source: the
Lagrangian view of section 2; the scheme is that of primal-dual bandits (Badanidiyuru,
Kleinberg and Slivkins, J. ACM 65(3), 2018).  With s of order 1/sqrt(T) such schemes have
regret of order sqrt(T) up to logs; no log T law is known.  ``queue`` is lambda_k / s.
"""

import math

from penalized_bandits.policies.base import Arm, Policy, Tuning


def index(arm: Arm) -> float:
    """Upper confidence bound plus the multiplier."""
    return arm.mean + min(arm.tuning * arm.queue, arm.penalty) + arm.radius


def served(queue: float, penalty: float, tuning: float) -> float:
    """Return lambda_k / s after a pull, from the same with the round's arrival."""
    most = penalty / tuning if tuning > 0.0 else 0.0
    return max(min(queue, most) - 1.0, 0.0)


POLICY = Policy(
    id="primal_dual",
    label="Primal-dual UCB",
    reference="projected multipliers; cf. Badanidiyuru et al. 2018",
    index=index,
    served=served,
    classical="ucb1",
    rises=True,
    tuning=Tuning(symbol="s", regret=lambda arms, horizon: 1.0 / math.sqrt(horizon)),  # noqa: ARG005
)
