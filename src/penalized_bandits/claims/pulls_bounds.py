"""The bounds on pulls of Theorem 4.2, held against the instances of ``log_laws``."""

from typing import Literal

import numpy as np

from penalized_bandits.claims.base import Finding, Part, not_said, nothing_known
from penalized_bandits.claims.evidence import Evidence
from penalized_bandits.claims.laws import bounded, series

CONSTANT = 10.0
"""Pulls that O(1) may stand for."""


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
            if not said.any():
                continue
            samples = [x for x, yes in zip(one.pulls(int(arm)), said, strict=True) if yes]
            limits = bounds[said, arm] + CONSTANT
            of_arms.append(
                bounded(f"{one.name} arm {arm + 1}", samples, limits, rounds[said].astype(int))
            )
        if of_arms:
            parts.append(max(of_arms, key=lambda part: part.estimate))
        elif not np.isnan(bounds[-1]).all():
            why = "the bound exceeds T at every horizon"
            parts.append(not_said(nothing_known(one.name, why), why))
    return Finding("largest ratio of E N_k(T) to its bound", tuple(parts))
