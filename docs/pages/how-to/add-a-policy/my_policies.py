"""Policies of my own."""

import math

import numba

from penalized_bandits import Arm, Card, Policy, Round


def greedy_index(arm: Arm) -> float:
    """Mean plus the hard-threshold bonus: fairness alone makes it try other arms."""
    return arm.mean + arm.bonus


greedy = Policy(
    "greedy", Card("Greedy with threshold", "eq. (11) without its radius"), index=greedy_index
)


@numba.njit
def dearest_debt(state: Round) -> int:
    """Pull the arm whose debt is dearest; without debts, play UCB1."""
    best, choice = -math.inf, 0
    most, debtor = 0.0, -1
    for k in range(len(state.pulls)):
        debt = state.penalties[k] * (state.fairness[k] * state.n - state.pulls[k])
        if debt > most:
            most, debtor = debt, k
        index = state.means[k] + math.sqrt(2 * state.log / state.observed[k])
        if index > best:
            best, choice = index, k
    return choice if debtor < 0 else debtor


debt = Policy("debt", Card("Dearest debt", "of my own"), choose=dearest_debt)
