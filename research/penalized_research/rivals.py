"""Policies beside those of the library where means change: recent rewards, floors in three ways.

The index is mean + sqrt(log n/(4 N)) of the rewards of the last W rounds, W the tuning (Theorem D
of research/docs/drift.md; Garivier and Moulines 2011), or of those since a restart, when deviations
of an arm sum up to more than a bar (CUSUM, Liu, Lee and Shroff 2018).
"""

import math
from functools import partial
from typing import Any

from penalized_bandits.policies.base import Card, Hints, Policy, Round, Tuning

WINDOWS = (75, 150, 300, 600)
LONGEST = WINDOWS[-1]
COUNT, SUM, SEEN, TOTAL, DEBT, UP, DOWN = range(LONGEST, LONGEST + 7)
"""Rows of the memory: number and sum of recent and of all rewards, debt q_k, sums of deviations.
Those before have the last rounds: the arm, from 1, and its reward."""
LEARNED, DRIFT, BAR = 100, 0.15, 20.0
"""Rewards before an arm's deviations count; what is taken off each; the bar."""
DUE, CREDIT, FREE = range(3)
"""Floors: by debts, surplus not credited; by a bonus A_k, surplus credited; none."""


def _note(state: Round, restarts: bool) -> None:
    """Enter the last round's reward into the memory."""
    memory, slot = state.memory, state.n % int(state.tuning)
    old = int(memory[slot, 0]) - 1
    if old >= 0 and not restarts:
        memory[COUNT, old] -= 1.0
        memory[SUM, old] -= memory[slot, 1]
    memory[slot, 0] = 0.0
    for k in range(len(state.pulls)):
        pulled = state.observed[k] > memory[SEEN, k]
        if state.n > 1:
            memory[DEBT, k] = max(memory[DEBT, k] + state.fairness[k] - pulled, 0.0)
        if pulled:
            reward = state.means[k] * state.observed[k] - memory[TOTAL, k]
            off = reward - memory[SUM, k] / max(memory[COUNT, k], 1.0)
            if restarts and memory[COUNT, k] >= LEARNED:
                memory[UP, k] = max(memory[UP, k] + off - DRIFT, 0.0)
                memory[DOWN, k] = max(memory[DOWN, k] - off - DRIFT, 0.0)
            memory[slot, 0], memory[slot, 1] = k + 1.0, reward
            for row, more in ((SEEN, 1.0), (TOTAL, reward), (COUNT, 1.0), (SUM, reward)):
                memory[row, k] += more
    if restarts and max(memory[UP].max(), memory[DOWN].max()) > BAR:
        for row in (COUNT, SUM, UP, DOWN):
            memory[row] = 0.0


def choose(state: Round, floors: int = DUE, restarts: bool = False) -> int:
    """Return the arm that is due most, or else the one of the largest index."""
    _note(state, restarts)
    # 1 but for rounding.
    due, owed, choice, highest = -1, 1 - 1e-9, 0, -math.inf
    for k in range(len(state.pulls)):
        debt, count = state.memory[DEBT, k] + state.fairness[k], state.memory[COUNT, k]
        if floors == DUE and debt > owed:
            due, owed = k, debt
        radius = math.sqrt(state.exploration * state.log / count) if count > 0 else math.inf
        index = state.memory[SUM, k] / max(count, 1.0) + radius
        if floors == CREDIT and state.pulls[k] < state.fairness[k] * state.n:
            index += state.penalties[k]
        if index > highest:
            choice, highest = k, index
    return due if due >= 0 else choice


def _rival(name: str, label: str, **given: Any) -> Policy:
    rules = {"choose": partial(choose, **given), "memory": LONGEST + 7, "exploration": 0.25}
    rules |= {"first_pulls": False, "tuning": Tuning("W"), "hints": Hints(compiles=True)}
    return Policy(name, Card(label=label), **rules)


RIVALS = {
    _rival("window_due_first", "Due first, window", floors=DUE): WINDOWS[-1:],
    _rival("restarts_due_first", "Due first, restarts", floors=DUE, restarts=True): WINDOWS[-1:],
    _rival("window_threshold", "Hard threshold, window", floors=CREDIT): WINDOWS,
    _rival("window_ucb", "Window, no floors", floors=FREE): WINDOWS,
}
"""Policies with the windows that are tried."""
