"""IMED: the arm whose lag behind the best could most easily be chance.

    pull the arm of the least  N_k kl(m_k, m*) + log N_k,    m* = max_j m_j;    all as of round n-1

with kl that of Bernoulli laws.  Source: Honda and Takemura, JMLR 16, 2015 (indexed minimum
empirical divergence), who have K_inf of the law in the place of kl: for Bernoulli rewards these
are one; for others in [0, 1], kl <= K_inf makes it explore more than is needed.  Means outside
[0, 1] (Gaussian rewards) are taken to the nearest end.
"""

import math

from penalized_bandits.policies.base import Card, Hints, Policy, Round


def choose(state: Round) -> int:
    """Return the arm of the least index; the first of them where several are."""
    top = min(max(state.means.max(), 0.0), 1.0)
    log_top = math.log(top) if top > 0.0 else 0.0
    log_rest = math.log(1.0 - top) if top < 1.0 else -math.inf
    least, choice = math.inf, 0
    for k in range(len(state.pulls)):
        mean = min(max(state.means[k], 0.0), 1.0)
        value = math.log(max(state.observed[k], 1.0))
        if mean < top:
            entropy = (1.0 - mean) * math.log(1.0 - mean)
            entropy += mean * math.log(mean) if mean > 0.0 else 0.0
            divergence = entropy - mean * log_top - (1.0 - mean) * log_rest
            value += state.observed[k] * max(divergence, 0.0)
        if value < least:
            least, choice = value, k
    return choice


POLICY = Policy(
    id="imed",
    card=Card(
        label="IMED",
        reference="Honda and Takemura 2015",
        formula="min N_k kl(m_k, m*) + log N_k, m* the largest mean",
        guarantees="Bernoulli rewards: classical regret of the least constant times log T, "
        "asymptotically",
        limitations="knows no penalties: penalized regret linear in T where A_k > Δ_k; rewards "
        "outside [0, 1]",
        bound="kl",  # N kl(mu, mu*)/log T tends to 1 for Bernoulli rewards, as for KL-UCB
    ),
    needs_unit_rewards=True,
    choose=choose,
    ignores_penalties=True,
    exploration=0.0,
    hints=Hints(compiles=True),
)
