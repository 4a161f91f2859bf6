"""Optimistic plan-and-track: the best shares for the upper bounds, and the arm furthest behind.

    u_k = m_k(n-1) + sqrt(2 log n / N_k(n-1)),    l the arm with the largest u_k
    p_k = tau_k 1(u_k + A_k > u_l) for k other than l,    p_l = 1 - sum of the other p_k
    pull the arm with the largest  n p_k - N_k(n-1)

p maximises sum u_k p_k - sum A_k (tau_k - p_k)+ over the simplex: a share of arm k up to tau_k is
worth u_k + A_k, and u_k beyond.  (With equality an arm may have its tau_k or not.)
Source of the plan: Agrawal and Devanur, "Bandits with concave rewards and convex knapsacks", EC
2014 (arXiv 1402.5758), for any concave objective of the mean outcome; they draw the arm from p.  To
pull the arm furthest behind instead is ours, after D-tracking (Garivier and Kaufmann, COLT 2016).
The n p_k - N_k(n-1) of the arms in the plan sum to 1 and the pulls of all arms outside it, which
they share: deficits are expected to grow with what exploration takes, as log T.
"""

import math

from penalized_bandits.policies.base import Card, Hints, Policy, Round


def choose(state: Round) -> int:
    """Return the arm that is furthest behind the plan; memory[0] holds the round's bounds."""
    n_arms, bounds = len(state.pulls), state.memory[0]
    scale = math.sqrt(state.exploration * state.log)
    for k in range(n_arms):
        bounds[k] = state.means[k] + scale * (1.0 / math.sqrt(state.observed[k]))
    leader, highest = 0, bounds[0]
    for k in range(1, n_arms):
        leader = k if bounds[k] > highest else leader
        highest = max(highest, bounds[k])
    rest, furthest, choice = 1.0, -math.inf, 0
    for k in range(n_arms):
        planned = k != leader and bounds[k] + state.penalties[k] > highest
        share = state.fairness[k] if planned else 0.0
        rest -= share
        behind = share * state.n - state.pulls[k] if planned else -math.inf
        choice = k if behind > furthest else choice
        furthest = max(furthest, behind)
    # What a live player's other arms, asleep, retired or without a reward yet, had is not owed.
    others = state.n - 1.0 - state.pulls.sum()
    behind = rest * state.n - state.pulls[leader] - others
    first = behind > furthest or (behind == furthest and leader < choice)
    return leader if first else choice


POLICY = Policy(
    id="plan_and_track",
    card=Card(
        label="Plan and track",
        reference="Agrawal and Devanur 2014; tracking ours",
        formula="max n p_k - N_k; p_k = τ_k where u_k + A_k > max u, the rest to the largest u_k "
        "= m_k + √(2 log n / N_k)",
        guarantees="none known with tracking; with draws from p, O(√(K T log T)) whatever the gaps",
        limitations="bounded deficits: the plan's arms share what exploration took",
        classical="ucb1",
    ),
    choose=choose,
    memory=1,
    hints=Hints(compiles=True),
)
