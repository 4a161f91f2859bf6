"""Thompson sampling with Beta posteriors, and the same with the hard threshold.

    theta_k(n) ~ Beta(1 + S_k, 1 + N_k - S_k),    S_k = N_k m_k, the sum of rewards; as of round n-1
    i_k(n) = theta_k(n) + A_k 1(N_k(n-1) < tau_k n)

Source: Kaufmann, Korda and Munos, "Thompson sampling: an asymptotically optimal finite-time
analysis" (ALT 2012), and Agrawal and Goyal, "Further optimal regret bounds for Thompson
sampling" (AISTATS 2013); the threshold is the paper's, eq. (11).  For other rewards in [0, 1]
than Bernoulli ones Agrawal and Goyal count a Bernoulli trial with the reward as its probability,
and the proofs are for that; the sum of rewards itself, as here, is what is usually done.  Sums
outside [0, N_k] (Gaussian rewards) are taken to the nearest end.
"""

from penalized_bandits.policies.base import Arm, Card, Policy
from penalized_bandits.policies.samples import beta


def sample(arm: Arm) -> float:
    """Sample from the posterior of the mean."""
    total = min(max(arm.observed * arm.mean, 0.0), arm.observed)
    return beta(arm.noise, 1.0 + total, 1.0 + (arm.observed - total))


def index(arm: Arm) -> float:
    """Sample from the posterior, and the penalty rate below the fairness level."""
    return sample(arm) + arm.bonus


POLICY = Policy(
    id="thompson_beta_hard_threshold",
    card=Card(
        label="Hard-threshold Thompson, Beta",
        reference="Kaufmann, Korda and Munos 2012; threshold of eq. (11)",
        formula="max θ_k + A_k 1(N_k < τ_k n), θ_k as Thompson sampling with Beta posteriors "
        "draws it",
        guarantees="none known with the threshold",
        limitations="rewards outside [0, 1]",
        classical="thompson_beta",
    ),
    needs_unit_rewards=True,
    index=index,
    exploration=0.0,
    draws="uniform",
)

CLASSICAL = POLICY.without_penalties(
    Card(
        label="Thompson sampling, Beta",
        reference="Kaufmann, Korda and Munos 2012; Agrawal and Goyal 2013",
        formula="max of θ_k ~ Beta(1 + S_k, 1 + N_k − S_k), S_k the sum of rewards",
        guarantees="Bernoulli rewards: classical regret of the least constant times log T, "
        "asymptotically; O(√(K T log T)) whatever the gaps",
        limitations="knows no penalties: penalized regret linear in T where A_k > Δ_k; rewards "
        "outside [0, 1]; a proof for rewards between 0 and 1, whose fractions it counts",
        bound="kl",  # N kl(mu, mu*)/log T tends to 1 for Bernoulli rewards, as for KL-UCB
    ),
)
