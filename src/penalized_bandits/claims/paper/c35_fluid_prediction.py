"""C35: equal indices predict the pulls better than any bound (not in the paper)."""

import numpy as np

from penalized_bandits.claims.base import Claim, Finding, below
from penalized_bandits.claims.evidence import Evidence, bandit_of
from penalized_bandits.policies import PAPER_POLICY
from penalized_bandits.statistics.estimates import mean_estimate
from penalized_bandits.theory.fluid import predicted_pulls
from penalized_bandits.theory.inputs import instance_of

CLOSE = 0.05


def _measure(evidence: Evidence) -> Finding:
    parts = []
    for outcome in evidence.outcomes("setting_4", policy=PAPER_POLICY):
        predicted = predicted_pulls(instance_of(*bandit_of(outcome)), outcome.horizon)
        errors = np.abs(outcome.pulls.mean(axis=0) - predicted) / predicted
        arm = int(np.argmax(errors))
        found = mean_estimate(outcome.pulls[:, arm] / predicted[arm] - 1)
        flip = -1.0 if found.value < 0 else 1.0
        low, high = sorted((flip * found.low, flip * found.high))
        name = f"{outcome.case} arm {arm + 1}"
        parts.append(below(name, flip * found.value, low, high, CLOSE))
    return Finding(
        "relative error of the predicted pulls, for the arm predicted worst", tuple(parts)
    )


CLAIM = Claim(
    where="not in the paper; behind Figure 4",
    statement="In Setting 4 the pulls can be predicted: N_k is such that the index "
    "μ_k + A_k 1(N_k < τ_k T) + √(2 log T/N_k) is the same for all arms.",
    rule="In each panel, for the arm predicted worst: holds if the relative error lies below 5 % "
    "with its 95 % interval, fails if above.",
    measure=_measure,
    ours=True,
)
