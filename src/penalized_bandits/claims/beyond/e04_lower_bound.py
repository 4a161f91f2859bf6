"""E04: how far the policies are from the instance lower bound."""

from dataclasses import replace

import numpy as np

from penalized_bandits.claims.base import Claim, Finding, Part, below, exactly, nothing_known
from penalized_bandits.claims.beyond.best import followed, long_series, name_of
from penalized_bandits.claims.beyond.evidence import ExtendedEvidence
from penalized_bandits.claims.beyond.predicted import limits_of, long_track
from penalized_bandits.claims.evidence import Evidence, bandit_of
from penalized_bandits.claims.measures.regret import regret_of
from penalized_bandits.storage.replicates import Outcome
from penalized_bandits.theory.inputs import instance_of
from penalized_bandits.theory.lower_bound import lower_constant

FACTOR = 2.0
ROUNDING = 1e-6


def _part(
    evidence: ExtendedEvidence, policy: str, case: str, runs: list[Outcome], constant: float
) -> Part:
    name, last = f"{policy} {case}", runs[-1]
    by = constant * np.log(last.horizon)
    seen = f"at T = {last.horizon} regret over the bound is {regret_of(last).mean() / by:.3g}"
    track = long_track(evidence, policy, case, runs)
    if track is None:
        return nothing_known(name, f"{seen}; no limit is known")
    seen += f", predicted {track.curve[-1] / by:.3g}"
    limits = limits_of(evidence, policy, last)
    if limits.linear > 0:
        why = f"{seen}; regret is linear in T"
        return replace(exactly(name, holds=False, value=np.inf, limit=FACTOR), detail=why)
    ratio = limits.log / constant
    if ratio < 1 - ROUNDING:
        # A radius too narrow for the noise (claim S07): log T is not the law.
        return nothing_known(name, f"{seen}; the limit would be {ratio:.3g}, below the bound")
    return replace(below(name, ratio, ratio, ratio, FACTOR), detail=seen)


def _measure(evidence: Evidence) -> Finding:
    assert isinstance(evidence, ExtendedEvidence)  # noqa: S101
    parts: list[Part] = []
    for policy in followed(evidence):
        for case, runs in long_series(evidence, policy).items():
            law = evidence.laws.of(name_of(evidence, policy), runs[0].case)
            means, fairness, penalties = bandit_of(runs[0])
            constant = float(lower_constant(instance_of(means, fairness, penalties, law)))
            if constant > 0:
                parts.append(_part(evidence, policy, case, runs, constant))
    return Finding(
        "limit of regret over log T, over the constant of the instance lower bound",
        tuple(parts),
        note="The limit is that of the fluid prediction, which E02 holds against the runs; beside "
        "it stand the regret measured and predicted at the largest horizon, over the bound's "
        "constant times log T. At a finite T they may be above or below their limit. A predicted "
        "limit below the bound is none, because no consistent policy has one. The bound is that of "
        "policies that know the family of reward laws; of Gaussian rewards, σ too.",
    )


CLAIM = Claim(
    where="beyond the paper",
    statement="The policies of the long runs come within a factor 2 of the instance lower bound as "
    "T grows.",
    rule="For each policy with a known limit and each case of the long runs: the limit of R(T) "
    f"over log T, over the bound's constant; holds if it is below {FACTOR:g}, fails if above, and "
    "where regret is linear in T. Undecided where no limit is known.",
    measure=_measure,
)
