"""C42: Observations 3 and 4 in the proof of Theorem 4.2."""

from dataclasses import replace

import numpy as np

from penalized_bandits.claims.base import Claim, Finding, Part, not_said, share_of
from penalized_bandits.claims.evidence import Evidence
from penalized_bandits.claims.measures.growth import fixed_bandits
from penalized_bandits.claims.measures.steps import watch
from penalized_bandits.common.typing import IntArray
from penalized_bandits.theory.conditions import conditions_4_2
from penalized_bandits.theory.inputs import instance_of

HORIZON = 10_000
REPLICATES = 100
UNLIKELY = 0.05


def _part(name: str, spoken: IntArray, wrong: IntArray) -> Part:
    part = share_of(name, int(np.count_nonzero(wrong)), REPLICATES, most=UNLIKELY)
    if not spoken.any():
        return not_said(part, "no round that it speaks of")
    return replace(part, detail=f"{spoken.sum()} rounds that it speaks of")


def _measure(evidence: Evidence) -> Finding:
    parts: list[Part] = []
    for name, bandit in fixed_bandits(evidence):
        if not all(condition.holds for condition in conditions_4_2(instance_of(*bandit), HORIZON)):
            continue
        seen = watch(*bandit, HORIZON, REPLICATES)
        parts.append(_part(f"Observation 3, {name}", seen.spoken_3, seen.wrong_3))
        parts.append(_part(f"Observation 4, {name}", seen.spoken_4, seen.wrong_4))
    tested = [part.name for part in parts if part.status != "vacuous"]
    return Finding(
        f"share of replicates with a round, up to T = {HORIZON}, in which it is wrong",
        tuple(parts),
        note=f"Only these bandits have rounds of which an observation speaks: {'; '.join(tested)}.",
    )


CLAIM = Claim(
    where="proof of Theorem 4.2, Observations 3 and 4",
    statement="With high probability (3) a critical arm that alone is below its level is pulled as "
    "soon as all others have more than 8 log T/c_a² pulls, and (4) a non-critical arm with more "
    "than 8 log T/c_a² pulls is pulled only if all critical arms are at their level.",
    rule=f"For each instance that meets the theorem's conditions at T = {HORIZON:,}, Bernoulli "
    f"rewards, {REPLICATES} replicates: holds if the share of replicates with a round in which an "
    f"observation is wrong lies below {UNLIKELY} with its Wilson interval, fails if above; nothing "
    "is said where no round is one that it speaks of.",
    evidence="results/claims/claims.json",
    measure=_measure,
    kind="theorem",
)
