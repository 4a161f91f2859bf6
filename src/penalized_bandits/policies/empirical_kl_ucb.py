"""Empirical KL-UCB for rewards with few values, and the same with the hard threshold.

    i_k(n) = U_k(n) + A_k 1(N_k(n-1) < tau_k n)

with U_k the largest mean of a law q on the values seen and 1 that has KL(p_k, q) <= level, p_k
the law seen, level = (log n + log log n) / N_k (``empirical_kl.py``).  Source: Cappé, Garivier,
Maillard, Munos and Stoltz, Annals of Statistics 41, 2013; the threshold is the paper's, eq. (11).
Without it they prove, for rewards with finitely many values in [0, 1], that it meets the lower
bound of Burnetas and Katehakis, sum Delta_k / K_inf(k, mu*); the kl of Bernoulli laws is at most
K_inf, so KL-UCB does so for two values alone.  With the threshold nothing is proved.

U is concave in the level: a tangent bounds it until the arm is pulled again, and it is computed
anew only where that bound may win.
"""

import math
from dataclasses import replace

from penalized_bandits.policies.base import Policy, Round
from penalized_bandits.policies.empirical_kl import STEPS, count, upper_bound

OBSERVED, LAST_TOTAL, LEVEL, BOUND, SLOPE = range(STEPS + 1, STEPS + 6)
"""Rows of the memory after the counts: rewards and their sum at the last look; the tangent."""


def most(seen: Round, k: int, level: float) -> float:
    """Return what U of arm k cannot exceed at a level; count its last reward."""
    observed = seen.observed[k]
    total = observed * seen.means[k]
    if observed != seen.memory[OBSERVED, k]:
        # One reward since the last look.
        count(seen.memory, k, total - seen.memory[LAST_TOTAL, k])
        seen.memory[OBSERVED, k], seen.memory[LAST_TOTAL, k] = observed, total
        seen.memory[SLOPE, k] = math.inf
    if seen.memory[SLOPE, k] == math.inf:
        return math.inf
    return seen.memory[BOUND, k] + seen.memory[SLOPE, k] * (level - seen.memory[LEVEL, k])


def chosen(seen: Round, rate: float) -> int:
    """Return the arm of the largest index, penalty rates times ``rate``; the first of several."""
    n_arms = len(seen.pulls)
    log = seen.log + math.log(max(seen.log, 1.0))
    choice = 0
    for _ in range(n_arms + 1):
        # The arm that may have the largest index is the one to pull, if it is known to have it.
        best = -math.inf
        for k in range(n_arms):
            owed = rate * seen.penalties[k] if seen.pulls[k] < seen.fairness[k] * seen.n else 0.0
            index = most(seen, k, log / seen.observed[k]) + owed
            if index > best:
                best, choice = index, k
        level = log / seen.observed[choice]
        if seen.memory[SLOPE, choice] < math.inf and level == seen.memory[LEVEL, choice]:
            return choice
        bound, slope = upper_bound(seen.memory, choice, seen.observed[choice], level)
        seen.memory[LEVEL, choice] = level
        seen.memory[BOUND, choice], seen.memory[SLOPE, choice] = bound, slope
    return choice


def choose(seen: Round) -> int:
    """Choose with the hard threshold."""
    return chosen(seen, 1.0)


def choose_classical(seen: Round) -> int:
    """Choose without it."""
    return chosen(seen, 0.0)


CLASSICAL = Policy(
    id="empirical_kl_ucb",
    label="Empirical KL-UCB",
    reference="Cappé, Garivier, Maillard, Munos and Stoltz 2013",
    rule="max E_q X over laws q on the values seen and 1 with KL(p_k, q) ≤ "
    "(log n + log log n) / N_k, p_k the law seen",
    guarantees="rewards with finitely many values in [0, 1]: classical regret of the least "
    "constant, Σ Δ_k / K_inf(k, μ*), times log T, asymptotically",
    lacks="knows no penalties: penalized regret linear in T where A_k > Δ_k; rewards outside "
    "[0, 1]; values are counted in twentieths",
    choose=choose_classical,
    compiles=True,
    memory=STEPS + 6,
    ignores_penalties=True,
)

POLICY = replace(
    CLASSICAL,
    id="empirical_kl_hard_threshold",
    label="Hard-threshold empirical KL",
    reference="Cappé et al. 2013; threshold of eq. (11)",
    rule="max U_k + A_k 1(N_k < τ_k n), U_k the bound of empirical KL-UCB",
    guarantees="none known with the threshold",
    lacks="rewards outside [0, 1]; values are counted in twentieths",
    choose=choose,
    ignores_penalties=False,
    classical="empirical_kl_ucb",
)
