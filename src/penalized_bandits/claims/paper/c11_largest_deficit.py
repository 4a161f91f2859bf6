"""C11: the largest deficit over all rounds grows at most like a_j log T (Theorem 4.3)."""

import numpy as np

from penalized_bandits.claims.base import Claim, Finding, Part, vacuous
from penalized_bandits.claims.evidence import Evidence
from penalized_bandits.claims.measures.bounds import CONSTANT
from penalized_bandits.claims.measures.growth import bounded, series
from penalized_bandits.theory.deficits import deficit_coefficients
from penalized_bandits.theory.inputs import instance_of


def _measure(evidence: Evidence) -> Finding:
    parts: list[Part] = []
    for one in series(evidence):
        if not one.fixed:
            continue
        late = one.late()
        if not late.horizons:
            continue
        log = np.log(np.array(late.horizons, dtype=np.float64))
        limits = deficit_coefficients(instance_of(*one.bandit))
        ratios: list[Part] = []
        for arm in np.flatnonzero(~np.isnan(limits)):
            samples = [outcome.max_deficit[:, arm] for outcome in late.outcomes]
            # Ties give infinite coefficients.
            bounds = np.minimum(limits[arm], 1e9) * log + CONSTANT
            part = bounded(f"{one.name} arm {arm + 1}", samples, bounds, late.horizons)
            if limits[arm] * log[-1] >= one.fairness()[arm] * one.horizons[-1]:
                part = vacuous(part, "a_j log T exceeds τ_j T at the largest horizon")
            ratios.append(part)
        if ratios:
            parts.append(max(ratios, key=lambda part: (part.status != "vacuous", part.estimate)))
    said = sum(part.status != "vacuous" for part in parts)
    among = f", in the {said} of {len(parts)} parts that are not vacuous"
    return Finding(
        "largest ratio of E max_t (τ t − N(t))₊ to its bound, over arms and horizons"
        + (among if 0 < said < len(parts) else ""),
        tuple(parts),
        note="The proof does not give the printed a_j: its recursion a_j = Σ_{d<j} a_d + Σ_{d≤j} "
        "b_d makes a_3 = 4 b_1 + 2 b_2 + b_3, the printed one is 3 b_1 + 2 b_2 + b_3. Nothing "
        "measured comes near either of them.",
    )


CLAIM = Claim(
    where="Theorem 4.3",
    statement="E max_t (τ_j t − N_j(t))₊ ≤ a_j log T + O(1) for optimal and critical arms, with "
    "the a_j that is printed.",
    rule="For each instance with fixed τ and A, from T = 10,000 on: the largest ratio of the mean "
    f"to a_j log T + {CONSTANT:g}, over arms and horizons, holds if below 1 and fails if above it "
    "with its whole interval (Bonferroni over horizons). Vacuous where a_j log T exceeds τ_j T at "
    "the largest horizon, ties (a_j infinite) included.",
    measure=_measure,
    kind="bound",
)
