"""C03: the deficit of optimal and critical arms is O(1) (Theorem 4.2a)."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from penalized_bandits.claims.base import Claim, Finding, Part, below
from penalized_bandits.claims.evidence import Evidence
from penalized_bandits.claims.measures.constructions import waiting
from penalized_bandits.claims.measures.growth import SETTLED, meets_4_2, series
from penalized_bandits.common.typing import FloatArray
from penalized_bandits.statistics.estimates import wilson

ONE_PULL = 1.0
QUANTILE = 1.96


def _standard_error(sample: FloatArray) -> float:
    return float(sample.std(ddof=1)) / sample.size**0.5 if sample.size > 1 else 0.0


def _grown(name: str, horizons: Sequence[int], samples: Sequence[FloatArray]) -> Part:
    """Say how much a mean is larger at the last horizon than where it was least before."""
    means = [float(sample.mean()) for sample in samples]
    least = int(np.argmin(means[:-1]))
    value = means[-1] - means[least]
    errors = [_standard_error(sample) for sample in (samples[-1], samples[least])]
    half = QUANTILE * float(np.hypot(errors[0], errors[1]))
    part = below(name, value, value - half, value + half, ONE_PULL)
    seen = ", ".join(f"{mean:.3g}" for mean in means)
    return replace(part, detail=f"{seen} pulls at T = {horizons[0]} to {horizons[-1]}")


def _measure(evidence: Evidence) -> Finding:
    parts = []
    for one in series(evidence):
        late = one.late()
        if not meets_4_2(one) or len(late.horizons) < 2:
            continue
        arms = one.gaps <= one.penalties()
        parts.append(_grown(one.name, late.horizons, late.shortfalls(arms)))
    for small, every in waiting(evidence):
        late = [one for one in every if one.horizon >= SETTLED]
        if len(late) < 2:
            continue
        if late[-1].meets_4_2:
            found = [np.array([one.deficits.sum()]) for one in late]
            name = f"{small} arms go first, T = 100 m + {small}"
            parts.append(_grown(name, [one.horizon for one in late], found))
    runs = evidence.section("log_laws").replicates
    unseen = wilson(0, runs).high
    return Finding(
        "growth of Σ E(τ_k T − N_k)₊ over optimal and critical arms, in pulls, from where it was "
        "least to the largest horizon",
        tuple(parts),
        note="Where no replicate lacks a pull the interval has no width. It then says nothing of "
        f"what may happen in fewer than one run of {1 / unseen:.0f} (of {runs} runs, by Wilson's "
        "interval).",
    )


CLAIM = Claim(
    where="Theorem 4.2a",
    statement="E(τ_k T − N_k(T))₊ = O(1) for optimal and critical arms.",
    rule="For every bandit that meets the theorem's conditions at the largest horizon: how much "
    "the mean deficit of these arms is larger there than at the earlier horizon, from T = 10,000 "
    f"on, at which it is least. Holds if less than {ONE_PULL:g} pull with its 95 % interval, fails "
    "if more.",
    measure=_measure,
    kind="theorem",
)
