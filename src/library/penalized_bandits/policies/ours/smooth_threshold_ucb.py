"""Smoothed threshold UCB: the penalty rate is paid in proportion to the deficit, up to w pulls.

    i_k(n) = m_k(n-1) + A_k min(max((tau_k n - N_k(n-1)) / w, 0), 1) + sqrt(2 log n / N_k(n-1))

It is Upper-Confidence Frank-Wolfe (Berthet and Perchet, NIPS 2017, arXiv 1702.06917) on the
paper's objective with its kink rounded off: the penalty A_k (tau_k - p_k)+ becomes quadratic
where the deficit tau_k n - N_k is below w, with the derivative above at p_k = N_k / n.

    w -> 0        the hard threshold, eq. (11); for w = 0 that is what is played
    w = tau_k n   the soft threshold: a penalty A_k (tau_k - p_k)+^2 / (2 tau_k)

An arm worth its penalty is pulled once A_k D / w exceeds its gap, D its deficit.  The derivative's
Lipschitz constant is A_k n / w: their rates need it bounded, hence w of order n, and are then rates
for the rounded objective, not for the paper's.
"""

import math

from penalized_bandits.policies.base import Arm, Card, Hints, Policy, Tuning


def index(arm: Arm) -> float:
    """Upper confidence bound, and the penalty rate for the part of w that is owed."""
    deficit = arm.fairness * arm.n - arm.pulls
    part = (deficit / arm.tuning if deficit < arm.tuning else 1.0) if arm.below else 0.0
    return arm.mean + arm.penalty * part + arm.radius


POLICY = Policy(
    id="smooth_threshold_ucb",
    card=Card(
        label="Smoothed threshold UCB",
        reference="Berthet and Perchet 2017; threshold of eq. (11)",
        formula="max m_k + A_k min((τ_k n - N_k)+ / w, 1) + √(2 log n / N_k)",
        guarantees="none known",
        limitations="deficits of 0: they settle near w Δ_k / A_k",
        classical="ucb1",
    ),
    index=index,
    tuning=Tuning(symbol="w", regret=lambda arms, horizon: math.log(horizon)),  # noqa: ARG005
    hints=Hints(index_is_nondecreasing=True),
)
