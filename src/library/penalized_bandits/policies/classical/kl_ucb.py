"""KL-UCB, and KL-UCB with the hard threshold; both with a little more exploration as well.

    u_k(n) = max { q : kl(m_k(n-1), q) <= log n / N_k(n-1) }
    i_k(n) = u_k(n) + A_k 1(N_k(n-1) < tau_k n)

with kl that of Bernoulli laws.  Source: Garivier and Cappé, COLT 2011 (arXiv 1102.2490);
the threshold is the paper's, eq. (11).  They prove log n + 3 log log n (ids that end in ``loglog``,
from round 3 on) and advise log n (the others); Theorems 2 and 3 of research/docs cover both,
and with A = 0 the latter.  Means outside [0, 1] (Gaussian rewards) are taken to the nearest end.
"""

import math
from dataclasses import replace

from penalized_bandits.policies.base import Arm, Card, Hints, Policy


def upper_bound(mean: float, level: float) -> float:
    """Return the largest q >= mean with kl(mean, q) <= level.

    kl(p, q) = p log(p/q) + (1-p) log((1-p)/(1-q)) is that of Bernoulli laws, which bounds
    the deviations of any rewards in [0, 1].  A mean outside is taken to the nearest end.
    """
    p = min(max(mean, 0.0), 1.0)
    if p >= 1.0:
        return 1.0
    if p <= 0.0:
        return 1.0 - math.exp(-level)
    own = p * math.log(p) + (1.0 - p) * math.log(1.0 - p)
    # Two bounds from above: Pinsker's, and p log(p/q) >= p log p.  kl is convex in q, so
    # Newton's steps from above never pass the root.
    q = min(p + math.sqrt(0.5 * level), 1.0 - math.exp((own - level) / (1.0 - p)))
    for _ in range(50):
        slope = (q - p) / (q * (1.0 - q)) if p < q < 1.0 else 0.0
        if slope <= 0.0:
            break
        divergence = own - p * math.log(q) - (1.0 - p) * math.log(1.0 - q)
        step = (divergence - level) / slope
        q -= step
        if abs(step) <= 1e-13:
            break
    return max(q, p)


def bound_exceeds(mean: float, level: float, value: float) -> bool:
    """Whether ``upper_bound(mean, level)`` is above a value; False where the two are close.

    It is where kl(mean, value) < level: one divergence in the place of a solve.
    """
    p = min(max(mean, 0.0), 1.0)
    if value < p:
        return True
    if value >= 1.0:
        return False
    divergence = (1.0 - p) * math.log((1.0 - p) / (1.0 - value))
    if p > 0.0:
        divergence += p * math.log(p / value)
    # The margin is far more than rounding can make of it, up to 10^9 pulls.
    return divergence < level * (1.0 - 1e-6)


def bracket(mean: float, level: float, later: float, guess: float) -> tuple[float, float]:
    """Return limits of ``upper_bound(mean, .)`` at all levels from one to a later one.

    One of Newton's steps from a guess, where it is short: it ends above the bound, and
    by at most 0.2 of its length where that is below 0.1 of the distances of the guess from the
    mean and from 1, by Taylor's formula.  The bound is concave in the level.
    """
    p = min(max(mean, 0.0), 1.0)
    low = high = 1.0
    again = True
    if 0.0 < p < guess < 1.0:
        divergence = p * math.log(p / guess) + (1.0 - p) * math.log((1.0 - p) / (1.0 - guess))
        step = (divergence - level) * guess * (1.0 - guess) / (guess - p)
        again = abs(step) > 0.1 * min(guess - p, 1.0 - guess)
        high = guess - step
        low = high - 0.25 * abs(step)
    if again:
        low = high = upper_bound(p, level)
    if p < low < 1.0:
        high += (later - level) * low * (1.0 - low) / (low - p)
    # The margin is far more than rounding can make of it.
    return low - 1e-9, min(high, 1.0) + 1e-9


def level_of(arm: Arm, log_log: float) -> float:
    """Return (log n + c log log n) / N, the second from round 3 on; half the radius squared."""
    level = 0.5 * arm.radius * arm.radius
    if log_log > 0.0 and arm.observed > 0.0:
        level += log_log * math.log(max(level * arm.observed, 1.0)) / arm.observed
    return level


def index_of(arm: Arm, log_log: float) -> float:
    """Upper confidence bound with log n + c log log n, and the threshold's bonus."""
    return upper_bound(arm.mean, level_of(arm, log_log)) + arm.bonus


def exceeds(arm: Arm, value: float, log_log: float) -> bool:
    """Whether the index is above a value for sure."""
    return bound_exceeds(arm.mean, level_of(arm, log_log), value - arm.bonus)


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
        classical="kl_ucb",
        bound="kl",
    ),
    needs_unit_rewards=True,
    index=lambda arm: index_of(arm, 0.0),
    hints=Hints(
        index_is_nondecreasing=True,
        index_exceeds=lambda arm, value: exceeds(arm, value, 0.0),
    ),
)

CLASSICAL = POLICY.without_penalties(
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
        classical="kl_ucb_loglog",
        bound="kl_loglog",
    ),
    index=lambda arm: index_of(arm, 3.0),
    hints=replace(POLICY.hints, index_exceeds=lambda arm, value: exceeds(arm, value, 3.0)),
)

CLASSICAL_LOGLOG = LOGLOG.without_penalties(
    replace(
        CLASSICAL.card,
        label="KL-UCB, log log",
        formula="max q with kl(m_k, q) ≤ (log n + 3 log log n) / N_k",
        guarantees="rewards in [0, 1]: classical regret O(log T); Bernoulli ones: the least "
        "constant",
        bound="kl_loglog",
    ),
)
