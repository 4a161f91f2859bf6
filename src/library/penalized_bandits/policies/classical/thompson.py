"""Thompson sampling with Gaussian priors, and the same with the hard threshold.

    theta_k(n) ~ N(N_k m_k / (N_k + 1), 1 / (N_k + 1)),    N_k, m_k as of round n-1
    i_k(n) = theta_k(n) + A_k 1(N_k(n-1) < tau_k n)

Source: Agrawal and Goyal, "Near-optimal regret bounds for Thompson sampling" (J. ACM 64(5),
2017), for any rewards in [0, 1]; the threshold is the paper's, eq. (11).  Samples depend on
replicate, arm and round alone, so that policies and tuning values meet the same ones.
"""

import math

from penalized_bandits.policies.base import Arm, Card, Policy


def index(arm: Arm) -> float:
    """Sample from the posterior, and the penalty rate below the fairness level."""
    count = arm.observed
    sample = (count * arm.mean) / (count + 1.0) + arm.noise / math.sqrt(count + 1.0)
    return sample + arm.bonus


POLICY = Policy(
    id="thompson_hard_threshold",
    card=Card(
        label="Hard-threshold Thompson",
        reference="Agrawal and Goyal 2017; threshold of eq. (11)",
        formula="max θ_k + A_k 1(N_k < τ_k n), θ_k as Thompson sampling draws it",
        guarantees="none known with the threshold",
        limitations="a law for the noise: the prior takes variance 1, more than rewards in [0, 1] "
        "have",
        classical="thompson",
    ),
    index=index,
    draws=True,
)

CLASSICAL = POLICY.without_penalties(
    Card(
        label="Thompson sampling",
        reference="Agrawal and Goyal 2017",
        formula="max of θ_k ~ N(N_k m_k / (N_k + 1), 1 / (N_k + 1))",
        guarantees="rewards in [0, 1]: classical regret O(log T), O(√(K T log K)) whatever the "
        "gaps",
        limitations="knows no penalties: penalized regret linear in T where A_k > Δ_k",
    ),
)
