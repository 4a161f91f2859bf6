"""E04: how far the policies are from the instance lower bound."""

import math

import numpy as np

from penalized_bandits.claims.base import Claim, Finding, Part, below, nothing_known
from penalized_bandits.claims.evidence import Evidence
from penalized_bandits.claims.figure_1 import regret_of
from penalized_bandits.claims.laws import FEWEST
from penalized_bandits.extensions.claims.best import followed, long_series
from penalized_bandits.extensions.comparison import bound_of

FACTOR = 2.0


def _measure(evidence: Evidence) -> Finding:
    from penalized_bandits.extensions.evidence import ExtendedEvidence
    from penalized_bandits.theory.fits import fit_log, measure

    assert isinstance(evidence, ExtendedEvidence)  # noqa: S101
    parts: list[Part] = []
    for policy in followed(evidence):
        for case, runs in long_series(evidence, policy).items():
            constant = float(bound_of(evidence, evidence.laws, "long_runs", runs[0].case).mean())
            if constant == 0:
                continue
            if len(runs) < FEWEST:
                parts.append(nothing_known(f"{policy} {case}", f"{len(runs)} horizons"))
                continue
            data = measure([run.horizon for run in runs], [regret_of(run) for run in runs])
            slope = fit_log(data.horizons, data.mean, data.se).slope
            middle, low, high = (v / constant for v in (slope.value, slope.low, slope.high))
            parts.append(below(f"{policy} {case}", middle, low, high, FACTOR))
    shown = [part for part in parts if math.isfinite(part.estimate)]
    nearest = min(shown, key=lambda part: abs(np.log(max(part.estimate, 1e-12))), default=None)
    return Finding(
        "slope of mean regret in log T over the constant of the instance lower bound",
        tuple(parts),
        headline=nearest,
    )


CLAIM = Claim(
    where="beyond the paper",
    statement="Policies with a threshold come within a factor 2 of the instance lower bound.",
    rule="For each policy and case of long_runs: the slope of mean regret in log T (from "
    "T = 4,000) over the bound's constant; holds if its 95 % interval is below 2, fails if above. "
    "Below 1 the horizon is too short for the bound, or the policy pays for it on other instances.",
    evidence="results/extended/long_runs.csv",
    measure=_measure,
)
