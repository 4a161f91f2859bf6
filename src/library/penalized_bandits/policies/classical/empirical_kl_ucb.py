"""Empirical KL-UCB for rewards with few values in [0, 1], and the same with the hard threshold.

    i_k(n) = U_k(n) + A_k 1(N_k(n-1) < tau_k n)
    U = max { E_q X : KL(p, q) <= level, q on the values seen and 1 },    p the law seen

at level = f(n) / N_k, f(n) = log n + log log n or log n.  With weights q_j proportional to
p_j / (1 - t x_j), t in [0, 1], the level reached is

    KL(t) = E_p log(1 - t X) + log S(t),    S(t) = E_p [1 / (1 - t X)]
    E_q X = E_p [X / (1 - t X)] / S(t)

and t solves KL(t) = level; where no t up to 1 does, t = 1 and what is left of q lies on 1.

Source: Cappé, Garivier, Maillard, Munos and Stoltz, Annals of Statistics 41, 2013, Theorem 2; the
dual in one variable is that of Honda and Takemura (COLT 2010); the threshold is the paper's, eq.
(11).  The kl of Bernoulli laws is at most K_inf: KL-UCB has the least constant for two values
alone.

U is concave in the level, with slope 1 / t - U, so one point of its graph bounds it: a tangent from
above, until the arm is pulled again, and a chord from the mean from below.  Each t is such a point,
and at the same t what a further reward changes is three sums; so U is solved for only where bounds
do not tell which arm wins.
"""

import math
from dataclasses import replace

from penalized_bandits.bandit.logged import STEPS, twentieth
from penalized_bandits.common.typing import FloatArray
from penalized_bandits.policies.base import Card, Hints, Policy, Round

OBSERVED, TOTAL, MEAN, LEVEL, BOUND, SLOPE, SOLVED = range(STEPS + 1, STEPS + 8)
"""Rows of the memory after the counts: rewards seen and their sum; the mean of the counts; a
level, U there and its slope, which is inf where nothing is known; the level that was solved for
last, or -1 since the last reward.  Then, ..."""
TILT, LOGS, ONES, FIRSTS = range(STEPS + 8, STEPS + 12)
"""... t, or 0 where U is no point of it, and sums of log(1 - t x), 1 / (1 - t x), x / (1 - t x)."""
ROUNDING = 1e-9
"""Margin of bounds: far more than rounding can make of them."""


def count(counts: FloatArray, k: int, reward: float) -> tuple[int, float]:
    """Count a reward of arm k, in rows 0 to ``STEPS`` of (.., K); return its value and part."""
    value, part = twentieth(reward)
    if part > 0.0:
        counts[value + 1, k] += part
    counts[value, k] += 1.0 - part
    return value, part


def level_at(counts: FloatArray, k: int, pulls: float, t: float) -> tuple[float, float, float]:
    """Return KL(t), its slope in t and E_q X for the counts of arm k."""
    logs = one = first = second = 0.0
    for j in range(STEPS + 1):
        p = counts[j, k] / pulls
        if p > 0.0:
            x = j / STEPS
            rest = 1.0 - t * x
            logs += p * math.log(rest)
            one += p / rest
            first += p * x / rest
            second += p * x / (rest * rest)
    return logs + math.log(one), second / one - first, first / one


def upper_bound(counts: FloatArray, k: int, pulls: float, level: float) -> tuple[float, float]:
    """Return U for the counts of arm k, and its slope in the level."""
    if level <= 0.0:
        return level_at(counts, k, pulls, 0.0)[2], math.inf
    if counts[STEPS, k] > 0.0:
        if counts[STEPS, k] >= pulls:
            return 1.0, 0.0
    elif level_at(counts, k, pulls, 1.0)[0] <= level:
        logs = 0.0
        for j in range(STEPS):
            if counts[j, k] > 0.0:
                logs += counts[j, k] / pulls * math.log(1.0 - j / STEPS)
        left = math.exp(logs - level)
        return 1.0 - left, left
    # The root of KL(t) is nearly a line through 0: Newton's steps for it, within a bracket.
    low, high, t, mean, root = 0.0, 1.0, 0.5, 0.0, math.sqrt(level)
    for _ in range(60):
        divergence, slope, mean = level_at(counts, k, pulls, t)
        if divergence > level:
            high = t
        else:
            low = t
        divergence = max(divergence, 0.0)
        at = math.sqrt(divergence)
        step = 2.0 * at * (root - at) / slope if slope > 0.0 else 1.0
        # KL(t) itself is known to some 1e-16.
        if abs(step) <= (1e-12 + 1e-15 / level) * t:
            break
        t = t + step if low < t + step < high else 0.5 * (low + high)
        if high - low <= 1e-15:
            break
    return mean, 1.0 / t - mean


def add(memory: FloatArray, k: int, value: int, weight: float) -> None:
    """Add a value that counts so much to the sums of arm k."""
    x = value / STEPS
    rest = 1.0 - memory[TILT, k] * x
    memory[LOGS, k] += weight * math.log(rest)
    memory[ONES, k] += weight / rest
    memory[FIRSTS, k] += weight * x / rest


