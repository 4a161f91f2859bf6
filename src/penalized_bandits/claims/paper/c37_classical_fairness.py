"""C37: classical fairness at a price of O(log T), in every round (after Theorem 4.3)."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from penalized_bandits.claims.base import Claim, Finding, Part, below
from penalized_bandits.claims.evidence import Evidence
from penalized_bandits.claims.measures.growth import series
from penalized_bandits.common.typing import FloatArray

TOLERANCE = 1.0
"""Pulls, or reward, by which growth may exceed that of log T."""
QUANTILE = 1.96


def _grown(name: str, horizons: Sequence[int], samples: Sequence[FloatArray]) -> Part:
    """Hold a mean at the last horizon against that at the first, grown as log T grows."""
    first, last = samples[0], samples[-1]
    factor = float(np.log(horizons[-1]) / np.log(horizons[0]))
    value = float(last.mean() - factor * first.mean())
    spread = last.var(ddof=1) / last.size + factor**2 * first.var(ddof=1) / first.size
    half = QUANTILE * float(np.sqrt(spread))
    part = below(name, value, value - half, value + half, TOLERANCE)
    said = f"{first.mean():.3g} at T = {horizons[0]}, {last.mean():.3g} at T = {horizons[-1]}"
    return replace(part, detail=said)


def _measure(evidence: Evidence) -> Finding:
    parts = []
    for one in series(evidence):
        late = one.late()
        if not one.fixed or (one.gaps >= one.penalties()).any() or len(late.horizons) < 2:
            continue
        if min(len(outcome.pulls) for outcome in late.outcomes) < 2:
            continue
        deficits = [outcome.max_deficit.max(axis=1) for outcome in late.outcomes]
        parts.append(_grown(f"{one.name}: largest deficit of all rounds", late.horizons, deficits))
        parts.append(_grown(f"{one.name}: regret", late.horizons, late.regrets()))
    return Finding(
        "how much more the mean grows from T = 10,000 on than log T does, in pulls or reward",
        tuple(parts),
        note="With A_k > Δ_k for all arms the penalized regret is that against the best of those "
        "who give every arm its level.",
    )


CLAIM = Claim(
    where="after Theorem 4.3",
    statement="With A_k > Δ_k for all arms the method solves the classical fair bandit at a price "
    "of O(log T): the largest deficit of all arms and rounds, and the regret, are O(log T).",
    rule="For each instance with fixed τ and A and A_k > Δ_k for all arms: the mean of the largest "
    "deficit over arms and rounds, and the mean regret, at the largest horizon less that at the "
    "first one from T = 10,000 on times the ratio of their logarithms: holds if below "
    f"{TOLERANCE:g} with its 95 % interval, fails if above.",
    measure=_measure,
)
