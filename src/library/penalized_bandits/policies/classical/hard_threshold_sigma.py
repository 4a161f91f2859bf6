"""Hard-threshold UCB with the exploration bonus scaled to the noise or [0, 1], and UCB scaled so.

    i_k(n) = m_k(n-1) + A_k 1(N_k(n-1) < tau_k n) + sigma sqrt(2 log n / N_k(n-1))

where rewards are sigma-sub-Gaussian: 1/2 for any in [0, 1], the standard deviation for
Gaussian ones.  Eq. (11) has 1 in the place of sigma.  Source of the index without its threshold:
Katehakis and Robbins, PNAS 92, 1995, for Gaussian rewards of known variance.  Theorem A and
Proposition G of research/docs show that this bonus is enough, and no less.  For rewards in [0, 1]
sigma is 1/2 whatever their law (Hoeffding's lemma): the radius of eq. (11) is twice as large.
"""

from dataclasses import replace

from penalized_bandits.policies.base import Card
from penalized_bandits.policies.paper import hard_threshold_ucb

POLICY = replace(
    hard_threshold_ucb.POLICY,
    id="hard_threshold_sigma",
    card=Card(
        label="Hard threshold, scaled",
        reference="eq. (11) with the bonus of Katehakis and Robbins 1995",
        formula="max m_k + A_k 1(N_k < τ_k n) + σ √(2 log n / N_k)",
        guarantees="asymptotically optimal for Gaussian rewards of known σ (Theorems A and 3): "
        "R(T) / log T → Σ 2 σ² / (Δ_k - A_k), so for all σ-sub-Gaussian rewards; arms with A_k > "
        "Δ_k short of O(1) pulls over all rounds",
        limitations="must know σ: with less the law is lost (Proposition G); for Gaussian "
        "rewards the largest deficit has infinite variance",
        classical="ucb_sigma",
        bound="radius",
    ),
    exploration=lambda noise: 2.0 * noise**2,
)

CLASSICAL = POLICY.without_penalties(
    Card(
        label="UCB, scaled",
        reference="Katehakis and Robbins 1995",
        formula="max m_k + σ √(2 log n / N_k)",
        guarantees="Gaussian rewards of known variance: classical regret of the least constant "
        "times log T, asymptotically",
        limitations="must know σ; knows no penalties: penalized regret linear in T where A_k > Δ_k",
    ),
    index=hard_threshold_ucb.ucb1_index,
)

UNIT = replace(
    POLICY,
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
