"""UCB for Gaussian rewards of unknown variance, and the same with the hard threshold.

    i_k(n) = m_k + A_k 1(N_k < tau_k n) + s_k sqrt(n^(2 / (N_k - 2)) - 1)

with s_k^2 the variance of the rewards seen (divided by N_k), after three pulls of each arm.
Source: Cowan, Honda and Katehakis, "Normal bandits of unknown means and variances", JMLR 18(154),
2018; the threshold is the paper's, eq. (11).  Without it they prove, for Gaussian rewards, a regret
of sum 2 Delta_k / log(1 + Delta_k^2 / sigma_k^2) times log T, which is the least constant where
neither means nor variances are known.  With the threshold nothing is proved.  Rewards that do
not vary leave no bonus: the arm that seems best is pulled from then on.  A pull with reward x
adds (x - m) (x - m') to the sum of squares, m' and m the means before and after; that is
N (N - 1) (m - m')^2.
"""

import math
from dataclasses import replace

from penalized_bandits.policies.base import UNPULLED_ROOT, Policy, Round

LAST_MEAN, SQUARES = range(2)
"""Rows of the memory: an arm's mean when last looked at, and sum (x - m)^2 of its rewards."""
FIRST_PULLS = 3.0


def bound(seen: Round, k: int) -> float:
    """Return the index of arm k but for its threshold, infinite before its third pull."""
    count, mean = seen.observed[k], seen.means[k]
    if count > 1.0:
        change = mean - seen.memory[LAST_MEAN, k]
        seen.memory[SQUARES, k] += count * (count - 1.0) * change * change
    seen.memory[LAST_MEAN, k] = mean
    if seen.pulls[k] < FIRST_PULLS:
        return math.inf
    if count < FIRST_PULLS:  # rewards are late: the arm of the fewest pulls first
        return UNPULLED_ROOT / seen.pulls[k]
    sd = math.sqrt(seen.memory[SQUARES, k] / count)
    return mean + sd * math.sqrt(math.expm1(2.0 * seen.log / (count - 2.0)))


def choose(seen: Round) -> int:
    """Return the arm of the largest index; the first of them where several are."""
    best, choice = -math.inf, 0
    for k in range(len(seen.pulls)):
        index = bound(seen, k)
        if seen.pulls[k] < seen.fairness[k] * seen.n:
            index += seen.penalties[k]
        if index > best:
            best, choice = index, k
    return choice


def choose_classical(seen: Round) -> int:
    """Do the same without a threshold."""
    best, choice = -math.inf, 0
    for k in range(len(seen.pulls)):
        index = bound(seen, k)
        if index > best:
            best, choice = index, k
    return choice


CLASSICAL = Policy(
    id="ucb_normal",
    label="UCB, unknown variance",
    reference="Cowan, Honda and Katehakis 2018",
    rule="max m_k + s_k √(n^(2/(N_k − 2)) − 1), s_k the standard deviation seen; 3 pulls of each "
    "arm first",
    guarantees="Gaussian rewards: classical regret of the least constant, "
    "Σ 2Δ_k / log(1 + Δ_k²/σ_k²), times log T, asymptotically",
    lacks="knows no penalties: penalized regret linear in T where A_k > Δ_k; other laws of rewards",
    choose=choose_classical,
    compiles=True,
    memory=2,
    ignores_penalties=True,
)

POLICY = replace(
    CLASSICAL,
    id="hard_threshold_normal",
    label="Hard threshold, unknown variance",
    reference="Cowan, Honda and Katehakis 2018; threshold of eq. (11)",
    rule="max m_k + A_k 1(N_k < τ_k n) + s_k √(n^(2/(N_k − 2)) − 1); 3 pulls of each arm first",
    guarantees="none known with the threshold",
    lacks="other laws of rewards than Gaussian ones: of two pulls alike the variance is 0",
    choose=choose,
    ignores_penalties=False,
    classical="ucb_normal",
)
