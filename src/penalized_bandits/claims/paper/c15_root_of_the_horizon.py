"""C15: the worst case over gaps grows like the root of T (Theorems 4.5 and 4.8)."""

from penalized_bandits.claims.base import Claim, Finding, nothing_known, within
from penalized_bandits.claims.evidence import Evidence
from penalized_bandits.claims.measures.worst_case import (
    exponent_part,
    fluid_worst,
    gap_multiples,
    worst_regrets,
)
from penalized_bandits.policies import PAPER_POLICY
from penalized_bandits.statistics.estimates import mean_estimate

AROUND = 0.03
"""How far the exponent may be from 1/2."""
AGREES = 0.1
"""How far measured over predicted may be from 1."""


def _measure(evidence: Evidence) -> Finding:
    parts = [exponent_part(evidence, PAPER_POLICY, 0.5 - AROUND, 0.5 + AROUND, 0.5)]
    horizons = evidence.section("worst_case").horizons
    for horizon, regrets in zip(horizons, worst_regrets(evidence, PAPER_POLICY), strict=True):
        found = mean_estimate(regrets, level=1 - 0.05 / len(horizons))
        wanted = fluid_worst(evidence, horizon)
        name = f"T={horizon}: worst regret over the fluid prediction's"
        if wanted <= 0:
            parts.append(nothing_known(name, "no regret is predicted"))
            continue
        parts.append(within(name, *(found / wanted).interval, 1 - AGREES, 1 + AGREES, 1.0))
    where = gap_multiples(evidence, PAPER_POLICY)
    return Finding(
        "exponent in T of the worst mean regret over √(log T); measured over predicted",
        tuple(parts),
        note=f"The worst gaps are {where} times √(K log T/T). At a given multiple the fluid "
        "prediction is a constant times √(K T log T), so the limit of the exponent is 1/2.",
    )


CLAIM = Claim(
    where="Theorems 4.5 and 4.8",
    statement="The worst case over gaps grows like √T up to logarithms.",
    rule="(a) The exponent in T of the worst mean regret over gaps, divided by the bound's "
    f"√(log T), is within {AROUND} of 1/2; (b) at each horizon the worst mean regret is within "
    f"{AGREES:.0%} of the largest fluid regret over the same gaps (Bonferroni over horizons). Each "
    "holds if its whole 95 % interval is, and fails if none of it is.",
    measure=_measure,
)
