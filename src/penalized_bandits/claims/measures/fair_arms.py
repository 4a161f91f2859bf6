"""Which arms are fair: in the sense of Theorem 4.1, and under a common penalty rate."""

from functools import cache

import numpy as np

from penalized_bandits.bandit.regret import gaps
from penalized_bandits.claims.evidence import Evidence, penalties_of
from penalized_bandits.common.typing import BoolArray
from penalized_bandits.policies import PAPER_POLICY
from penalized_bandits.storage.replicates import Outcome
from penalized_bandits.theory.fluid import break_points

TOLERANCE = 0.01
"""An arm is fair here if it lacks at most this share of its level, or one pull."""
SURE = 0.9
"""Probability above which arms are kept fair."""
HALF = 0.5


def all_served(outcome: Outcome) -> BoolArray:
    """Whether all arms have floor(tau_k T) pulls, in each replicate (Theorem 4.1)."""
    # A level that is whole but for rounding is that whole number.
    level = np.floor(outcome.fairness * outcome.horizon + 1e-9)
    return np.asarray((outcome.pulls >= level).all(axis=1))


def fair_arms(outcome: Outcome) -> BoolArray:
    """Which arms are fair in each replicate, shape (R, K)."""
    level = outcome.fairness * outcome.horizon
    return outcome.pulls >= level - np.maximum(TOLERANCE * level, 1.0)


def shifts(evidence: Evidence, horizon: int) -> str:
    """Say how far below the gaps the fluid prediction puts the break points."""
    found = []
    for case in evidence.cases("equal_penalties"):
        outcome = evidence.outcomes("equal_penalties", case=case, horizon=horizon)[0]
        least, most = _below_gaps(tuple(outcome.means[0]), tuple(outcome.fairness), horizon)
        found.append(f"by {least:.3f} to {most:.3f} in {case}")
    return ", ".join(found) + " by the fluid prediction"


@cache
def _below_gaps(
    means: tuple[float, ...], fairness: tuple[float, ...], horizon: int
) -> tuple[float, float]:
    """Return how far below their gaps arms leave their levels, least and most.

    No replicate changes it, and the sensitivity asks for it with each group left out.
    """
    deltas = gaps(np.array(means))
    below = (deltas - break_points(means, fairness, horizon))[deltas > 0]
    return float(below.min()), float(below.max())


def exact(evidence: Evidence, horizon: int) -> str:
    """Say in how many cells the arms within reach, and no others, are fair at a horizon."""
    runs = evidence.outcomes("equal_penalties", policy=PAPER_POLICY, horizon=horizon)
    right = [(fair_arms(run) == within_reach(run)).all(axis=1).mean() > HALF for run in runs]
    others = [
        f"{run.case} A = {run.tuning:.3g}" for run, one in zip(runs, right, strict=True) if not one
    ]
    text = (
        f"At T = {horizon} no other arm is fair in {sum(right)} of {len(runs)} cells (in most "
        "replicates)"
    )
    if others:
        text += f", all but {', '.join(others)}"
    return (
        f"{text}. That is a matter of T: arms leave their level at a penalty rate below the gap, "
        f"{shifts(evidence, horizon)}, which tends to the gap itself as T grows."
    )


def within_reach(outcome: Outcome) -> BoolArray:
    """Arms whose gap the common penalty rate covers, shape (K,)."""
    return np.asarray(gaps(outcome.means[0]) <= penalties_of(outcome)[0])
