"""Due first, then the largest discounted bound: floors in every window, for means that change.

    q_k <- (q_k + tau_k - 1(I = k))+ after each round, q_k = 0 at first
    if some q_k + tau_k >= 1, pull the arm with the largest q_k + tau_k; else the largest
    S_k / C_k + sqrt(log n / (4 C_k)),  C_k = sum w_s,  S_k = sum w_s X_s,  w_s = 2^-((n-1-s)/h)

over the arm's rewards X_s, of the rounds s; h is the half-life in rounds, T/10 where nothing is
known of the changes (theory/half_lives.py).  Theorem D of research/docs/drift.md is about the debts
q_k, and about a rule that forgets by a window.  Sources: debts as in Li, Liu and Ji (IEEE TNSE
2020), discounts as in Garivier and Moulines (ALT 2011).
"""

import math

from penalized_bandits.policies.base import Card, Hints, Policy, Round, Tuning

LOG_2 = math.log(2.0)
FAINT = 1e-100  # rewards fade no further, so that their mean stays known
ROUNDED = 1e-6  # the rounding of debts in 2^31 rounds
COUNT, SUM, ROUND, SEEN, TOTAL, LEAST = range(6)
"""Rows of the memory: C_k, S_k and the round n that they are of; number and sum of all rewards
shown; the least tau_k s - N_k(s) over the rounds s so far: q_k is its present value less that."""


def weight(rounds: float, half_life: float) -> float:
    """Return the weight of a reward after so many rounds, of a half-life of at least 0.001."""
    return max(math.exp(-LOG_2 * rounds / max(half_life, 0.001)), FAINT)


def choose(state: Round) -> int:
    """Return the arm that is due most, or else of the largest discounted bound."""
    n, memory, once = state.n, state.memory, weight(1.0, state.tuning)
    due, owed, choice, highest = -1, 1.0 - ROUNDED, 0, -math.inf
    for k in range(len(state.pulls)):
        # q_k + tau_k, in the closed form of the recursion: rounds of an arm's sleep count too.
        before = state.fairness[k] * (n - 1) - state.pulls[k]
        memory[LEAST, k] = min(memory[LEAST, k], before)
        debt = state.fairness[k] * n - state.pulls[k] - memory[LEAST, k]
        if debt > owed:
            due, owed = k, debt
        passed = n - memory[ROUND, k]
        faded = once if passed == 1.0 else weight(passed, state.tuning)
        if memory[COUNT, k] > FAINT:
            memory[COUNT, k] *= faded
            memory[SUM, k] *= faded
        memory[ROUND, k] = n
        new = state.observed[k] - memory[SEEN, k]
        if new > 0.0:
            # The sum is no running one: errors of single rewards, differences of it, cancel.
            total = state.means[k] * state.observed[k]
            late = weight(state.delays[k], state.tuning)
            memory[COUNT, k] += late * new
            memory[SUM, k] += late * (total - memory[TOTAL, k])
            memory[SEEN, k] = state.observed[k]
            memory[TOTAL, k] = total
        # An arm without rewards comes first, of several the one of fewest pulls.
        bound, count = 1e300 / (1.0 + max(state.pulls[k], 0.0)), memory[COUNT, k]
        if count > 0.0:
            bound = memory[SUM, k] / count + math.sqrt(state.exploration * state.log / count)
        if bound > highest:
            choice, highest = k, bound
    choice = due if due >= 0 else choice
    # Here too, as an arm that sleeps in the next rounds is not looked at.
    after = state.fairness[choice] * n - (state.pulls[choice] + 1.0)
    memory[LEAST, choice] = min(memory[LEAST, choice], after)
    return choice


POLICY = Policy(
    id="forgetting_threshold",
    card=Card(
        label="Forgetting threshold",
        reference="Li, Liu and Ji 2020; Garivier and Moulines 2011; the combination ours",
        formula="max q_k + τ_k where it is at least 1, else max S_k / C_k + √(log n / (4 C_k)) of "
        "the discounted sum and number of rewards",
        guarantees="whatever the means do, in every window of rounds an arm lacks fewer than K − 1 "
        "pulls of its share (Theorem D)",
        limitations="no proof for discounts, only measurements; knows no penalties: serves arms "
        "whose gap exceeds A_k too",
    ),
    choose=choose,
    memory=6,
    forgets=weight,
    exploration=0.25,
    first_pulls=False,
    ignores_penalties=True,
    tuning=Tuning("h", lambda _arms, rounds: rounds / 10, meaning=" in rounds: see half_life"),
    hints=Hints(compiles=True),
)
