"""C45: how long arms wait while no arm with more mu + A does (proof of Theorem 4.3)."""

import numpy as np

from penalized_bandits.claims.base import Claim, Finding, Part, below, exactly
from penalized_bandits.claims.evidence import Evidence
from penalized_bandits.claims.measures.bounds import CONSTANT
from penalized_bandits.claims.measures.growth import fixed_bandits
from penalized_bandits.claims.measures.steps import Steps, watch
from penalized_bandits.common.typing import BoolArray, FloatArray
from penalized_bandits.statistics.estimates import mean_estimate
from penalized_bandits.theory.deficits import waiting_coefficients
from penalized_bandits.theory.inputs import instance_of

HORIZON = 10_000
REPLICATES = 100


def _waits(name: str, seen: Steps, coefficients: FloatArray) -> Part:
    """Hold the rounds that each arm waits against its bound; return the arm that comes nearest."""
    parts: list[Part] = []
    for arm in np.flatnonzero(np.isfinite(coefficients)):
        bound = float(coefficients[arm]) * np.log(HORIZON) + CONSTANT
        interval = mean_estimate(seen.waits[:, arm] / bound).interval
        parts.append(below(f"{name}, arm {arm + 1} waits", *interval, 1.0))
    return max(parts, key=lambda part: part.estimate)


def _recursion(
    name: str, seen: Steps, fairness: FloatArray, sums: FloatArray, served: BoolArray
) -> Part:
    """Compare deficits with the proof's recursion in every replicate."""
    order = [arm for arm in np.argsort(-sums, kind="stable") if served[arm]]
    deficits, waits = seen.deficits[:, order], seen.waits[:, order]
    before = np.cumsum(deficits, axis=1) - deficits
    beyond = float((deficits - before - np.cumsum(waits, axis=1) - fairness[order]).max())
    return exactly(f"{name}, recursion", beyond <= 1e-9, beyond, 0.0)


def _measure(evidence: Evidence) -> Finding:
    parts: list[Part] = []
    for name, bandit in fixed_bandits(evidence):
        coefficients = waiting_coefficients(instance_of(*bandit))
        served = ~np.isnan(coefficients)
        if np.isinf(coefficients).any():
            continue
        seen = watch(*bandit, HORIZON, REPLICATES)
        parts.append(_waits(name, seen, coefficients))
        parts.append(_recursion(name, seen, bandit[1], bandit[0] + bandit[2], served))
    return Finding(
        "rounds that an arm waits, over their bound; largest excess of a deficit over the "
        "recursion, pulls",
        tuple(parts),
    )


CLAIM = Claim(
    where="proof of Theorem 4.3",
    statement="An optimal or critical arm that is below its level waits at most b_k log T + O(1) "
    "rounds in which no arm with more μ + A is below its own, on average; and in every run its "
    "largest deficit is at most τ_k, the largest deficits of the arms with more μ + A, and the "
    "rounds that they and it wait, together.",
    rule=f"For each instance with fixed τ and A without ties, T = {HORIZON:,}, Bernoulli rewards, "
    f"{REPLICATES} replicates: the largest ratio over arms of the mean to b_k log T + "
    f"{CONSTANT:g} holds if below 1 and fails if above it with its 95 % interval; the recursion "
    "holds if no arm in no replicate breaks it.",
    evidence="results/claims/claims.json",
    measure=_measure,
    kind="bound",
)
