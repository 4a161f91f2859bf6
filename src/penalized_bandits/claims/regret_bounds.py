"""The regret bound of Theorem 4.2, held against the instances of ``log_laws``."""

from typing import Literal

import numpy as np

from penalized_bandits.claims.base import Finding, Part, not_said, nothing_known
from penalized_bandits.claims.evidence import Evidence
from penalized_bandits.claims.laws import bounded, series


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
        if not said.any():
            why = "the bound exceeds T at every horizon"
            parts.append(not_said(nothing_known(one.name, why), why))
            continue
        samples = [x for x, yes in zip(one.regrets(), said, strict=True) if yes]
        limits = bounds[said] + one.means.size
        parts.append(bounded(one.name, samples, limits, rounds[said].astype(int)))
    worst = max(
        parts,
        key=lambda part: -np.inf if np.isnan(part.estimate) else part.estimate,
        default=None,
    )
    return Finding("largest ratio of mean regret to its bound", tuple(parts), headline=worst)
