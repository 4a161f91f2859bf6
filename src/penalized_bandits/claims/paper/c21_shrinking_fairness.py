"""C21: the upper bounds hold for fairness fractions that shrink like T^-b."""

import numpy as np

from penalized_bandits.claims.base import Claim, Finding, Part, not_said
from penalized_bandits.claims.evidence import Evidence, bandit_of
from penalized_bandits.claims.measures.bounds import held
from penalized_bandits.claims.measures.fluid_law import RULE, agreement, regrets
from penalized_bandits.claims.measures.growth import Series, bounded, series
from penalized_bandits.theory.bounds import gap_dependent_bound, largest_regret
from penalized_bandits.theory.inputs import instance_of
from penalized_bandits.theory.limits import log_constant

LACK = 1.0
"""Pulls that O(1) stands for, of each arm."""


def _deficit(name: str, one: Series) -> Part:
    """Hold the deficit of optimal and critical arms against a pull for each of them."""
    arms = one.gaps <= one.penalties()
    limits = np.full(len(one.horizons), LACK * arms.sum())
    part = bounded(name, one.shortfalls(arms), limits, one.horizons)
    level = float((one.fairness() * one.horizons[-1])[arms].min())
    enough = 2 * np.log(one.horizons[-1]) / max(float(one.gaps[arms].max()), 1e-12) ** 2
    if level < enough:
        why = f"levels of {level:.0f} pulls: exploration alone takes {enough:.0f}"
        return not_said(part, why)
    return part


def _regret(name: str, one: Series) -> Part:
    """Hold regret against eq. (12) as proved, with the fractions of each horizon."""
    rounds = np.array(one.horizons, dtype=np.float64)
    pairs = [(bandit_of(outcome), outcome.horizon) for outcome in one.outcomes]
    bounds = np.array(
        [float(gap_dependent_bound(instance_of(*b), t, reading="proved")) for b, t in pairs]
    )
    most = np.array([float(largest_regret(instance_of(*b), t)) for b, t in pairs])
    said = bounds < np.minimum(rounds, most)
    return held(name, one.regrets(), bounds + one.means.size, rounds, said)


def _measure(evidence: Evidence) -> Finding:
    instances = evidence.section("log_laws").instances
    parts: list[Part] = []
    for one in series(evidence):
        power = instances[one.name].fairness_power
        if power is None:
            continue
        name, late = f"b = {power:g}", one.settled()
        parts.append(_deficit(f"{name}: deficit", late))
        parts.append(_regret(f"{name}: regret", late))
        track = regrets(f"{name}: law", late.outcomes)
        limit = float(log_constant(instance_of(*one.bandit)))
        parts.append(agreement(track, 1 / np.log(track.horizons), limit))
    return Finding(
        "mean deficit over one pull for each fair arm; mean regret over its upper bound, and over "
        "its fluid prediction",
        tuple(parts),
        note="The paper says that its results could also apply: read as its upper bounds, with "
        "the levels τ_k(T) T of each horizon. Regret follows the fluid prediction, whose law is "
        "log T for every b below 1 (numbers of the law: R(T)/log T).",
    )


CLAIM = Claim(
    where='section 5, "When τ_k is not constant"',
    statement="For τ_k = T^−b, 0 < b < 1, the deficits of optimal and critical arms stay O(1) and "
    "regret stays below the bound of Theorem 4.2d as proved.",
    rule="For each b, from T = 10,000 on: the largest ratio, over horizons, of the mean deficit of "
    "these arms to one pull an arm, and of mean regret to the bound plus K, holds if below 1 and "
    "fails if above it with its whole interval (Bonferroni over horizons). Nothing is said of "
    "deficits where the level is less than exploration takes, nor of a bound above the largest "
    f"regret. Regret over its fluid prediction: {RULE}",
    measure=_measure,
    kind="bound",
)
