"""Thompson sampling with additive floors: each arm has its fraction, Thompson the rest.

    with probability tau_k pull arm k, else the arm with the largest sample
    theta_k ~ Beta(1 + S_k, 1 + N_k - S_k),    S_k the sum of the rewards of arm k

So arm k is pulled with probability p_k = tau_k + (1 - sum tau) w_k, w_k that of being the best
given what was seen.  Source: practice (growthbook, issue 4037 and pull request 6145, where the
additive floor took the place of raising w_k to the floor and scaling all).  Samples are those of
``thompson_beta``.  The deficit of an arm that Thompson sampling has given up is of order
sqrt(tau_k (1 - tau_k) T / (2 pi)) on average.
"""

import math

from penalized_bandits.policies.base import Card, Hints, Policy, Round
from penalized_bandits.policies.samples import beta


def choose(state: Round) -> int:
    """Return the arm of a floor, or that of the largest sample."""
    # What remains of this number beyond the floors is a seed of samples as good as it was.
    floor = state.noise[0]
    for k in range(len(state.pulls)):
        floor -= state.fairness[k]
        if floor < 0.0:
            return k
    best, choice = -math.inf, 0
    for k in range(len(state.pulls)):
        total = min(max(state.observed[k] * state.means[k], 0.0), state.observed[k])
        sample = beta(state.noise[k], 1.0 + total, 1.0 + (state.observed[k] - total))
        if sample > best:
            best, choice = sample, k
    return choice


POLICY = Policy(
    id="thompson_floors",
    card=Card(
        label="Thompson with floors",
        reference="practice (growthbook, issue 4037)",
        formula="k with probability τ_k, else max θ_k ~ Beta(1 + S_k, 1 + N_k - S_k)",
        guarantees="N_k at least binomial with T - K and τ_k: shortfalls of O(√T) on average",
        limitations="knows no penalties: serves arms whose gap exceeds A_k too, at a loss linear "
        "in T; rewards outside [0, 1]",
    ),
    needs_unit_rewards=True,
    choose=choose,
    exploration=0.0,
    draws="floors",
    ignores_penalties=True,
    hints=Hints(compiles=True),
)
