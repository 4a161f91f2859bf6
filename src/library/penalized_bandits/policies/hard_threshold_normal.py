"""UCB for Gaussian rewards of unknown variance, and the same with the hard threshold.

    i_k(n) = m_k + A_k 1(N_k < tau_k n) + s_k sqrt(n^(2 / (N_k - 2)) - 1)

with s_k^2 the variance of the rewards seen (divided by N_k), after three pulls of each arm.
Source: Cowan, Honda and Katehakis, "Normal bandits of unknown means and variances", JMLR 18(154),
2018; the threshold is the paper's, eq. (11).  Rewards that do not vary leave no bonus: the arm
that seems best is pulled from then on.  A pull with reward x adds (x - m) (x - m') to the sum of
squares, m' and m the means before and after; that is N (N - 1) (m - m')^2.
"""

import math

from penalized_bandits.policies.base import UNPULLED_ROOT, Card, Hints, Policy, Round

LAST_MEAN, SQUARES, OBSERVED, HIGHEST, UNTIL, MOST = range(6)
"""Rows of the memory: an arm's mean when last looked at, sum (x - m)^2 of its rewards and their
number; what its bound cannot exceed up to a round, and that round; what its index cannot exceed."""
FIRST_PULLS = 3.0


def bound(state: Round, k: int, log: float) -> float:
    """Return the index of arm k but for its threshold, infinite before its third pull."""
    count = state.observed[k]
    if count < FIRST_PULLS:  # where rewards are late, the arm of the fewest pulls first
        late = count < state.pulls[k]
        return UNPULLED_ROOT / state.pulls[k] if late else math.inf
    sd = math.sqrt(state.memory[SQUARES, k] / count)
    return state.means[k] + sd * math.sqrt(math.expm1(2.0 * log / (count - 2.0)))


def look(state: Round, k: int) -> None:
    """Take the last reward of arm k, and what its bound cannot exceed for some rounds."""
    count, mean, memory = state.observed[k], state.means[k], state.memory
    if count > 1.0:
        change = mean - memory[LAST_MEAN, k]
        memory[SQUARES, k] += count * (count - 1.0) * change * change
    memory[LAST_MEAN, k], memory[OBSERVED, k] = mean, count
    # log(n - 1 + more) <= log(n - 1) + more / (n - 1), whatever the logarithm is of (reading R1).
    more = 9.0 + state.n // 64
    memory[UNTIL, k] = state.n - 1.0 + more
    memory[HIGHEST, k] = bound(state, k, state.log + more / (state.n - 1.0))


def threshold_bonus(state: Round, k: int) -> float:
    """Return the penalty rate of an arm below its fairness level, else 0."""
    return state.penalties[k] if state.pulls[k] < state.fairness[k] * state.n else 0.0


def choose(state: Round) -> int:
    """Return the arm of the largest index; the first of several."""
    highest, choice, memory = -math.inf, 0, state.memory
    for k in range(len(state.pulls)):
        if state.observed[k] != memory[OBSERVED, k] or state.n > memory[UNTIL, k]:
            look(state, k)
        memory[MOST, k] = memory[HIGHEST, k] + threshold_bonus(state, k)
        if memory[MOST, k] > highest:
            highest, choice = memory[MOST, k], k
    leader = choice
    best = bound(state, leader, state.log) + threshold_bonus(state, leader)
    for k in range(len(state.pulls)):
        if memory[MOST, k] >= best and k != leader:
            index = bound(state, k, state.log) + threshold_bonus(state, k)
            if index > best or (index == best and k < choice):
                best, choice = index, k
    return choice


POLICY = Policy(
    id="hard_threshold_normal",
    card=Card(
        label="Hard threshold, unknown variance",
        reference="Cowan, Honda and Katehakis 2018; threshold of eq. (11)",
        formula="max m_k + A_k 1(N_k < τ_k n) + s_k √(n^(2/(N_k − 2)) − 1); 3 pulls of each arm "
        "first",
        guarantees="none known with the threshold",
        limitations="other laws of rewards than Gaussian ones: of two pulls alike the variance is "
        "0",
    ),
    choose=choose,
    memory=6,
    classical="ucb_normal",
    bound="unknown_variance",
    hints=Hints(compiles=True),
)

CLASSICAL = POLICY.without_penalties(
    "ucb_normal",
    Card(
        label="UCB, unknown variance",
        reference="Cowan, Honda and Katehakis 2018",
        formula="max m_k + s_k √(n^(2/(N_k − 2)) − 1), s_k the standard deviation seen; 3 pulls "
        "of each arm first",
        guarantees="Gaussian rewards: classical regret of the least constant, Σ 2Δ_k / log(1 + "
        "Δ_k²/σ_k²), times log T, asymptotically",
        limitations="knows no penalties: penalized regret linear in T where A_k > Δ_k; other laws "
        "of rewards",
    ),
)
