"""Pessimistic-optimistic queueing (POND): virtual queues with a vanishing margin.

    pull the arm with the largest  V_n min(m_k(n-1) + sqrt(2 log n / N_k(n-1)), 1) + Q_k(n)
    Q_k(n+1) = max(Q_k(n) + tau_k - 1{k pulled} + eps_n, 0)

    V_n = v delta K^(1/4) sqrt(2 n / 3),    eps_n = min(K^(3/4) sqrt(6 / n), delta / 2)
    delta = (1 - sum tau) / K

Source: Liu, Li, Shi and Ying, NeurIPS 2021 (arXiv 2102.05295), for the constraints
tau_k - 1{k pulled} <= 0, of which delta is Slater's constant; theirs is v = 1.  The
published margin eps_n exceeds any feasible one until n is of order K^(7/2); it is cut at
delta / 2, where the tightened constraints can still be met.  Queues fill from round K + 1 on,
after one pull of each arm.  They prove their bounds with LinUCB's bound in the place of UCB1's.
"""

import math

from penalized_bandits.policies.base import Card, Hints, Policy, Round, Tuning, spaced_in_logarithms


def choose(state: Round) -> int:
    """Return the arm of the largest weight, and update the queues, which are memory[0]."""
    n_arms, queues = len(state.pulls), state.memory[0]
    owed = 0.0
    for k in range(n_arms):  # numpy's sum, in pairs, is another than numba's
        owed += state.fairness[k]
    slater = (1.0 - owed) / n_arms
    margin = min(n_arms**0.75 * math.sqrt(6.0 / state.n), 0.5 * slater)
    weight = state.tuning * slater * n_arms**0.25 * math.sqrt(state.n / 1.5)
    scale = math.sqrt(state.exploration * state.log)
    best, choice = -math.inf, 0
    for k in range(n_arms):
        bound = min(state.means[k] + scale / math.sqrt(state.observed[k]), 1.0)
        if weight * bound + queues[k] > best:
            best, choice = weight * bound + queues[k], k
    served = queues[choice] + state.fairness[choice] - 1.0 + margin
    for k in range(n_arms):
        queues[k] = max(queues[k] + state.fairness[k] + margin, 0.0)
    queues[choice] = max(served, 0.0)
    return choice


POLICY = Policy(
    id="pond",
    card=Card(
        label="POND",
        reference="Liu, Li, Shi and Ying 2021",
        formula="max V_n min(m_k + √(2 log n / N_k), 1) + Q_k; Q_k gains τ_k + ε_n a round, loses "
        "1 a pull; V_n ~ √n, ε_n ~ 1/√n",
        guarantees="as published: regret O(√T), but for logarithms, against the best that keeps "
        "the fractions, and in expectation no shortfall from some round on",
        limitations="knows no penalties; the margin ε_n is cut here so that it can be met, "
        "outside the proof; means outside [0, 1]",
    ),
    needs_unit_rewards="means",
    choose=choose,
    memory=1,
    shares_memory=True,
    ignores_penalties=True,
    tuning=Tuning(
        symbol="v",
        regret=lambda arms, horizon: 1.0,  # noqa: ARG005
        tradeoff=lambda points, level, horizon: spaced_in_logarithms(0.1, horizon, points),  # noqa: ARG005
    ),
    hints=Hints(compiles=True),
)
