"""S01: the published policy's constant is 2/(Delta - A) an arm, on every bandit."""

import numpy as np

from penalized_bandits.claims.base import Claim, Finding, Part, within
from penalized_bandits.claims.evidence import Evidence
from penalized_bandits.claims.measures.fluid_law import RULE, agreement, said_of_rivals
from penalized_bandits.claims.sharp.courses import SETTLED, courses
from penalized_bandits.policies import PAPER_POLICY

FAR = 1e15
"""A horizon at which the prediction is held against its limit."""
ROUNDED = 0.01
"""How far it may be from it there."""


def _measure(evidence: Evidence) -> Finding:
    parts: list[Part] = []
    tracks = []
    for course in courses(evidence, [PAPER_POLICY]):
        if not course.margins.any():
            continue
        track = course.since(SETTLED).track()
        tracks.append(track)
        constant = float((2 / course.margins[course.margins > 0]).sum())
        parts.append(agreement(track, 1 / np.log(track.horizons), constant))
        ratio = course.predicted(FAR) / np.log(FAR) / constant
        name = f"{course.instance}: prediction at T = 10^15 over its limit"
        parts.append(within(name, ratio, ratio, ratio, 1 - ROUNDED, 1 + ROUNDED, limit=1.0))
    return Finding(
        "mean of Σ (Δ − A) N over the arms with Δ > A, over its fluid prediction",
        tuple(parts),
        note="The numbers are Σ (Δ − A) N_k(T)/log T and its limit Σ 2/(Δ_k − A_k). "
        + said_of_rivals(tracks),
    )


CLAIM = Claim(
    where="beyond the paper, theorem 1",
    statement="Under the published policy an arm with Δ_k > A_k is pulled 2 log T/(Δ_k − A_k)² "
    "times as T grows, on every bandit with 1-sub-Gaussian rewards, so that these arms cost "
    "Σ 2/(Δ_k − A_k) log T.",
    rule=f"For each bandit with such an arm, from T = {SETTLED:,} on, each horizon on random "
    "numbers of its own, the mean of Σ (Δ_k − A_k) N_k(T) over these arms over its fluid "
    f"prediction: {RULE} Besides, the prediction at T = 10^15 over Σ 2/(Δ_k − A_k) log T: holds "
    f"if within {ROUNDED:.0%} of 1, fails if not.",
    measure=_measure,
    kind="theorem",
)
