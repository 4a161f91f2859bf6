"""KL-UCB, and KL-UCB with the hard threshold; both with a little more exploration as well.

    u_k(n) = max { q : kl(m_k(n-1), q) <= log n / N_k(n-1) }
    i_k(n) = u_k(n) + A_k 1(N_k(n-1) < tau_k n)

with kl that of Bernoulli laws.  Source: Garivier and Cappé, COLT 2011 (arXiv 1102.2490);
the threshold is the paper's, eq. (11).  They prove log n + 3 log log n, which the ids that end in
``loglog`` use from round 3 on, and advise log n, which the others use; Theorems 2 and 3 of
docs/pages/theory cover both, and with A = 0 KL-UCB with log n.  Means outside [0, 1] (Gaussian
rewards) are taken to the nearest end.
"""

import math
from dataclasses import replace

from penalized_bandits.policies import kl
from penalized_bandits.policies.base import Arm, Card, Hints, Policy


def level_of(arm: Arm) -> float:
    """Return log n / N: half the radius squared."""
    return 0.5 * arm.radius * arm.radius


def loglog_level_of(arm: Arm) -> float:
    """Return (log n + 3 log log n) / N, the second from round 3 on."""
    level, count = level_of(arm), arm.observed
    more = 3.0 * math.log(max(level * count, 1.0)) / count if count > 0.0 else 0.0
    return level + more


def threshold_bonus(arm: Arm) -> float:
    """Penalty rate below the fairness level."""
    return arm.penalty if arm.below else 0.0


def index(arm: Arm) -> float:
    """Upper confidence bound with log n, and the threshold's bonus."""
    return kl.upper_bound(arm.mean, level_of(arm)) + threshold_bonus(arm)


def index_exceeds(arm: Arm, value: float) -> bool:
    """Whether the index is above a value for sure."""
    return kl.bound_exceeds(arm.mean, level_of(arm), value - threshold_bonus(arm))


def loglog_index(arm: Arm) -> float:
    """Upper confidence bound with log n + 3 log log n, and the threshold's bonus."""
    return kl.upper_bound(arm.mean, loglog_level_of(arm)) + threshold_bonus(arm)


def loglog_index_exceeds(arm: Arm, value: float) -> bool:
    """Whether that index is above a value for sure."""
    return kl.bound_exceeds(arm.mean, loglog_level_of(arm), value - threshold_bonus(arm))


POLICY = Policy(
    id="kl_hard_threshold",
    card=Card(
        label="Hard-threshold KL-UCB",
        reference="Garivier and Cappé 2011; threshold of eq. (11)",
        formula="max u_k + A_k 1(N_k < τ_k n), u_k the bound of KL-UCB",
        guarantees="asymptotically optimal for Bernoulli rewards (Theorems 2 and 3): R(T) / log T "
        "→ Σ (Δ_k - A_k) / kl(μ_k, μ* - A_k), so for all rewards in [0, 1]; arms with A_k > Δ_k "
        "short of O(1) pulls over all rounds",
        limitations="rewards outside [0, 1]; not optimal where the family of their laws is another",
    ),
    needs_unit_rewards=True,
    index=index,
    classical="kl_ucb",
    bound="kl",
    hints=Hints(index_is_nondecreasing=True, index_exceeds=index_exceeds),
)

CLASSICAL = POLICY.without_penalties(
    "kl_ucb",
    Card(
        label="KL-UCB",
        reference="Garivier and Cappé 2011",
        formula="max q with kl(m_k, q) ≤ log n / N_k",
        guarantees="with log n + 3 log log n: rewards in [0, 1] have classical regret O(log T), "
        "Bernoulli ones the least constant",
        limitations="knows no penalties: penalized regret linear in T where A_k > Δ_k; rewards "
        "outside [0, 1]",
    ),
)

LOGLOG = replace(
    POLICY,
    id="kl_hard_threshold_loglog",
    card=replace(
        POLICY.card,
        label="Hard-threshold KL-UCB, log log",
        formula="max u_k + A_k 1(N_k < τ_k n), u_k the bound of KL-UCB with log n + 3 log log n",
    ),
    index=loglog_index,
    classical="kl_ucb_loglog",
    bound="kl_loglog",
    hints=replace(POLICY.hints, index_exceeds=loglog_index_exceeds),
)

CLASSICAL_LOGLOG = LOGLOG.without_penalties(
    "kl_ucb_loglog",
    replace(
        CLASSICAL.card,
        label="KL-UCB, log log",
        formula="max q with kl(m_k, q) ≤ (log n + 3 log log n) / N_k",
        guarantees="rewards in [0, 1]: classical regret O(log T); Bernoulli ones: the least "
        "constant",
    ),
)
