"""Claims on the price of learning under hard floors (Theorems P and Q)."""

from collections.abc import Callable
from itertools import product
from math import isclose, sqrt

from penalized_bandits.bandit.instances import Instance
from penalized_bandits.policies import PAPER_POLICY
from penalized_bandits.statistics.estimates import ratio_of_independent_means
from penalized_replication.claims.base import Evidence, claim
from penalized_replication.claims.comparisons import Measured, Measurement, place_of
from penalized_replication.claims.horizon_series import bandit_at, grouped, regret_of
from penalized_replication.claims.rules import Above, Below, Within
from penalized_replication.storage.replicates import Outcome
from penalized_research.experiments.floors import EQUAL, ONE, STUDIES
from penalized_research.theory import floors as theory

DUE_FIRST = "moss_due_first"
SHARE = 0.01
"""The 1 - sum tau at which growth in K is looked at."""
CASES, WORST = "K, δ, rate and way of sharing the floors", "worst mean regret (over gaps)"
GROWTH = f"growth of {WORST} over δT/√w from the second smallest K to the largest"
NEAREST = "For each K, δ and way of sharing the floors, the bandit that speaks most against it"
WITHIN_BOUND = Below(1.0, of="mean regret over its bound", over=NEAREST, together=True)


def _outcomes(evidence: Evidence, policy: str) -> list[Outcome]:
    return [run for study in STUDIES for run in evidence.outcomes(study, policy=policy)]


def worst_cases(evidence: Evidence, policy: str) -> dict[tuple[str, int, float, float], Outcome]:
    """Return the outcome of the largest mean regret over gaps, by floors, K, 1 - sum tau and A."""

    def key(run: Outcome) -> tuple[str, int, float, float]:
        rate, free = float(run.bandits.penalties.max()), round(1 - run.info.total_fairness, 9)
        return run.info.group or "", run.info.n_arms, free, rate

    runs = grouped(_outcomes(evidence, policy), key)
    return {k: max(own, key=lambda run: regret_of(run).mean()) for k, own in runs.items()}


def unit_of(run: Outcome, *, soft: bool = False) -> float:
    """Return H min(1, w^-1/2), or with the soft level H min(1, eps*), eq. (11), reward."""
    tau, horizon = run.fairness.reshape(-1), run.horizon
    level = theory.soft_level(tau, horizon) if soft else 1 / sqrt(theory.water_level(tau, horizon))
    return float((1 - tau.sum()) * horizon * min(1.0, level))


@claim(
    "S15", Within(of=f"{WORST} over δT min(1, ε*)", over=f"For each {CASES}", least=0.01, most=1.0)
)
def order_of_regret(evidence: Evidence) -> Measured:
    for run in worst_cases(evidence, DUE_FIRST).values():
        yield Measurement(regret_of(run) / unit_of(run, soft=True), place_of(run))


@claim(
    "S16",
    {
        EQUAL: Above(1.5, of=GROWTH, over=f"Due first, equal floors, δ = {SHARE:g}, each rate"),
        ONE: Below(1.5, of=GROWTH, over=f"Due first, floors of one arm, δ = {SHARE:g}, each rate"),
    },
)
def growth_in_arms(evidence: Evidence) -> Measured:
    worst = worst_cases(evidence, DUE_FIRST)
    for kind, rate in product((EQUAL, ONE), evidence.section(STUDIES[0]).rates):
        keys = [k for k in worst if (k[0], k[3]) == (kind, rate) and isclose(k[2], SHARE)]
        runs = [worst[key] for key in sorted(keys)[1:]]
        if len(runs) > 1:
            first, *_, last = (regret_of(run) / unit_of(run) for run in runs)
            grown = ratio_of_independent_means(last, first)
            yield Measurement(grown.interval, place_of(runs[-1]), rule=kind)


@claim(
    "S17",
    Above(
        1.5,
        of=f"{WORST} of the published policy over that of due first",
        over="Where one arm has all floors, for each K from 10 on, δ and rate",
    ),
)
def published_beside_due_first(evidence: Evidence) -> Measured:
    ours, theirs = (worst_cases(evidence, policy) for policy in (DUE_FIRST, PAPER_POLICY))
    for key in filter(lambda key: key[0] == ONE and key[1] >= 10, ours):
        ratio = ratio_of_independent_means(regret_of(theirs[key]), regret_of(ours[key]))
        yield Measurement(ratio.interval, place_of(theirs[key], rival=DUE_FIRST))


@claim("S18", WITHIN_BOUND, policy=DUE_FIRST, bound=theory.upper_bound_p, least=1.0)
@claim("S19", WITHIN_BOUND, policy=PAPER_POLICY, bound=theory.upper_bound_q, least=1.0 + 1e-9)
def regret_within_bound(
    evidence: Evidence, policy: str, bound: Callable[[Instance, float], float], least: float
) -> Measured:
    """Yield mean regret over a bound for rates from ``least`` on."""
    for run in _outcomes(evidence, policy):
        if run.bandits.penalties.min() >= least:
            ratio = regret_of(run) / bound(bandit_at(run), run.horizon)
            group = run.info.group, run.info.n_arms, run.info.total_fairness
            yield Measurement(ratio, place_of(run), group=group)


@claim("S20", Above(1.0, of=f"{WORST} over the lower bound", over=f"For each policy, {CASES}"))
def above_lower_bound(evidence: Evidence) -> Measured:
    for policy in evidence.section(STUDIES[0]).policies:
        for run in worst_cases(evidence, policy).values():
            bound = theory.lower_bound_p(run.fairness.reshape(-1), run.horizon)
            yield Measurement(regret_of(run) / bound, place_of(run))
