"""E04: how far the policies are from the instance lower bound."""

import math

from penalized_bandits.claims.base import Claim, Finding, Part, below, not_said, nothing_known
from penalized_bandits.claims.beyond.best import followed, long_series, name_of, settled_cases
from penalized_bandits.claims.beyond.evidence import ExtendedEvidence
from penalized_bandits.claims.evidence import Evidence
from penalized_bandits.claims.measures.growth import FEWEST
from penalized_bandits.claims.measures.regret import regret_of
from penalized_bandits.theory.lower_bound import lower_constant

FACTOR = 2.0


def _measure(evidence: Evidence) -> Finding:
    from penalized_bandits.statistics.fits import fit_log
    from penalized_bandits.statistics.measurements import measure

    assert isinstance(evidence, ExtendedEvidence)  # noqa: S101
    parts: list[Part] = []
    settled = settled_cases(evidence)
    for policy in followed(evidence):
        for case, runs in long_series(evidence, policy).items():
            first = runs[0]
            assert first.penalties is not None  # noqa: S101
            law = evidence.laws.of(name_of(evidence, policy), first.case)
            bandit = (first.means[:1], first.fairness, first.penalties[:1], law)
            constant = float(lower_constant(*bandit)[0])
            if constant == 0:
                continue
            if len(runs) < FEWEST:
                parts.append(nothing_known(f"{policy} {case}", f"{len(runs)} horizons"))
                continue
            data = measure([run.horizon for run in runs], [regret_of(run) for run in runs])
            slope = fit_log(data).slope
            middle, low, high = (v / constant for v in (slope.value, slope.low, slope.high))
            part = below(f"{policy} {case}", middle, low, high, FACTOR)
            if case not in settled:
                part = not_said(part, "horizons too short for a slope (E02)")
            parts.append(part)
    ranges: dict[str, list[float]] = {}
    for part in parts:
        if part.status != "vacuous" and math.isfinite(part.estimate):
            ranges.setdefault(part.name.split()[0], []).append(part.estimate)
    listed = ", ".join(f"{p} {min(v):.2f} to {max(v):.2f}" for p, v in ranges.items())
    return Finding(
        "slope of mean regret in log T over the constant of the instance lower bound",
        tuple(parts),
        note=f"Least to most over settled cases: {listed}. The bound is that of policies that know "
        "the family of reward laws; of Gaussian rewards, σ too.",
    )


CLAIM = Claim(
    where="beyond the paper",
    statement="The policies of the long runs come within a factor 2 of the instance lower bound.",
    rule="For each policy and case of long_runs: the slope of mean regret in log T (from "
    "T = 4,000) over the bound's constant; holds if its 95 % interval is below 2, fails if above. "
    "Vacuous in cases that have not settled (E02). Below 1 the horizon is too short for the bound, "
    "or the policy pays for it on other instances.",
    evidence="results/summaries/long_runs.csv",
    measure=_measure,
)
