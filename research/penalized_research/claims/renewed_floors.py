"""The claim on means that change: regret as T grows and the number of changes does not."""

from itertools import product

import numpy as np

from penalized_bandits.common.typing import FloatArray
from penalized_bandits.policies import PAPER_POLICY
from penalized_replication.claims.base import Evidence, claim
from penalized_replication.claims.comparisons import Measured, Measurement, place_of
from penalized_replication.claims.horizon_series import regret_of
from penalized_replication.claims.rules import Less

STUDY = "renewed_floors"
OURS, RIVALS = ("window_due_first", "forgetting_threshold"), (PAPER_POLICY, "window_threshold")


def least_regret(evidence: Evidence, policy: str, horizon: int) -> FloatArray:
    """Return the regrets (R,) of a policy with the tuning of least mean regret at a horizon."""
    runs = evidence.outcomes(STUDY, policy=policy, horizon=horizon)
    return min(map(regret_of, runs), key=np.mean)


@claim(
    "S28",
    Less(
        of="increase of dynamic penalized regret less the rival's, in rewards",
        over="From the least to the largest T, for due first with a window of 600 rounds and the "
        "forgetting threshold against the hard threshold as published and with a window, that of "
        "least regret at each T",
        scale="the rival's increase",
    ),
)
def slower_growth(evidence: Evidence) -> Measured:
    """Yield the increases of regret of each pair of policies."""
    horizons = sorted({run.horizon for run in evidence.outcomes(STUDY)})
    increases = {}
    for policy in (*OURS, *RIVALS):
        first, last = (least_regret(evidence, policy, t) for t in (horizons[0], horizons[-1]))
        increases[policy] = last - first
    for policy, rival in product(OURS, RIVALS):
        run = evidence.outcomes(STUDY, policy=policy, horizon=horizons[-1])[0]
        yield Measurement((increases[policy], increases[rival]), place_of(run, rival=rival))
