"""The bounds of Theorem 4.2, held against the instances of ``log_laws``."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

import numpy as np

from penalized_bandits.claims.base import Finding, Part, below, not_said, nothing_known
from penalized_bandits.claims.evidence import Evidence
from penalized_bandits.claims.measures.constructions import Construction, shrinking
from penalized_bandits.claims.measures.growth import SETTLED, bounded, series
from penalized_bandits.common.typing import BoolArray, FloatArray
from penalized_bandits.theory.bounds import (
    critical_pulls_bound,
    gap_dependent_bound,
    largest_regret,
    non_critical_pulls_bound,
)
from penalized_bandits.theory.inputs import instance_of

CONSTANT = 10.0
"""Pulls that O(1) may stand for, or reward an arm that O(K) may."""
GROWTH = 1.0
"""Reward an arm and a factor e of T by which regret may outgrow a bound up to O(K)."""


def _silent(name: str) -> Part:
    why = "the bound exceeds T at every horizon"
    return not_said(nothing_known(name, why), why)


def held(
    name: str, samples: list[FloatArray], limits: FloatArray, rounds: FloatArray, said: BoolArray
) -> Part:
    """Hold means against a bound, at the horizons at which it says something."""
    if not said.any():
        return _silent(name)
    kept = [sample for sample, yes in zip(samples, said, strict=True) if yes]
    return bounded(name, kept, limits[said], rounds[said].astype(int))


def pulls_within(evidence: Evidence, kind: Literal["critical", "non_critical"]) -> Finding:
    """Say for each instance whether the arms of a kind stay below their bound."""
    bound_of = critical_pulls_bound if kind == "critical" else non_critical_pulls_bound
    parts: list[Part] = []
    for one in series(evidence):
        if not one.fixed:
            continue
        rounds = np.array(one.horizons, dtype=np.float64)
        bounds = bound_of(instance_of(*one.bandit), rounds)
        of_arms = []
        for arm in np.flatnonzero(~np.isnan(bounds[-1])):
            said = bounds[:, arm] < rounds
            if kind == "non_critical":
                # Before that the bound is the arm's own level, which says nothing of log T.
                said &= bounds[:, arm] < one.fairness()[arm] * rounds
            if said.any():
                name, limits = f"{one.name} arm {arm + 1}", bounds[:, arm] + CONSTANT
                of_arms.append(held(name, one.pulls(int(arm)), limits, rounds, said))
        if of_arms:
            parts.append(max(of_arms, key=lambda part: part.estimate))
        elif not np.isnan(bounds[-1]).all():
            parts.append(_silent(one.name))
    return Finding("largest ratio of E N_k(T) to its bound", tuple(parts))


def regret_within(evidence: Evidence, reading: Literal["stated", "proved"]) -> Finding:
    """Say for each instance whether regret stays below the bound plus 10 K.

    Of the bound as stated at the largest horizon only, and of the instance whose levels shrink
    whether regret outgrows it.
    """
    parts: list[Part] = []
    for one in series(evidence):
        if not one.fixed:
            continue
        rounds = np.array(one.horizons, dtype=np.float64)
        bounds = gap_dependent_bound(instance_of(*one.bandit), rounds, reading=reading)
        said = bounds < np.minimum(rounds, largest_regret(instance_of(*one.bandit), rounds))
        if reading == "stated":
            said &= rounds == rounds[-1]
        limits = bounds + CONSTANT * one.means.size
        parts.append(held(one.name, one.regrets(), limits, rounds, said))
    late = [one for one in shrinking(evidence) if one.horizon >= SETTLED and one.meets_4_2]
    if len(late) > 1:
        parts.append(_shrinking_stated(late) if reading == "stated" else _shrinking_proved(late))
    return Finding("largest ratio of mean regret to its bound", tuple(parts))


SHRINKING = "Theorem 4.7's bandit, Δ fixed"


def _excess(one: Construction) -> tuple[float, float]:
    """Return the regret, and the bound of eq. (12) as stated."""
    return float(one.regrets.sum()), float(
        gap_dependent_bound(instance_of(*one.bandit), one.horizon)
    )


def _shrinking_stated(late: Sequence[Construction]) -> Part:
    """Say how fast regret outgrows the bound as stated, an arm and a factor e of T."""
    found = [_excess(one) for one in late]
    arms = late[0].pulls.size
    over = [regret - bound for regret, bound in (found[0], found[-1])]
    factors = float(np.log(late[-1].horizon / late[0].horizon))
    grown = (over[1] - over[0]) / (arms * factors)
    part = below(f"{SHRINKING}: growth of regret less bound", grown, grown, grown, GROWTH)
    regrets, bounds = (
        ", ".join(f"{value:.4g}" for value in row) for row in zip(*found, strict=True)
    )
    said = f"regret {regrets} at T = {late[0].horizon} to {late[-1].horizon}, bound {bounds}"
    return replace(part, detail=said)


def _shrinking_proved(late: Sequence[Construction]) -> Part:
    ratios = []
    for one in late:
        bound = float(gap_dependent_bound(instance_of(*one.bandit), one.horizon, reading="proved"))
        ratio = float(one.regrets.sum()) / (bound + CONSTANT * one.pulls.size)
        ratios.append((ratio, one.horizon))
    worst, horizon = max(ratios)
    return replace(below(SHRINKING, worst, worst, worst, 1.0), detail=f"at T={horizon}")
