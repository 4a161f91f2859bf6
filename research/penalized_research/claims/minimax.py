"""Claims on bounds free of the gaps (Theorems I, J and M, Proposition H)."""

from collections.abc import Callable, Sequence
from itertools import product
from math import isclose

import numpy as np

from penalized_bandits.bandit.instances import Instance
from penalized_bandits.common.typing import FloatArray
from penalized_bandits.policies import PAPER_POLICY
from penalized_bandits.statistics.estimates import ratio_of_independent_means
from penalized_replication.claims.base import Evidence, claim
from penalized_replication.claims.comparisons import Measured, Measurement, exact, place_of
from penalized_replication.claims.horizon_series import regret_of
from penalized_replication.claims.rules import Above, Below, Within
from penalized_replication.common.errors import NotMeasuredError
from penalized_replication.storage.replicates import Outcome
from penalized_research.experiments import minimax as study
from penalized_research.rules import near_one
from penalized_research.theory.gap_free import upper_bound_i, upper_bound_m

CHEAP, POLICIES = ("minimax", "minimax_long"), "minimax_policies"
MOSS, KL = "moss_hard_threshold", "kl_hard_threshold"
NEAREST = "For each K, T and kind of bandit, the one that speaks most against it"
WITHIN_BOUND = Below(1.0, of="mean of regret over its bound", over=NEAREST, together=True)
EACH, GROWTH = "For each policy, K and T", "growth of R/√(KT)"
RATES = "for each K, without fractions, the gap ½ √(K log T/T), from the smallest T to the largest"


def _outcomes(evidence: Evidence, policy: str) -> list[Outcome]:
    return [run for name in CHEAP for run in evidence.outcomes(name, policy=policy)]


def _scaled(run: Outcome) -> FloatArray:
    """Return R(T)/sqrt(K T) of each replicate, (R,)."""
    return regret_of(run) / np.sqrt(run.info.n_arms * run.horizon)


@claim("S09", WITHIN_BOUND, policy=PAPER_POLICY, bound=upper_bound_i)
@claim("S10", WITHIN_BOUND, policy=MOSS, bound=upper_bound_m)
def regret_within_bound(
    evidence: Evidence, policy: str, bound: Callable[[Instance, float], FloatArray]
) -> Measured:
    """Yield regret over a bound on each bandit, in groups by its kind, K and T."""
    for run in _outcomes(evidence, policy):
        ratio = regret_of(run) / bound(run.bandits, run.horizon)
        group = run.info.group, run.info.n_arms, run.horizon
        yield Measurement(ratio, place_of(run), group=group)


@claim(
    "S11",
    {
        "": near_one(0.1, of=f"{GROWTH} over that of √(log T)", over=f"Published policy, {RATES}"),
        GROWTH: Below(0.5, of=GROWTH, over=f"MOSS, {RATES}", times="(growth of √(log T) − 1) + 1"),
    },
)
def growth(evidence: Evidence) -> Measured:
    several: list[int] = evidence.section(CHEAP[0]).arms
    for policy, arms in product((PAPER_POLICY, MOSS), several):
        name = study.without_fractions(arms, study.GROWTH)
        runs = [run for run in _outcomes(evidence, policy) if run.info.instance == name]
        if len(runs) < 2:
            raise NotMeasuredError("growth takes two horizons")
        first, last = runs[0], runs[-1]
        times = float(np.sqrt(np.log(last.horizon) / np.log(first.horizon)))
        grown = ratio_of_independent_means(_scaled(last), _scaled(first))
        if policy == PAPER_POLICY:
            yield Measurement((grown / times).interval, place_of(last))
            continue
        place = place_of(last, quantity=GROWTH)
        yield Measurement(grown.interval, place, unit=times - 1, origin=1.0)


def _worst(runs: Sequence[Outcome], arms: int, free: float) -> Outcome:
    """Return the outcome with the largest regret for K and 1 - sum tau."""
    alike = [run for run in runs if (run.info.group, run.info.n_arms) == (study.WORST, arms)]
    alike = [x for x in alike if isclose(x.info.total_fairness, 1 - free, abs_tol=1e-9)]
    return max(alike, key=lambda run: _scaled(run).mean())


@claim(
    "S12", Above(0.5, of="worst regret at the least 1 − Σ τ over that at the largest", over=EACH)
)
def full_fractions(evidence: Evidence) -> Measured:
    for name in (*CHEAP, POLICIES):
        section = evidence.section(name)
        shares = [share for share in section.free if share > 0]
        others = evidence.section(CHEAP[0]).policies if name == POLICIES else ()
        policies = [p for p in section.policies if p not in others and len(shares) > 1]
        for policy, arms, horizon in product(policies, section.arms, section.horizons):
            runs = evidence.outcomes(name, policy=policy, horizon=horizon)
            few, many = (_worst(runs, arms, free(shares)) for free in (min, max))
            ratio = ratio_of_independent_means(_scaled(few), _scaled(many))
            yield Measurement(ratio.interval, place_of(few))


@claim(
    "S13",
    Within(
        of="regret over (A − 0.4)/5",
        over="Without noise",
        least=1.0,
        exact=True,
        centre=1.0,
        rounding=1e-9,
    ),
)
def linear_in_rates(evidence: Evidence) -> Measured:
    for run in _outcomes(evidence, PAPER_POLICY):
        if run.info.group == study.TOGETHER:
            least = (float(run.bandits.penalties[0, 0]) - 0.4) / 5
            yield Measurement(exact(float(regret_of(run).min()) / least), place_of(run))


@claim(
    "S14",
    Below(
        0.0, of="mean regret less that of MOSS on the same rewards", over="Fixed gaps, for each T"
    ),
)
def fixed_gaps(evidence: Evidence) -> Measured:
    both = (evidence.outcomes(POLICIES, policy=policy) for policy in (KL, MOSS))
    fixed = ([run for run in runs if run.info.group == study.FIXED] for runs in both)
    for run, other in zip(*fixed, strict=True):
        rival, place = regret_of(other), place_of(run, rival=MOSS)
        yield Measurement(regret_of(run) - rival, place, scale=float(rival.mean()))
