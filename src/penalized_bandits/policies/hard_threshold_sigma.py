"""Hard-threshold UCB with the exploration bonus scaled to the noise, and UCB scaled so.

    i_k(n) = m_k(n-1) + A_k 1(N_k(n-1) < tau_k n) + sigma sqrt(2 log n / N_k(n-1))

where rewards are sigma-sub-Gaussian: 1/2 for any in [0, 1], the standard deviation for
Gaussian ones.  Eq. (11) has 1 in the place of sigma.  The rule is told sigma, which the
others are not.  Source of the index without its threshold: Katehakis and Robbins, PNAS 92,
1995, for Gaussian rewards of known variance, where it meets the lower bound of Lai and
Robbins.  The proof of Theorem 4.2 sums probabilities of order n^-4, which need twice this
bonus: with the threshold nothing is proved.
"""

from dataclasses import replace

from penalized_bandits.policies import hard_threshold_ucb, ucb1

POLICY = replace(
    hard_threshold_ucb.POLICY,
    id="hard_threshold_sigma",
    label="Hard threshold, scaled",
    reference="eq. (11) with the bonus of Katehakis and Robbins 1995",
    rule="max m_k + A_k 1(N_k < τ_k n) + σ √(2 log n / N_k)",
    guarantees="none known with the threshold",
    lacks="must be told σ; Theorem 4.2's proof needs twice the bonus",
    scaled_by_noise=True,
    classical="ucb_sigma",
)

CLASSICAL = replace(
    ucb1.POLICY,
    id="ucb_sigma",
    label="UCB, scaled",
    reference="Katehakis and Robbins 1995",
    rule="max m_k + σ √(2 log n / N_k)",
    guarantees="Gaussian rewards of known variance: classical regret of the least constant "
    "times log T, asymptotically",
    lacks="must be told σ; knows no penalties: penalized regret linear in T where A_k > Δ_k",
    scaled_by_noise=True,
)