def look(memory: FloatArray, k: int, pulls: float, total: float) -> None:
    """Count the last reward of arm k, and take the point of U at the same t."""
    value, part = count(memory, k, total - memory[TOTAL, k])
    memory[MEAN, k] += ((value + part) / STEPS - memory[MEAN, k]) / pulls
    memory[OBSERVED, k], memory[TOTAL, k] = pulls, total
    memory[SLOPE, k], memory[SOLVED, k] = math.inf, -1.0
    if memory[TILT, k] > 0.0:
        add(memory, k, value, 1.0 - part)
        if part > 0.0:
            add(memory, k, value + 1, part)
        memory[BOUND, k] = memory[FIRSTS, k] / memory[ONES, k]
        memory[LEVEL, k] = memory[LOGS, k] / pulls + math.log(memory[ONES, k] / pulls)
        memory[SLOPE, k] = 1.0 / memory[TILT, k] - memory[BOUND, k]


def most(memory: FloatArray, k: int, level: float) -> float:
    """Return an upper bound of U of arm k at a level, or U itself once it is solved for."""
    if memory[SOLVED, k] == level:
        return memory[BOUND, k]
    if memory[SLOPE, k] == math.inf:
        return math.inf
    return memory[BOUND, k] + memory[SLOPE, k] * (level - memory[LEVEL, k]) + ROUNDING


def least(memory: FloatArray, k: int, level: float) -> float:
    """Return a lower bound of U of arm k at a level."""
    if memory[SLOPE, k] == math.inf:
        return -math.inf
    mean, bound = memory[MEAN, k], memory[BOUND, k]
    share = level / memory[LEVEL, k] if level < memory[LEVEL, k] else 1.0
    return mean + (bound - mean) * share - ROUNDING


def solve(memory: FloatArray, k: int, pulls: float, level: float) -> None:
    """Solve for U of arm k at a level, and sum its counts at the t of it."""
    bound, slope = upper_bound(memory, k, pulls, level)
    memory[LEVEL, k], memory[BOUND, k], memory[SLOPE, k] = level, bound, slope
    memory[SOLVED, k] = level
    t = 1.0 / (slope + bound)
    memory[TILT, k] = t if t < 1.0 - 1e-6 else 0.0
    memory[LOGS, k] = memory[ONES, k] = memory[FIRSTS, k] = 0.0
    if memory[TILT, k] > 0.0:
        for value in range(STEPS + 1):
            if memory[value, k] > 0.0:
                add(memory, k, value, memory[value, k])


def largest(state: Round, log: float) -> int:
    """Return the arm of the largest index at f(n) = log; the first of several."""
    n_arms, memory = len(state.pulls), state.memory
    for k in range(n_arms):
        if state.observed[k] != memory[OBSERVED, k]:
            look(memory, k, state.observed[k], state.observed[k] * state.means[k])
    choice = 0
    for _ in range(n_arms + 1):
        # The arm that may have the largest index is the one to pull, if it is known to have it.
        best, second, extra = -math.inf, -math.inf, 0.0
        for k in range(n_arms):
            # At a hard cap -inf, or no number: it is not taken.
            bonus = float(state.bonuses[k])
            index = float(most(memory, k, log / state.observed[k])) + bonus
            if index > best:
                best, second, extra, choice = index, best, bonus, k
            elif index > second:
                second = index
        level = log / state.observed[choice]
        if memory[SOLVED, choice] == level or least(memory, choice, level) + extra > second:
            return choice
        solve(memory, choice, state.observed[choice], level)
    return choice


POLICY = Policy(
    id="empirical_kl_hard_threshold",
    card=Card(
        label="Hard-threshold empirical KL",
        reference="Cappé et al. 2013; threshold of eq. (11)",
        formula="max U_k + A_k 1(N_k < τ_k n), U_k the bound of empirical KL-UCB",
        guarantees="rewards in [0, 1]: the exact constant of log T; on twentieths no consistent "
        "policy has a smaller one (Theorems 2′ and 3′)",
        limitations="rewards outside [0, 1]; values are counted in twentieths",
        classical="empirical_kl_ucb",
        bound="empirical_kl",
    ),
    needs_unit_rewards=True,
    choose=lambda state: largest(state, state.log + math.log(max(state.log, 1.0))),
    memory=STEPS + 12,
    hints=Hints(compiles=True),
)

CLASSICAL = POLICY.without_penalties(
    Card(
        label="Empirical KL-UCB",
        reference="Cappé, Garivier, Maillard, Munos and Stoltz 2013",
        formula="max E_q X over laws q on the values seen and 1 with KL(p_k, q) ≤ (log n + log "
        "log n) / N_k, p_k the law seen",
        guarantees="rewards in [0, 1] on twentieths: classical "
        "regret of the least constant, Σ Δ_k / K_inf(k, μ*), times log T, asymptotically",
        limitations="knows no penalties: penalized regret linear in T where A_k > Δ_k; rewards "
        "outside [0, 1]; values are counted in twentieths",
    ),
)

LOG = replace(
    POLICY,
    id="empirical_kl_hard_threshold_log",
    choose=lambda state: largest(state, state.log),
    card=replace(
        POLICY.card,
        label="Hard-threshold empirical KL, log n",
        formula="max U_k + A_k 1(N_k < τ_k n), U_k the bound of empirical KL-UCB at log n / N_k",
        classical=None,
        bound="empirical_kl_log",
    ),
)
