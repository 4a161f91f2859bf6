"""Due first, then MOSS at the water level: what learning costs where every arm has a floor.

    if some tau_k n > N_k(n-1), pull the arm with the largest tau_k n - N_k(n-1); else the largest
    m_k(n-1) + sqrt(max(log(w / N_k(n-1)), 0) / N_k(n-1))

w is the level to which (1 - sum tau) T pulls lift the arms with the lowest floors tau_k T; with
equal floors it is T / K.  Theorem P of research/docs/floors.md is about it.  Source: the index
is that of Audibert and Bubeck, COLT 2009, with w in the place of T / K; what is due comes first as
in Claure et al., HRI 2020.  T must be known: it is the tuning.
"""

import math

import numpy as np

from penalized_bandits.policies.base import Card, Hints, Policy, Round, Tuning


def water_level(state: Round) -> float:
    """Return w, the least over m of (H + the m lowest floors)/m; H = (1 - sum tau) T."""
    free = 1.0
    for k in range(len(state.fairness)):
        free -= state.fairness[k]
    total, level, lowest = max(free, 0.0), math.inf, np.sort(state.fairness)
    for k in range(len(lowest)):
        total += lowest[k]
        level = min(level, total / (k + 1))
    return level * state.tuning


def choose(state: Round) -> int:
    """Return the arm that is due most, or else of the largest index; memory[0, 0] holds w."""
    if state.memory[0, 0] == 0.0:
        state.memory[0, 0] = water_level(state)
    short = state.fairness * state.n - state.pulls
    if short.max() > 0.0:
        return int(short.argmax())
    level, indices = state.memory[0, 0], state.memory[1]
    for k in range(len(indices)):
        share = level / state.observed[k]
        radius = math.sqrt(math.log(share) / state.observed[k]) if share > 1.0 else 0.0
        indices[k] = state.means[k] + radius
    return int(indices.argmax())


POLICY = Policy(
    id="moss_due_first",
    card=Card(
        label="Due first, then MOSS",
        reference="Audibert and Bubeck 2009; Claure et al. 2020; level ours",
        formula="max τ_k n - N_k where it is above 0, else max m_k + √(max(log(w / N_k), 0) / N_k)",
        guarantees="rewards in [0, 1], A_k ≥ 1 wherever τ_k > 0: penalized regret of the least "
        "order whatever the gaps, without log T, but for (2 + max A)(K − 1) (Theorem P)",
        limitations="must know T; knows no penalties: serves arms whose gap exceeds A_k too",
    ),
    choose=choose,
    memory=2,
    shares_memory=True,
    exploration=0.0,
    ignores_penalties=True,
    tuning=Tuning(symbol="T", regret=lambda arms, horizon: float(horizon)),  # noqa: ARG005
    hints=Hints(compiles=True),
)
