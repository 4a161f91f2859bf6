"""The largest regret over gaps, from the study ``worst_case``."""

import math

import numpy as np

from penalized_bandits.bandit.regret import penalized_regret
from penalized_bandits.claims.base import Part, nothing_known, within
from penalized_bandits.claims.evidence import Evidence
from penalized_bandits.claims.measures.regret import regret_of
from penalized_bandits.common.typing import FloatArray
from penalized_bandits.experiments.theory.worst_case import case_of
from penalized_bandits.statistics.fits import fit_power
from penalized_bandits.statistics.measurements import measure
from penalized_bandits.storage.replicates import Outcome
from penalized_bandits.theory.fluid import predicted_pulls
from penalized_bandits.theory.inputs import instance_of


def worst_outcome(evidence: Evidence, policy: str, horizon: int) -> Outcome:
    """Return the outcome of the gap and penalty ratio with the largest mean regret."""
    section = evidence.section("worst_case")
    names = {
        case_of(horizon, multiple, ratio)
        for multiple in section.gaps
        for ratio in section.penalty_ratios
    }
    outcomes = evidence.outcomes("worst_case", policy=policy, horizon=horizon)
    return max(
        (outcome for outcome in outcomes if outcome.case in names),
        key=lambda outcome: regret_of(outcome).mean(),
    )


def worst_regrets(evidence: Evidence, policy: str) -> list[FloatArray]:
    """Regret of each replicate in the worst case, (R,) for each horizon."""
    horizons = evidence.section("worst_case").horizons
    return [regret_of(worst_outcome(evidence, policy, horizon)) for horizon in horizons]


def fluid_worst(evidence: Evidence, horizon: int) -> float:
    """Return the largest fluid regret of the hard threshold over the same gaps and ratios."""
    worst = 0.0
    for _, _, (means, fairness, rates) in evidence.section("worst_case").bandits(horizon):
        pulls = predicted_pulls(instance_of(means, fairness, rates), horizon)
        worst = max(worst, float(penalized_regret(pulls, means, fairness, rates)))
    return worst


def exponent_part(
    evidence: Evidence, policy: str, least: float, most: float, log_power: float
) -> Part:
    """Make a part that says: the worst regret grows like a power of T between two.

    Regret is divided by (log T)^log_power first.
    """
    horizons = evidence.section("worst_case").horizons
    name = f"{policy}, T = {horizons[0]} to {horizons[-1]}"
    if len(horizons) < 3:
        return nothing_known(name, "too few horizons")
    regrets = worst_regrets(evidence, policy)
    scaled = [
        regret / math.log(horizon) ** log_power
        for horizon, regret in zip(horizons, regrets, strict=True)
    ]
    fit = fit_power(measure(horizons, scaled))
    if not fit.converged:
        return nothing_known(name, fit.message)
    return within(name, *fit.exponent.interval, least, most, (least + most) / 2)


def gap_multiples(evidence: Evidence, policy: str) -> str:
    """Say at which gaps the worst case lies, in multiples of sqrt(K log T / T)."""
    section = evidence.section("worst_case")
    found = []
    for horizon in section.horizons:
        outcome = worst_outcome(evidence, policy, horizon)
        scale = section.gap_at(1.0, horizon)
        found.append(f"{np.ptp(outcome.means[0]) / scale:.3g}")
    return ", ".join(found)
