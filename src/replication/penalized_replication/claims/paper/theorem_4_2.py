"""Theorem 4.2: deficits and pulls of arms (a to c), the regret bound (d), and its proof."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from penalized_bandits.statistics.estimates import NORMAL, wilson
from penalized_bandits.theory import bounds as theory
from penalized_bandits.theory.inputs import Interpretation
from penalized_replication.claims.base import Evidence, claim
from penalized_replication.claims.comparisons import Measured, Measurement, exact
from penalized_replication.claims.horizon_series import SINCE, HorizonSeries, bandit_at, deficits_of
from penalized_replication.claims.measures import growth
from penalized_replication.claims.measures.proof_steps import HORIZON, REPLICATES, proof_steps
from penalized_replication.claims.rules import Above, Below, BelowBound, Exactly, Within

ROUNDING = 1e-6  # pulls
FIXED = "On each bandit with fixed τ and A"


@claim(
    "C03",
    Below(
        1.0,
        of="growth of Σ E(τ_k T − N_k)₊ over optimal and critical arms, in pulls, from the earlier "
        "horizon at which it is least to the largest one",
        over=f"On each bandit that meets the theorem's conditions at the largest horizon, {SINCE}",
    ),
)
def bounded_deficits(evidence: Evidence) -> Measured:
    for series in (*growth.log_law_series(evidence, fixed=True), *growth.waiting_series(evidence)):
        late = series.since()
        if len(late) < 2 or not growth.meets_4_2(late.last):
            continue
        samples = late.deficits(late.bandit.optimal_or_critical)
        means = [float(sample.mean()) for sample in samples]
        least = int(np.argmin(means[:-1]))
        value, ends = means[-1] - means[least], (samples[-1], samples[least])
        single = np.inf if series.bandit.rewards.noise else 0.0
        errors = [float(x.std(ddof=1)) / x.size**0.5 if x.size > 1 else single for x in ends]
        half = NORMAL * float(np.hypot(errors[0], errors[1]))
        values = {"means": means, "first": late.horizons[0], "last": late.horizons[-1]}
        yield Measurement((value, value - half, value + half), late.place(), values=values)
    runs = evidence.section("log_laws").replicates
    yield {"runs": runs, "unseen": 1 / wilson(0, runs).high}


def _pulls(arms: str, vacuous: str) -> BelowBound:
    over = f"{FIXED}, for the {arms} arm that speaks most against it"
    allowed = {"allowance": 10.0, "allowed": "10 pulls"}
    return BelowBound(of="mean pulls", over=over, vacuous=vacuous, **allowed)


def _regret(over: str) -> BelowBound:
    vacuous = "the bound exceeds T or the largest regret that there is"
    allowed = {"allowance": 10.0, "allowed": "10 K"}
    return BelowBound(of="mean regret", over=f"{FIXED}{over}", vacuous=vacuous, **allowed)


@claim("C04", _pulls("critical", "the bound exceeds T"), critical=True)
@claim("C05", _pulls("non-critical", "the bound exceeds T or the arm's level"), critical=False)
def pulls_within_bound(evidence: Evidence, *, critical: bool) -> Measured:
    bound_of = theory.critical_pulls_bound if critical else theory.non_critical_pulls_bound
    for series in growth.log_law_series(evidence, fixed=True):
        rounds, bounds = series.rounds, bound_of(series.bandit, series.rounds)
        for arm in map(int, np.flatnonzero(~np.isnan(bounds[-1]))):
            informative = bounds[:, arm] < rounds
            if not critical:
                # Before that the bound is the arm's own level, which says nothing of log T.
                informative &= bounds[:, arm] < series.bandit.fairness[arm] * rounds
            data = series.beside(bounds[:, arm], series.pulls(arm), informative)
            # Of a bandit whose bounds say nothing the comparison is of no arm.
            place = series.place(arm=arm + 1 if data else None)
            yield Measurement(data, place, group=series.instance)


@claim("C06", _regret(", at the largest horizon"), interpretation="stated")
@claim(
    "C06P",
    _regret(", and on that of Theorem 4.7 with τ_2 T = log T/(2 Δ²)"),
    interpretation="proved",
)
def regret_within_bound(evidence: Evidence, interpretation: Interpretation) -> Measured:
    for series in growth.log_law_series(evidence, fixed=True):
        rounds, bandit = series.rounds, series.bandit
        bounds = theory.gap_dependent_bound(bandit, rounds, interpretation=interpretation)
        informative = bounds < np.minimum(rounds, theory.largest_regret(bandit, rounds))
        if interpretation == "stated":
            informative &= rounds == rounds[-1]
        data = series.beside(bounds, series.regrets(), informative)
        yield Measurement(data, series.place(), unit=float(bandit.n_arms))
    for series in shrinking_fraction(evidence) if interpretation == "proved" else ():
        regrets, bounds = _beside_bound(series, interpretation)
        data = series.beside(bounds, map(exact, regrets))
        yield Measurement(data, series.place(), unit=float(series.bandit.n_arms))


def shrinking_fraction(evidence: Evidence) -> Iterator[HorizonSeries]:
    """Yield Theorem 4.7's bandit with fixed gap, settled."""
    for series in growth.constructions(evidence):
        if series.instance == "theorem_4_2":
            outcomes = tuple(filter(growth.meets_4_2, series.since().outcomes))
            if len(outcomes) > 1:
                yield replace(series, label="Theorem 4.7's bandit, Δ fixed", outcomes=outcomes)


