"""Explore-then-commit: m pulls of each arm, then the hard-threshold rule, means frozen.

    rounds 1 .. mK:  each arm in turn
    afterwards:      the arm with the largest  m_k(mK) + A_k 1(N_k(n-1) < tau_k n)

There is no exploration radius after the commitment: with it the rule would go on
exploring, which is what explore-then-commit does not do.  Source: Fang, Li and
Samorodnitsky, section 5, "Comparison with ETC method"; Garivier et al. 2016.
"""

from penalized_bandits.policies.base import Arm, Policy


def index(arm: Arm) -> float:
    """Frozen mean plus the hard-threshold bonus."""
    return arm.mean + (arm.penalty if arm.below else 0.0)


POLICY = Policy(
    id="explore_then_commit",
    label="Explore-then-commit",
    reference="Fang, Li and Samorodnitsky, section 5; Garivier, Kaufmann and Lattimore 2016",
    index=index,
    tuning_name="m",
    commits=True,
)
