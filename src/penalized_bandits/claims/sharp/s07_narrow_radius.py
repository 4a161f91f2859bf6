"""S07: a radius too narrow for the noise loses the log T law."""

from dataclasses import replace

import numpy as np

from penalized_bandits.bandit.rewards import Gaussian
from penalized_bandits.claims.base import Claim, Finding, Part, above
from penalized_bandits.claims.beyond.evidence import ExtendedEvidence
from penalized_bandits.claims.evidence import Evidence
from penalized_bandits.claims.measures.growth import growth_part
from penalized_bandits.policies import PAPER_POLICY
from penalized_bandits.storage.replicates import Outcome

STUDY = "narrow_radius"
SHARE = 0.5
FEW = 10
"""Pulls with which an arm has been given up."""


def _part(name: str, sd: float, runs: list[Outcome]) -> Part:
    power = 1 - 1 / sd**2
    part = growth_part(name, runs, SHARE * power)
    if not np.isnan(part.estimate):
        part = above(name, part.estimate, part.low, part.high, SHARE * power)
    few = (f"{(one.pulls.min(axis=1) <= FEW).mean():.2%} at T = {one.horizon}" for one in runs)
    told = f"σ = {sd:g}, bound 1 − 1/σ² = {power:.3g}; an arm has at most {FEW} pulls in "
    return replace(part, detail=told + ", ".join(few))


def _measure(evidence: Evidence) -> Finding:
    assert isinstance(evidence, ExtendedEvidence)  # noqa: S101
    found: dict[str, list[Outcome]] = {}
    for one in evidence.outcomes(STUDY, policy=PAPER_POLICY):
        found.setdefault(one.case.rpartition("_T")[0], []).append(one)
    parts: list[Part] = []
    for name, runs in found.items():
        law = evidence.laws.of(STUDY, runs[0].case)
        if isinstance(law, Gaussian) and law.sd > 1:
            runs.sort(key=lambda one: one.horizon)
            parts.append(_part(name, law.sd, runs))
    return Finding(
        "exponent of mean regret in T",
        tuple(parts),
        note="The o(1) is not small at these horizons: the exponents measured are below 1 − 1/σ². "
        "That it is reached in the limit rests on the proof alone."
        if any(part.high < part.limit / SHARE for part in parts)
        else "",
    )


CLAIM = Claim(
    where="beyond the paper, proposition G",
    statement="With the radius √(c log n/N) and c < 2σ² regret is no longer O(log T): under the "
    "published policy, c = 2, and Gaussian rewards with σ > 1 it grows like a power of T.",
    rule="For each bandit with Gaussian rewards of σ > 1: the exponent of mean regret in T between "
    f"the first horizon and the last holds if above {SHARE:g} (1 − 1/σ²) with its whole 95 % "
    "interval, fails if below. The proposition has at least 1 − 1/σ² − o(1); the share leaves room "
    "for the o(1).",
    measure=_measure,
    kind="theorem",
)
