"""The bounds of Theorem 4.2, held against the instances of ``log_laws``."""

from typing import Literal

import numpy as np

from penalized_bandits.claims.base import Finding, Part, not_said, nothing_known
from penalized_bandits.claims.evidence import Evidence
from penalized_bandits.claims.measures.growth import bounded, series
from penalized_bandits.typing import BoolArray, FloatArray

CONSTANT = 10.0
"""Pulls that O(1) may stand for."""


def _part(
    name: str, samples: list[FloatArray], limits: FloatArray, rounds: FloatArray, said: BoolArray
) -> Part:
    """Hold means against a bound, at the horizons at which it says something."""
    kept = [sample for sample, yes in zip(samples, said, strict=True) if yes]
    return bounded(name, kept, limits[said], rounds[said].astype(int))


def _silent(name: str) -> Part:
    why = "the bound exceeds T at every horizon"
    return not_said(nothing_known(name, why), why)


def pulls_within(evidence: Evidence, kind: Literal["critical", "non_critical"]) -> Finding:
    """Say for each instance whether the arms of a kind stay below their bound."""
    from penalized_bandits.theory.bounds import critical_pulls_bound, non_critical_pulls_bound

    bound_of = critical_pulls_bound if kind == "critical" else non_critical_pulls_bound
    parts: list[Part] = []
    for one in series(evidence):
        if not one.fixed:
            continue
        rounds = np.array(one.horizons, dtype=np.float64)
        bounds = bound_of(one.means, one.fairness(), one.penalties(), rounds)
        of_arms = []
        for arm in np.flatnonzero(~np.isnan(bounds[-1])):
            said = bounds[:, arm] < rounds
            if kind == "non_critical":
                # Before that the bound is the arm's own level, which says nothing of log T.
                said &= bounds[:, arm] < one.fairness()[arm] * rounds
            if said.any():
                name, limits = f"{one.name} arm {arm + 1}", bounds[:, arm] + CONSTANT
                of_arms.append(_part(name, one.pulls(int(arm)), limits, rounds, said))
        if of_arms:
            parts.append(max(of_arms, key=lambda part: part.estimate))
        elif not np.isnan(bounds[-1]).all():
            parts.append(_silent(one.name))
    return Finding("largest ratio of E N_k(T) to its bound", tuple(parts))


def regret_within(evidence: Evidence, reading: Literal["stated", "proved"]) -> Finding:
    """Say for each instance whether regret stays below the bound plus K."""
    from penalized_bandits.theory.bounds import gap_dependent_bound, largest_regret

    parts: list[Part] = []
    for one in series(evidence):
        if not one.fixed:
            continue
        rounds = np.array(one.horizons, dtype=np.float64)
        bandit = (one.means, one.fairness(), one.penalties())
        bounds = gap_dependent_bound(*bandit, rounds, reading=reading)
        said = bounds < np.minimum(rounds, largest_regret(*bandit, rounds))
        if said.any():
            parts.append(_part(one.name, one.regrets(), bounds + one.means.size, rounds, said))
        else:
            parts.append(_silent(one.name))
    return Finding("largest ratio of mean regret to its bound", tuple(parts))
