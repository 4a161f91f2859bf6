"""UCB-V and UCB-V with the hard threshold: the noise is learnt arm by arm.

    i_k(n) = m_k + A_k 1(N_k < tau_k n) + sqrt(2 v_k log n / N_k) + 3 log n / N_k

with v_k the variance of the rewards seen (divided by N_k), for rewards in [0, 1].  Source:
Audibert, Munos and Szepesvári, Theoretical Computer Science 410, 2009, with zeta = 1, c = 1
(they prove for zeta > 1; 1 is the usual choice); the threshold is the paper's, eq. (11).
"""

import math

from penalized_bandits.policies.base import Card, Hints, Policy, Round

LAST_TOTAL, SQUARES = range(2)
"""Rows of the memory: the sum of an arm's rewards when last looked at, and of their squares."""


def bound(state: Round, k: int) -> float:
    """Return the index of UCB-V of arm k, and note its last reward."""
    level = state.exploration * state.log
    count, mean = state.observed[k], state.means[k]
    total = count * mean
    if count == 1.0:
        state.memory[SQUARES, k] = mean * mean
    elif total != state.memory[LAST_TOTAL, k]:
        # The reward of the one pull since the last look.
        reward = total - state.memory[LAST_TOTAL, k]
        state.memory[SQUARES, k] += reward * reward
    state.memory[LAST_TOTAL, k] = total
    variance = max(state.memory[SQUARES, k] / count - mean * mean, 0.0)
    return mean + math.sqrt(variance * level / count) + 1.5 * level / count


def choose(state: Round) -> int:
    """Return the arm of the largest index; the first of them where several are."""
    best, choice = -math.inf, 0
    for k in range(len(state.pulls)):
        index = bound(state, k)
        if state.pulls[k] < state.fairness[k] * state.n:
            index += state.penalties[k]
        if index > best:
            best, choice = index, k
    return choice


POLICY = Policy(
    id="hard_threshold_variance",
    card=Card(
        label="Hard-threshold UCB-V",
        reference="Audibert, Munos and Szepesvári 2009; threshold of eq. (11)",
        formula="max m_k + A_k 1(N_k < τ_k n) + √(2 v_k log n / N_k) + 3 log n / N_k",
        guarantees="none known with the threshold",
        limitations="rewards outside [0, 1]; 3 log n / N_k rules until an arm has some hundred "
        "pulls",
    ),
    needs_unit_rewards=True,
    choose=choose,
    memory=2,
    classical="ucb_v",
    bound="empirical_variance",
    hints=Hints(compiles=True),
)

CLASSICAL = POLICY.without_penalties(
    "ucb_v",
    Card(
        label="UCB-V",
        reference="Audibert, Munos and Szepesvári 2009",
        formula="max m_k + √(2 v_k log n / N_k) + 3 log n / N_k",
        guarantees="rewards in [0, 1], for any more than log n in its place: classical regret "
        "O(log T), less where suboptimal arms vary less",
        limitations="knows no penalties: penalized regret linear in T where A_k > Δ_k; rewards "
        "outside [0, 1]; 3 log n / N_k rules until an arm has some hundred pulls",
    ),
)
