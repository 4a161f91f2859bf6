"""Revenue floors: what a share tau_k of the pulls is worth is set aside, the rest is KL-UCB's.

    q_k = f_k / max(l_k, f_k),    f_k = tau_k m_k(n-1)
    if the q_k sum to 1 or more:    q_k = f_k / u_k
    draw the arm from the q_k, what they leave being the share of the arm with the largest u_k

u_k and l_k are the largest and the least q with kl(m_k, q) <= 3.03 log n / N_k, kl that of
Bernoulli laws.  Source: Baudry, Merlis, Molina, Richard and Perchet, "Multi-armed bandits with
guaranteed revenue per arm", AISTATS 2024, and their public code: floors for sure (l_k) as long
as that can be done, else hopefully (u_k).  Their floors f_k are numbers given in advance, each arm
is to earn f_k a round in expectation, and the optimal share of a floor is f_k / mu_k.

Adapted here: what is to be kept is a share of pulls, tau_k.  It is worth tau_k mu_k, and m_k
stands for mu_k.  (With m_k in both places the share would be tau_k itself; with l_k it is larger
and tends to tau_k.)  An arm that has earned nothing yet has floor 0.

Bounds move slowly, so what each lies between holds for many rounds.  Mostly that shows which arm is
drawn; where it does not, all bounds are solved for.
"""

import math

import numpy as np

from penalized_bandits.common.typing import FloatArray
from penalized_bandits.policies.base import Card, Hints, Policy, Round
from penalized_bandits.policies.classical.kl_ucb import bracket, upper_bound

OBSERVED, UNTIL, LOW, HIGH, REST = range(5)
"""Rows of the memory: N_k at the last look, and the round until which holds what was found: what
u_k lies between, a guess of 1 - l_k, ..."""
SURE, HOPED, TAU = 5, 7, 9
"""... what f_k / max(l_k, f_k) and f_k / u_k lie between, two rows each, and tau_k then."""
MARGIN = 1e-9
"""Far more than rounding can make of a sum of shares."""


def look(memory: FloatArray, k: int, n: int, mean: float, floor: float, exponent: float) -> None:
    """Find the limits of arm k's numbers from round n on."""
    until = n + 8 + n // 64
    log, rate = math.log(max(n - 1, 1)), exponent / memory[OBSERVED, k]
    # Whatever the logarithm is of (interpretation R1): from log(n - 1) to log(until).
    level, later = rate * log, rate * math.log(until)
    low, high = bracket(mean, level, later, memory[HIGH, k])
    memory[LOW, k], memory[HIGH, k] = low, high
    low, high = bracket(1.0 - mean, level, later, memory[REST, k])
    memory[REST, k] = high
    memory[SURE, k] = floor / max(1.0 - low, floor) if floor > 0.0 else 0.0
    memory[SURE + 1, k] = floor / max(1.0 - high, floor) if floor > 0.0 else 0.0
    memory[HOPED, k] = floor / memory[HIGH, k]
    memory[HOPED + 1, k] = floor / max(memory[LOW, k], floor) if floor > 0.0 else 0.0
    memory[UNTIL, k] = until


def choose(state: Round) -> int:
    """Return an arm drawn from the shares."""
    n_arms, memory, exponent = len(state.pulls), state.memory, 0.5 * state.exploration
    leader, highest, least, most = 0, -1.0, 0.0, 0.0
    for k in range(n_arms):
        # A live player's fractions may change.
        new = state.observed[k] != memory[OBSERVED, k] or state.fairness[k] != memory[TAU, k]
        if new or state.n > memory[UNTIL, k]:
            mean = min(max(state.means[k], 0.0), 1.0)
            memory[OBSERVED, k], memory[TAU, k] = state.observed[k], state.fairness[k]
            look(memory, k, state.n, mean, state.fairness[k] * mean, exponent)
        least += memory[SURE, k]
        most += memory[SURE + 1, k]
        if memory[LOW, k] > highest:
            leader, highest = k, memory[LOW, k]
    row = SURE
    if least >= 1.0 + MARGIN:
        row, least, most = HOPED, 0.0, 0.0
        for k in range(n_arms):
            least += memory[HOPED, k]
            most += memory[HOPED + 1, k]
    elif most >= 1.0 - MARGIN:
        return drawn_for_sure(state, exponent)
    rivals = -1
    for k in range(n_arms):
        rivals += 1 if memory[HIGH, k] > highest else 0
    # Arm k is drawn where the number is from the sum of the shares before it to that with its own;
    # from the leader on that is what the arms after it leave of 1.
    uniform, reached_least, reached_most = state.noise[0], 0.0, 0.0
    for k in range(n_arms if rivals == 0 else 0):
        reached_least += memory[row, k]
        reached_most += memory[row + 1, k]
        low = reached_least if k < leader else 1.0 - (most - reached_most)
        high = reached_most if k < leader else 1.0 - (least - reached_least)
        if uniform < low - MARGIN:
            return k
        if uniform < high + MARGIN:
            break
    return drawn_for_sure(state, exponent)


def drawn_for_sure(state: Round, exponent: float) -> int:
    """Return the arm drawn, with all bounds solved for."""
    means = np.minimum(np.maximum(state.means, 0.0), 1.0)
    floors, bounds, shares = state.fairness * means, np.empty_like(means), np.empty_like(means)
    for k in range(len(means)):
        level = exponent * state.log / state.observed[k]
        bounds[k] = upper_bound(means[k], level)
        # kl(p, q) = kl(1 - p, 1 - q)
        sure = 1.0 - upper_bound(1.0 - means[k], level)
        shares[k] = floors[k] / max(sure, floors[k]) if floors[k] > 0.0 else 0.0
    if shares.cumsum()[-1] >= 1.0:
        shares = floors / bounds
    shares[bounds.argmax()] += 1.0 - shares.cumsum()[-1]
    return drawn_from(shares, state.noise[0])


def drawn_from(shares: FloatArray, uniform: float) -> int:
    """Return the arm in whose part of [0, 1) a number lies, by inversion."""
    reached = 0.0
    for k in range(len(shares)):
        reached += shares[k]
        if uniform < reached:
            return k
    return int(shares.argmax())


POLICY = Policy(
    id="revenue_floors",
    card=Card(
        label="Revenue floors",
        reference="Baudry, Merlis, Molina, Richard and Perchet 2024; floors of τ_k m_k ours",
        formula="k with probability τ_k m_k / l_k (or, if these exceed 1 in sum, τ_k m_k / u_k), "
        "else max u_k; l_k, u_k the bounds of KL-UCB with 3.03 log n",
        guarantees="none known: theirs are for floors given in advance",
        limitations="knows no penalties: serves arms whose gap exceeds A_k too, at a loss linear "
        "in T; rewards outside [0, 1]",
    ),
    needs_unit_rewards=True,
    choose=choose,
    memory=10,
    exploration=6.06,
    draws="uniform",
    ignores_penalties=True,
    hints=Hints(compiles=True),
)
