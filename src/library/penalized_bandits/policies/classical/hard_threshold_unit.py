"""Hard-threshold UCB with the exploration bonus that rewards in [0, 1] need.

    i_k(n) = m_k(n-1) + A_k 1(N_k(n-1) < tau_k n) + sqrt(log n / (2 N_k(n-1)))

The radius of eq. (11) is twice as large.  Rewards in [0, 1] are 1/2-sub-Gaussian (Hoeffding's
lemma): this is ``hard_threshold_sigma`` with sigma = 1/2, whatever the law of the rewards.
"""

from dataclasses import replace

from penalized_bandits.policies.base import Card
from penalized_bandits.policies.paper import hard_threshold_ucb

POLICY = replace(
    hard_threshold_ucb.POLICY,
    id="hard_threshold_unit",
    card=Card(
        label="Hard threshold, for [0, 1]",
        reference="eq. (11) with the bonus of Hoeffding's inequality",
        formula="max m_k + A_k 1(N_k < τ_k n) + √(log n / (2 N_k))",
        guarantees="rewards that are ½-sub-Gaussian, so all in [0, 1]: R(T) / log T → "
        "Σ 1 / (2 (Δ_k - A_k)), a quarter of eq. (11)'s (Theorem A); arms with A_k > Δ_k short of "
        "O(1) pulls over all rounds",
        limitations="more noise than that of [0, 1] (Proposition G); less noise is not made use of",
        bound="radius",
    ),
    exploration=0.5,
)
