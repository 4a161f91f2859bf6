"""KL-UCB, and KL-UCB with the hard threshold; both with a little more exploration as well.

    u_k(n) = max { q : kl(m_k(n-1), q) <= log n / N_k(n-1) }
    i_k(n) = u_k(n) + A_k 1(N_k(n-1) < tau_k n)

with kl that of Bernoulli laws.  Source: Garivier and Cappé, COLT 2011 (arXiv 1102.2490);
the threshold is the paper's, eq. (11).  They prove log n + 3 log log n, which the ids that end in
``loglog`` use from round 3 on, and advise log n, which the others use.  Classical KL-UCB meets the
lower bound of Lai and Robbins for Bernoulli rewards, and has O(log T) regret for any in [0, 1],
never more than UCB1's bound.  With the threshold, and either logarithm, R(T)/log T tends to the
sum of (Delta_k - A_k) / kl(mu_k, mu* - A_k) over arms with Delta_k > A_k for all rewards in [0, 1],
which is the least constant of any consistent policy for Bernoulli ones (Theorems 2 and 3 of
docs/pages/theory; with A = 0 they cover KL-UCB with log n).  Rewards outside [0, 1] (Gaussian
ones) are outside its theory: means are taken to the nearest end.
"""

import math
from dataclasses import replace

from penalized_bandits.policies import kl
from penalized_bandits.policies.base import Arm, Policy


def level_of(arm: Arm) -> float:
    """Return log n / N: half the radius squared."""
    return 0.5 * arm.radius * arm.radius


def loglog_level_of(arm: Arm) -> float:
    """Return (log n + 3 log log n) / N, the second from round 3 on."""
    level, count = level_of(arm), arm.observed
    more = 3.0 * math.log(max(level * count, 1.0)) / count if count > 0.0 else 0.0
    return level + more


def owed(arm: Arm) -> float:
    """Return the penalty rate below the fairness level."""
    return arm.penalty if arm.below else 0.0


def index(arm: Arm) -> float:
    """Upper confidence bound with log n."""
    return kl.upper_bound(arm.mean, level_of(arm))


def exceeds(arm: Arm, value: float) -> bool:
    """Say whether that is above a value for sure."""
    return kl.exceeds(arm.mean, level_of(arm), value)


def hard_threshold_index(arm: Arm) -> float:
    """Upper confidence bound and the penalty rate below the fairness level."""
    return index(arm) + owed(arm)


def hard_threshold_exceeds(arm: Arm, value: float) -> bool:
    """Say whether that is above a value for sure."""
    return exceeds(arm, value - owed(arm))


def loglog_index(arm: Arm) -> float:
    """Upper confidence bound with log n + 3 log log n."""
    return kl.upper_bound(arm.mean, loglog_level_of(arm))


def loglog_exceeds(arm: Arm, value: float) -> bool:
    """Say whether that is above a value for sure."""
    return kl.exceeds(arm.mean, loglog_level_of(arm), value)


def hard_threshold_loglog_index(arm: Arm) -> float:
    """Add the penalty rate to it below the fairness level."""
    return loglog_index(arm) + owed(arm)


def hard_threshold_loglog_exceeds(arm: Arm, value: float) -> bool:
    """Say whether that is above a value for sure."""
    return loglog_exceeds(arm, value - owed(arm))


CLASSICAL = Policy(
    id="kl_ucb",
    label="KL-UCB",
    reference="Garivier and Cappé 2011",
    rule="max q with kl(m_k, q) ≤ log n / N_k",
    guarantees="with log n + 3 log log n: rewards in [0, 1] have classical regret O(log T), "
    "Bernoulli ones the least constant",
    lacks="knows no penalties: penalized regret linear in T where A_k > Δ_k; rewards outside "
    "[0, 1]",
    needs_unit_rewards=True,
    index=index,
    exceeds=exceeds,
    ignores_penalties=True,
    rises=True,
)

POLICY = Policy(
    id="kl_hard_threshold",
    label="Hard-threshold KL-UCB",
    reference="Garivier and Cappé 2011; threshold of eq. (11)",
    rule="max u_k + A_k 1(N_k < τ_k n), u_k the bound of KL-UCB",
    guarantees="asymptotically optimal for Bernoulli rewards (Theorems 2 and 3): R(T) / log T → "
    "Σ (Δ_k - A_k) / kl(μ_k, μ* - A_k), so for all rewards in [0, 1]; arms with A_k > Δ_k short "
    "of O(1) pulls over all rounds",
    lacks="rewards outside [0, 1]; not optimal where the family of their laws is another",
    needs_unit_rewards=True,
    index=hard_threshold_index,
    exceeds=hard_threshold_exceeds,
    classical="kl_ucb",
    rises=True,
)

CLASSICAL_LOGLOG = replace(
    CLASSICAL,
    id="kl_ucb_loglog",
    label="KL-UCB, log log",
    rule="max q with kl(m_k, q) ≤ (log n + 3 log log n) / N_k",
    guarantees="rewards in [0, 1]: classical regret O(log T); Bernoulli ones: the least constant",
    index=loglog_index,
    exceeds=loglog_exceeds,
)

LOGLOG = replace(
    POLICY,
    id="kl_hard_threshold_loglog",
    label="Hard-threshold KL-UCB, log log",
    rule="max u_k + A_k 1(N_k < τ_k n), u_k the bound of KL-UCB with log n + 3 log log n",
    index=hard_threshold_loglog_index,
    exceeds=hard_threshold_loglog_exceeds,
    classical="kl_ucb_loglog",
)
