"""Claims on the price of learning under hard floors (Theorems P and Q)."""

from collections.abc import Callable
from functools import partial
from itertools import product
from math import isclose, sqrt

from penalized_bandits.bandit.instances import Instance
from penalized_bandits.policies import PAPER_POLICY
from penalized_bandits.statistics import estimates
from penalized_replication.claims.base import Evidence, Measured, claim, grouped
from penalized_replication.claims.horizon_series import bandit_at, regret_of
from penalized_replication.claims.parts import about, above, below, within
from penalized_replication.storage.replicates import Outcome
from penalized_research.experiments.floors import EQUAL, ONE, STUDIES
from penalized_research.measures.growth import nearest_to_bound
from penalized_research.theory import floors as theory

DUE_FIRST = "moss_due_first"
LEAST, MOST = 0.01, 1.0
GROWTH = 1.5
SHARE = 0.01
"""The 1 - sum tau at which growth in K is looked at."""
TIMES = 1.5


def _outcomes(evidence: Evidence, policy: str) -> list[Outcome]:
    return [one for study in STUDIES for one in evidence.outcomes(study, policy=policy)]


def worst_cases(evidence: Evidence, policy: str) -> dict[tuple[str, int, float, float], Outcome]:
    """Return the outcome of the largest mean regret over gaps, by floors, K, 1 - sum tau and A."""

    def key(one: Outcome) -> tuple[str, int, float, float]:
        rate, free = float(one.bandits.penalties.max()), round(1 - one.info.total_fairness, 9)
        return one.info.group or "", one.info.n_arms, free, rate

    runs = grouped(_outcomes(evidence, policy), key)
    return {k: max(own, key=lambda one: regret_of(one).mean()) for k, own in runs.items()}


def unit_of(one: Outcome, *, soft: bool = False) -> float:
    """Return H min(1, w^-1/2), or with the soft level H min(1, eps*), eq. (11), reward."""
    tau, horizon = one.fairness.reshape(-1), one.horizon
    level = theory.soft_level(tau, horizon) if soft else 1 / sqrt(theory.water_level(tau, horizon))
    return float((1 - tau.sum()) * horizon * min(1.0, level))


@claim(
    "S15",
    where="not in the paper; theorem P",
    statement="Where floors are hard, the worst regret over gaps of due first, then MOSS at the "
    "water level, is of the order δT min(1, ε*), whatever K and δ = 1 − Σ τ are and however the "
    "floors are shared.",
    rule="For each K, δ, rate and way of sharing the floors: the largest mean regret over gaps, "
    f"over δT min(1, ε*), holds if between {LEAST:g} and {MOST:g} with its 95 % interval, fails if "
    "outside.",
    quantity="worst mean regret over δT min(1, ε*)",
    low_power="an order: the theorem's own constants are a factor 1,130 apart",
)
def order_of_regret(evidence: Evidence) -> Measured:
    for one in worst_cases(evidence, DUE_FIRST).values():
        ratio = estimates.mean_estimate(regret_of(one) / unit_of(one, soft=True))
        yield within(ratio.interval, LEAST, MOST, **about(one))


@claim(
    "S16",
    where="not in the paper; theorem P",
    statement="Equal floors cost a factor that grows with K over what the water level allows, and "
    "floors of one arm do not.",
    rule=f"At δ = {SHARE:g}, for each rate, from the second smallest K to the largest: the growth "
    f"of due first's worst mean regret over δT/√w holds for equal floors if above {GROWTH:g} with "
    "its 95 % interval, fails if below; for floors of one arm the other way round.",
    quantity="growth in K of worst mean regret over δT/√w",
)
def growth_in_arms(evidence: Evidence) -> Measured:
    worst = worst_cases(evidence, DUE_FIRST)
    for kind, rate in product((EQUAL, ONE), evidence.section(STUDIES[0]).rates):
        keys = [k for k in worst if (k[0], k[3]) == (kind, rate) and isclose(k[2], SHARE)]
        runs = [worst[key] for key in sorted(keys)[1:]]
        if len(runs) < 2:
            continue
        last, first = (regret_of(one) / unit_of(one) for one in (runs[-1], runs[0]))
        grown = estimates.ratio_of_independent_means(last, first)
        decided = above if kind == EQUAL else below
        yield decided(grown.interval, GROWTH, **about(runs[-1]))


@claim(
    "S17",
    where="not in the paper; theorems P and Q",
    statement="Where one of ten or more arms has all floors, the published policy's worst regret "
    f"over gaps is more than {TIMES:g} times that of due first, then MOSS at the water level.",
    rule=f"For each K from 10 on, δ and rate: the ratio holds if above {TIMES:g} with its 95 % "
    "interval, fails if below.",
    quantity="worst mean regret of the published policy over that of due first",
)
def published_beside_due_first(evidence: Evidence) -> Measured:
    ours, theirs = (worst_cases(evidence, policy) for policy in (DUE_FIRST, PAPER_POLICY))
    for key in filter(lambda key: key[0] == ONE and key[1] >= 10, ours):
        one, other = ours[key], theirs[key]
        ratio = estimates.ratio_of_independent_means(regret_of(other), regret_of(one))
        yield above(ratio.interval, TIMES, **about(other), rival=DUE_FIRST)


within_bound = partial(
    claim,
    rule="For each K, δ and way of sharing the floors, of the gaps the one that speaks most "
    "against it: mean regret over the bound holds if below 1 with its interval (Bonferroni over "
    "all bandits), fails if above.",
    quantity="mean regret over its bound",
    kind="bound",
)


@within_bound(
    "S18",
    arguments={"policy": DUE_FIRST, "bound": theory.upper_bound_p, "least": 1.0},
    where="not in the paper; theorem P",
    statement="Where floors are hard, the regret of due first, then MOSS at the water level, is at "
    "most δT min(1, 6.4 w^−½ + 1.42 ε*) + (max A + 2)(K − 1).",
)
@within_bound(
    "S19",
    arguments={"policy": PAPER_POLICY, "bound": theory.upper_bound_q, "least": 1.0 + 1e-9},
    where="not in the paper; theorem Q",
    statement="Where all rates exceed 1, with α the least excess, the published policy's regret is "
    "at most δT min(1, √(32 log T/w)) + (2 max A + 3) K (1 + 2 log T/α²).",
)
def regret_within_bound(
    evidence: Evidence, policy: str, bound: Callable[[Instance, float], float], least: float
) -> Measured:
    """Compare mean regret with a bound for rates from ``least`` on."""
    runs = [x for x in _outcomes(evidence, policy) if x.bandits.penalties.min() >= least]
    yield from nearest_to_bound(
        evidence,
        runs,
        lambda one: (one.info.group, one.info.n_arms, one.info.total_fairness),
        lambda one: regret_of(one) / bound(bandit_at(one), one.horizon),
    )


@claim(
    "S20",
    where="not in the paper; theorem P",
    statement="The worst regret over gaps of any policy is at least max(δT min(1, w^−½)/45, "
    "δT min(1, ε*)/110).",
    rule="For each policy, K, δ, rate and way of sharing the floors: the largest mean regret over "
    "gaps, over the bound, holds if above 1 with its 95 % interval, fails if below.",
    quantity="worst mean regret over the lower bound",
    kind="bound",
)
def above_lower_bound(evidence: Evidence) -> Measured:
    for policy in evidence.section(STUDIES[0]).policies:
        for one in worst_cases(evidence, policy).values():
            bound = theory.lower_bound_p(one.fairness.reshape(-1), one.horizon)
            ratio = estimates.mean_estimate(regret_of(one) / bound)
            yield above(ratio.interval, 1.0, **about(one))
