"""Hard-threshold UCB with the exploration bonus scaled to the noise.

    i_k(n) = m_k(n-1) + A_k 1(N_k(n-1) < tau_k n) + sigma sqrt(2 log n / N_k(n-1))

where rewards are sigma-sub-Gaussian: 1/2 for any in [0, 1], the standard deviation for
Gaussian ones.  Eq. (11) has sigma = 1.  The rule is told sigma, which the others are not.
The proof of Theorem 4.2 needs a bonus of this form for some constant; with sigma the
constants of its bounds shrink by sigma^2, up to a constant factor.
"""

from dataclasses import replace

from penalized_bandits.policies import hard_threshold_ucb, ucb1

POLICY = replace(
    hard_threshold_ucb.POLICY,
    id="hard_threshold_sigma",
    label="Hard threshold, scaled",
    reference="eq. (11) with the noise known",
    scaled_by_noise=True,
    classical="ucb_sigma",
)

CLASSICAL = replace(
    ucb1.POLICY,
    id="ucb_sigma",
    label="UCB, scaled",
    reference="Auer, Cesa-Bianchi and Fischer 2002 with the noise known",
    scaled_by_noise=True,
)
