"""Upper-Confidence Frank-Wolfe: the arm along which the optimistic objective rises most.

    pull the arm with the largest  m_k(n-1) + A_k 1(p_k < tau_k) + sqrt(2 log n / N_k(n-1)),
    p_k = N_k(n-1) / (n-1)

Source: Berthet and Perchet, NIPS 2017 (arXiv 1702.06917).  They maximise a concave function of
the proportions p of pulls: in each round the arm of the largest partial derivative at p, with
bounds in place of what is not known, is pulled, which is a step of length 1/n to a corner of the
simplex.  The function here is the reward less the penalty of a round,

    F(p) = sum mu_k p_k - sum A_k (tau_k - p_k)+,    dF/dp_k = mu_k + A_k 1(p_k < tau_k);

at p_k = tau_k the derivative from the right is taken, and the bound of mu_k is UCB1's.

The paper's hard threshold is this rule with N_k(n-1) / n for p_k.  Both pull the same arm wherever
no N_k(n-1) lies in [tau_k (n-1), tau_k n), whatever was pulled before.  Each step of the proof of
Theorem A of research/docs stands with tau_k (n-1) for tau_k n: deficits differ by less than a
pull.  F has kinks at tau_k, where its optimum lies (``smooth_threshold_ucb`` smooths them).
"""

from penalized_bandits.policies.base import Arm, Card, Hints, Policy


def index(arm: Arm) -> float:
    """Upper confidence bound of dF/dp_k."""
    short = arm.pulls < arm.fairness * (arm.n - 1.0)
    return arm.mean + (arm.penalty if short else 0.0) + arm.radius


POLICY = Policy(
    id="frank_wolfe_ucb",
    card=Card(
        label="Frank–Wolfe UCB",
        reference="Berthet and Perchet 2017",
        formula="max m_k + A_k 1(N_k < τ_k (n-1)) + √(2 log n / N_k)",
        guarantees="R(T) / log T → Σ 2 / (Δ_k - A_k), by the proof of Theorem A; theirs are for "
        "objectives without kinks",
        limitations="sight of a deficit in the round that makes it, which the hard threshold has",
        classical="ucb1",
        bound="radius",
    ),
    index=index,
    hints=Hints(index_is_nondecreasing=True),
)