def _beside_bound(
    series: HorizonSeries, interpretation: Interpretation
) -> tuple[list[float], list[float]]:
    """Return regret and its bound at each horizon, of a bandit that differs between them."""
    pairs = [(bandit_at(one), one.horizon) for one in series.outcomes]
    bounds = [float(theory.gap_dependent_bound(*p, interpretation=interpretation)) for p in pairs]
    return [float(growth.own_regrets(one).sum()) for one in series.outcomes], bounds


@claim(
    "C06A",
    Above(
        1.0,
        of="growth of regret less bound for each arm and each factor e of T",
        over=f"On the bandit of Theorem 4.7 with τ_2 T = log T/(2 Δ²), Δ fixed, {SINCE}",
        exact=True,
    ),
)
def outgrows_the_bound(evidence: Evidence) -> Measured:
    for series in shrinking_fraction(evidence):
        regrets, bounds = _beside_bound(series, "stated")
        logs, above_it = np.log(series.horizons), np.subtract(regrets, bounds)
        grown = (above_it[-1] - above_it[0]) / (logs[-1] - logs[0]) / series.bandit.n_arms
        values = {"regrets": regrets, "bounds": bounds}
        values |= {"first": series.horizons[0], "last": series.horizons[-1]}
        # Theorem 6: regret over log T, and its limit 3/(2 Delta).
        values |= {"rate": float(above_it[-1] / logs[-1])}
        values |= {"limit_of_rate": float(1.5 / series.bandit.gaps.max())}
        yield Measurement(exact(float(grown)), series.place(), values=values)


DIFFERING, BOUNDS = "replicates that differ", "bound of 4.2d over Σ 8 log T/Δ"


@claim(
    "C09",
    {
        DIFFERING: Exactly(
            0.0,
            of="replicates in which the hard threshold with A = 0 has other pulls than UCB1",
            over="On the same rewards, over all horizons",
        ),
        BOUNDS: Exactly(
            1.0, of="ratio of the two bounds", over="At the largest horizon", rounding=1e-12
        ),
    },
)
def ucb1_without_penalties(evidence: Evidence) -> Measured:
    instances = evidence.section("log_laws").instances
    for series in growth.log_law_series(evidence):
        penalized = any(bandit_at(outcome).penalties.any() for outcome in series.outcomes)
        if penalized or "ucb1" not in instances[series.instance].policies:
            continue
        differing = 0
        for outcome in series.outcomes:
            ucb1 = evidence.outcome("log_laws", outcome.case, "ucb1", outcome.horizon)
            differing += int((outcome.pulls != ucb1.pulls).any(axis=1).sum())
        yield Measurement(exact(differing), series.place(DIFFERING, rival="ucb1"))
        gaps, last = series.bandit.gaps, series.last.horizon
        known = float((8 * np.log(last) / gaps[gaps > 0]).sum())
        ratio = float(theory.gap_dependent_bound(series.bandit, last)) / known
        yield Measurement(exact(ratio), series.place(BOUNDS, rival="ucb1"))


@claim(
    "C42",
    Below(
        0.05,
        of=f"share of replicates with a round, up to T = {HORIZON:,}, in which the observation is "
        "wrong",
        over=f"On each bandit that meets the theorem's conditions at T = {HORIZON:,}, with "
        f"Bernoulli rewards, {REPLICATES} replicates (vacuous where the observation applies to no "
        "round)",
    ),
)
def observations(evidence: Evidence) -> Measured:
    for series in growth.log_law_series(evidence, fixed=True):
        if not growth.meets_4_2(series.last, HORIZON):
            continue
        steps = proof_steps(series.bandit, HORIZON, REPLICATES)
        for row, quantity in enumerate(("Observation 3", "Observation 4")):
            rounds, place = int(steps.applicable[row].sum()), series.place(quantity)
            made = Measurement(steps.violated[row] > 0, place, values={"rounds": rounds})
            yield made.silent("the observation applies to no round", when=rounds == 0)


LACKING, SHORT = "pulls lacking", "replicates with a deficit above 1"
LAST = "On each bandit that meets the theorem's conditions, at the largest horizon"


@claim(
    "C43",
    {
        LACKING: Within(
            most=1.0,
            centre=1.0,
            of="pulls that the arm furthest behind lacks",
            over=f"{LAST}, with deterministic rewards",
            exact=True,
            rounding=ROUNDING,
        ),
        SHORT: Below(
            0.05,
            of="share of replicates with an arm that lacks more than one pull",
            over=f"{LAST}, with random rewards",
        ),
    },
)
def one_pull_short(evidence: Evidence) -> Measured:
    for series in growth.waiting_series(evidence):
        if growth.meets_4_2(series.last):
            deficit = float(growth.lacking(series.last).max())
            yield Measurement(exact(deficit), series.place(LACKING, horizon=series.last.horizon))
    for series in growth.log_law_series(evidence, fixed=True):
        if growth.meets_4_2(series.last):
            deficits = deficits_of(series.last)[:, series.bandit.optimal_or_critical]
            short = (deficits > 1 + ROUNDING).any(axis=1)
            yield Measurement(short, series.place(SHORT, horizon=series.last.horizon))
