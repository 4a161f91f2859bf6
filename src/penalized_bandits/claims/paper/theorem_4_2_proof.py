"""Steps of the proof of Theorem 4.2."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from penalized_bandits.claims.base import claim
from penalized_bandits.claims.evidence import Evidence
from penalized_bandits.claims.horizon_series import deficits_of, meets_4_2
from penalized_bandits.claims.measures.constructions import lacking, waiting_series
from penalized_bandits.claims.measures.growth import fixed_bandits, log_law_series
from penalized_bandits.claims.measures.proof_steps import proof_steps
from penalized_bandits.claims.parts import Fields, Part, exactly, irrelevant, probability
from penalized_bandits.common.typing import IntArray
from penalized_bandits.theory.conditions import conditions_4_2

HORIZON = 10_000
REPLICATES = 100
UNLIKELY = 0.05
ONE_PULL = 1 + 1e-6


def _observation(number: int, applicable: IntArray, violated: IntArray, fields: Fields) -> Part:
    part = probability(
        int(np.count_nonzero(violated)),
        REPLICATES,
        most=UNLIKELY,
        **fields,
        quantity=f"Observation {number}",
        values={"rounds": int(applicable.sum())},
    )
    return part if applicable.any() else irrelevant(part, "the observation applies to no round")


@claim(
    "C42",
    where="proof of Theorem 4.2, Observations 3 and 4",
    statement="With high probability (3) a critical arm that alone is below its level is pulled as "
    "soon as all others have more than 8 log T/c_a² pulls, and (4) a non-critical arm with more "
    "than 8 log T/c_a² pulls is pulled only if all critical arms are at their level.",
    rule=f"For each instance that meets the theorem's conditions at T = {HORIZON:,}, Bernoulli "
    f"rewards, {REPLICATES} replicates: holds if the share of replicates with a round in which an "
    f"observation is wrong lies below {UNLIKELY} with its Wilson interval, fails if above; nothing "
    "is said where no round is one that it speaks of.",
    quantity=f"share of replicates with a round, up to T = {HORIZON:,}, in which the observation "
    "is wrong",
    evidence="results/claims/claims.json",
    kind="theorem",
)
def observations(evidence: Evidence) -> Iterator[Part]:
    """Measure how often Observations 3 and 4 are wrong."""
    for fields, bandit in fixed_bandits(evidence):
        if not all(condition.holds for condition in conditions_4_2(bandit, HORIZON)):
            continue
        steps = proof_steps(bandit, HORIZON, REPLICATES)
        yield _observation(3, steps.applicable_3, steps.violated_3, fields)
        yield _observation(4, steps.applicable_4, steps.violated_4, fields)


@claim(
    "C43",
    where="proof of Theorem 4.2, first part",
    statement="From the round n₂ on no critical arm lacks more than one pull, with probability "
    "going to 1.",
    rule="At the largest horizon, for every bandit that meets the theorem's conditions. "
    "Deterministic rewards: holds if no arm lacks more than one pull, fails if one does. Random "
    "rewards: holds if the share of replicates in which one does lies below "
    f"{UNLIKELY} with its Wilson interval, fails if above.",
    quantity="pulls that the arm furthest behind lacks (constructions), or share of replicates "
    "with an arm that lacks more than one (random rewards)",
    evidence="results/summaries/deterministic.csv",
    kind="theorem",
)
def one_pull_short(evidence: Evidence) -> Iterator[Part]:
    """Compare the pulls that arms lack with one."""
    for series in waiting_series(evidence):
        if not meets_4_2(series.last):
            continue
        deficit = float(lacking(series.last).max())
        fields = series.about() | {"horizon": series.last.horizon}
        part = exactly(deficit <= ONE_PULL, deficit, 1, **fields, quantity="pulls lacking")
        yield replace(part, most=1.0)
    for series in log_law_series(evidence):
        if not series.fixed or not meets_4_2(series.last):
            continue
        deficits = deficits_of(series.last)[:, series.optimal_or_critical].max(axis=1)
        number = int(np.count_nonzero(deficits > ONE_PULL))
        fields = series.about() | {"horizon": series.last.horizon}
        quantity = "replicates with a deficit above 1"
        yield probability(number, len(deficits), most=UNLIKELY, **fields, quantity=quantity)
