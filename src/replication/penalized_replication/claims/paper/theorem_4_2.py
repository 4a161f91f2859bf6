"""Theorem 4.2: deficits and pulls of arms (a to c), the regret bound (d), and its proof."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from penalized_bandits.common.typing import FloatArray
from penalized_bandits.statistics.estimates import NORMAL, wilson
from penalized_bandits.theory import bounds as theory
from penalized_bandits.theory.bounds import gap_dependent_bound, largest_regret
from penalized_bandits.theory.conditions import conditions_4_2
from penalized_bandits.theory.inputs import Reading
from penalized_replication.claims import parts
from penalized_replication.claims.base import Evidence, Measured, claim
from penalized_replication.claims.horizon_series import HorizonSeries, bandit_at, deficits_of
from penalized_replication.claims.measures import growth
from penalized_replication.claims.measures.growth import CONSTANT, largest_ratio, log_law_series
from penalized_replication.claims.measures.proof_steps import HORIZON, REPLICATES, proof_steps

GROWTH = 1.0
"""Reward an arm and a factor e of T by which regret may outgrow a bound up to O(K)."""
ONE_PULL = 1.0
ROUNDED_PULL = 1 + 1e-6
UNLIKELY = 0.05


@claim(
    "C03",
    where="Theorem 4.2a",
    statement="E(τ_k T − N_k(T))₊ = O(1) for optimal and critical arms.",
    rule="For every bandit that meets the theorem's conditions at the largest horizon: how much "
    "the mean deficit of these arms is larger there than at the earlier horizon, from T = 10,000 "
    f"on, at which it is least. Holds if less than {ONE_PULL:g} pull with its 95 % interval, fails "
    "if more.",
    quantity="growth of Σ E(τ_k T − N_k)₊ over optimal and critical arms, in pulls, from where it "
    "was least to the largest horizon",
    kind="theorem",
    plain="an arm worth its share lacks a few pulls of it on average, however long the run",
)
def bounded_deficits(evidence: Evidence) -> Measured:
    for series in (*log_law_series(evidence, fixed=True), *growth.waiting_series(evidence)):
        late = series.since()
        if len(late) < 2 or not growth.meets_4_2(late.last):
            continue
        samples = late.deficits(late.bandit.optimal_or_critical)
        means = [float(sample.mean()) for sample in samples]
        least = int(np.argmin(means[:-1]))
        value, ends = means[-1] - means[least], (samples[-1], samples[least])
        single = np.inf if series.law.noise else 0.0
        errors = [float(x.std(ddof=1)) / x.size**0.5 if x.size > 1 else single for x in ends]
        half = NORMAL * float(np.hypot(errors[0], errors[1]))
        values = {"means": means, "first": late.horizons[0], "last": late.horizons[-1]}
        yield parts.below(
            (value, value - half, value + half), ONE_PULL, **late.about(values=values)
        )
    runs = evidence.section("log_laws").replicates
    yield {"runs": runs, "unseen": 1 / wilson(0, runs).high}


@claim(
    "C04",
    arguments={"critical": True},
    where="Theorem 4.2b",
    statement="E N_k(T) ≤ max(8 log T/Δ_k², τ_k T) + O(1) for critical arms.",
    rule="For each instance with fixed τ and A: the largest ratio of E N_k to the bound plus 10 "
    "pulls, over critical arms and horizons, holds if below 1 and fails if above it with its "
    "whole interval (Bonferroni over horizons). Vacuous where the bound exceeds T.",
    quantity="largest ratio of E N_k(T) to its bound",
    kind="bound",
    plain="an arm worth its share gets no more than the share or what learning its gap takes",
)
@claim(
    "C05",
    arguments={"critical": False},
    where="Theorem 4.2c",
    statement="E N_k(T) ≤ max(min(8 log T/(Δ_k − A_k)², τ_k T), 8 log T/Δ_k²) + O(1) for "
    "non-critical arms.",
    rule="For each instance with fixed τ and A: the largest ratio of E N_k to the bound plus 10 "
    "pulls, over non-critical arms and the horizons at which the bound is below their level, holds "
    "if below 1 and fails if above it with its whole interval (Bonferroni over horizons). Vacuous "
    "where the bound exceeds T. (The constant that is attained is 2, not 8: C08.)",
    quantity="largest ratio of E N_k(T) to its bound",
    kind="bound",
    plain="an arm not worth its share gets no more than what learning this takes",
)
def pulls_within_bound(evidence: Evidence, *, critical: bool) -> Measured:
    """Compare the pulls of a kind of arms with their bound, in each bandit at the nearest arm."""
    bound_of = theory.critical_pulls_bound if critical else theory.non_critical_pulls_bound
    for series in log_law_series(evidence, fixed=True):
        rounds, bounds = series.rounds, bound_of(series.bandit, series.rounds)
        found: list[parts.Part] = []
        for arm in np.flatnonzero(~np.isnan(bounds[-1])):
            informative = bounds[:, arm] < rounds
            if not critical:
                # Before that the bound is the arm's own level, which says nothing of log T.
                informative &= bounds[:, arm] < series.bandit.fairness[arm] * rounds
            if informative.any():
                pulls, limits = series.pulls(int(arm)), bounds[:, arm] + CONSTANT
                fields = series.about(arm=int(arm) + 1)
                found.append(largest_ratio(pulls, limits, series.horizons, fields, informative))
        if found:
            yield max(found, key=lambda part: part.estimate)
        elif not np.isnan(bounds[-1]).all():
            yield growth.always_vacuous(series.about())


@claim(
    "C06",
    arguments={"reading": "stated"},
    where="Theorem 4.2d, as the arXiv text prints it",
    statement="Where the fractions are constant, as section 5 has them for ease of presentation, "
    "regret stays below the bound of eq. (12) plus O(K), with (8 log T/Δ_k − τ_k T)₊ for critical "
    "arms.",
    rule="For each instance with fixed τ and A: the ratio of mean regret to the bound plus "
    f"{CONSTANT:g} K at the largest horizon holds if below 1 and fails if above it with its whole "
    "95 % interval; vacuous where the bound exceeds T or the largest regret that there is.",
    quantity="ratio of mean regret to the bound",
    kind="bound",
    plain="with constant shares the loss stays below the bound that Theorem 4.2d prints",
)
@claim(
    "C06P",
    arguments={"reading": "proved"},
    where="Theorem 4.2d, as part b implies",
    statement="Regret stays below the bound of eq. (12) plus O(K), with "
    "(8 log T/Δ_k − Δ_k τ_k T)₊ for critical arms, as part b implies.",
    rule="For each instance with fixed τ and A, and for the bandit of Theorem 4.7 with "
    "τ_2 T = log T/(2 Δ²): the largest ratio of mean regret to the bound plus "
    f"{CONSTANT:g} K, over horizons, holds if below 1 and fails if above it with its whole "
    "interval (Bonferroni over horizons). Vacuous where the bound exceeds T or the largest regret "
    "that there is.",
    quantity="largest ratio of mean regret to its bound",
    kind="bound",
    ours=True,
    plain="the loss stays below the bound that part b of Theorem 4.2 implies",
)
def regret_within_bound(evidence: Evidence, reading: Reading) -> Measured:
    """Compare the regret in each bandit with the bound plus 10 K."""
    for series in log_law_series(evidence, fixed=True):
        rounds = series.rounds
        bounds = gap_dependent_bound(series.bandit, rounds, reading=reading)
        informative = bounds < np.minimum(rounds, largest_regret(series.bandit, rounds))
        if reading == "stated":
            informative &= rounds == rounds[-1]
        limits = bounds + CONSTANT * series.bandit.n_arms
        regrets, fields = series.regrets(), series.about()
        yield largest_ratio(regrets, limits, series.horizons, fields, informative)
    for series in shrinking_fraction(evidence) if reading == "proved" else ():
        regrets, bounds = _beside_bound(series, reading)
        ratios = regrets / (bounds + CONSTANT * series.bandit.n_arms)
        nearest = {"nearest_horizon": series.horizons[int(ratios.argmax())]}
        yield parts.below(parts.exact(ratios.max()), 1.0, **series.about(values=nearest))


def shrinking_fraction(evidence: Evidence) -> Iterator[HorizonSeries]:
    """Yield Theorem 4.7's bandit with fixed gap, from T = 10,000 on."""
    for series in growth.constructions(evidence):
        if series.instance == "theorem_4_2":
            outcomes = tuple(filter(growth.meets_4_2, series.since().outcomes))
            if len(outcomes) > 1:
                yield replace(series, label="Theorem 4.7's bandit, Δ fixed", outcomes=outcomes)


def _beside_bound(series: HorizonSeries, reading: Reading) -> tuple[FloatArray, FloatArray]:
    """Return regret and its bound at each horizon, of a bandit that differs between them."""
    pairs = [(bandit_at(one), one.horizon) for one in series.outcomes]
    bounds = [float(gap_dependent_bound(*pair, reading=reading)) for pair in pairs]
    return np.array([growth.own_regrets(one).sum() for one in series.outcomes]), np.array(bounds)


@claim(
    "C06A",
    where="Theorem 4.2d; not in the paper, whose fractions are constant or T^−b, 0 < b < 1",
    statement="Where a fraction shrinks like log T/T no O(K) makes the bound of eq. (12), with "
    "(8 log T/Δ_k − τ_k T)₊ for critical arms, one of regret.",
    rule="For the bandit of Theorem 4.7 with τ_2 T = log T/(2 Δ²), Δ fixed, from T = 10,000 on: "
    f"holds if regret outgrows the bound by more than {GROWTH:g} an arm for each factor e of T, "
    "fails if by less.",
    quantity="growth of regret less bound for each arm and each factor e of T",
    evidence="summaries/deterministic.csv",
    ours=True,
    low_power="a proof, Theorem 6; the runs illustrate it",
    plain="where a share shrinks with time the loss outgrows the bound that Theorem 4.2d prints",
)
def outgrows_the_bound(evidence: Evidence) -> Measured:
    for series in shrinking_fraction(evidence):
        regrets, bounds = _beside_bound(series, "stated")
        logs, above_it = np.log(series.horizons), regrets - bounds
        grown = (above_it[-1] - above_it[0]) / (logs[-1] - logs[0]) / series.bandit.n_arms
        values = {"regrets": regrets.tolist(), "bounds": bounds.tolist()}
        values |= {"first": series.horizons[0], "last": series.horizons[-1]}
        # Theorem 6: regret over log T, and its limit 3/(2 Delta).
        values |= {"rate": float(above_it[-1] / logs[-1])}
        values |= {"limit_of_rate": float(1.5 / series.bandit.gaps.max())}
        yield parts.above(parts.exact(float(grown)), GROWTH, **series.about(values=values))


@claim(
    "C09",
    where="remark after Theorem 4.2",
    statement="With A = 0 the policy is UCB1, pull by pull, and the bound of Theorem 4.2d is "
    "Σ 8 log T/Δ_k, as Auer et al. (2002) have it.",
    rule="Holds if on the same rewards no replicate has other pulls than UCB1 at any horizon, and "
    "if the two bounds agree at the largest horizon; fails otherwise.",
    quantity="replicates in which the hard threshold with A = 0 and UCB1 differ; ratio of the "
    "two bounds",
    kind="identity",
    plain="without penalties it is the classical policy UCB1, pull by pull",
)
def ucb1_without_penalties(evidence: Evidence) -> Measured:
    instances = evidence.section("log_laws").instances
    for series in log_law_series(evidence):
        penalized = any(bandit_at(outcome).penalties.any() for outcome in series.outcomes)
        if penalized or "ucb1" not in instances[series.instance].policies:
            continue
        differing = 0
        for outcome in series.outcomes:
            ucb1 = evidence.outcome("log_laws", outcome.case, "ucb1", outcome.horizon)
            differing += int((outcome.pulls != ucb1.pulls).any(axis=1).sum())
        fields = series.about(rival="ucb1")
        yield parts.exactly(
            differing == 0, differing, 0, **fields, quantity="replicates that differ"
        )
        gaps, last = series.bandit.gaps, series.last.horizon
        known = float((8 * np.log(last) / gaps[gaps > 0]).sum())
        ratio = float(gap_dependent_bound(series.bandit, last)) / known
        holds = abs(ratio - 1) < 1e-12
        yield parts.exactly(holds, ratio, 1.0, **fields, quantity="bound of 4.2d over Σ 8 log T/Δ")


@claim(
    "C42",
    where="proof of Theorem 4.2, Observations 3 and 4",
    statement="With high probability (3) a critical arm that alone is below its level is pulled as "
    "soon as all others have more than 8 log T/c_a² pulls, and (4) a non-critical arm with more "
    "than 8 log T/c_a² pulls is pulled only if all critical arms are at their level.",
    rule=f"For each instance that meets the theorem's conditions at T = {HORIZON:,}, Bernoulli "
    f"rewards, {REPLICATES} replicates: holds if the share of replicates with a round in which an "
    f"observation is wrong lies below {UNLIKELY} with its Wilson interval, fails if above; nothing "
    "is said where no round is one that it speaks of.",
    quantity=f"share of replicates with a round, up to T = {HORIZON:,}, in which the observation "
    "is wrong",
    evidence="claims/claims.json",
    kind="theorem",
    plain="once the others are known, an arm worth its share is served as soon as it is due",
)
def observations(evidence: Evidence) -> Measured:
    for series in log_law_series(evidence, fixed=True):
        if not all(condition.all() for condition in conditions_4_2(series.bandit, HORIZON)):
            continue
        steps = proof_steps(series.bandit, HORIZON, REPLICATES)
        for row, quantity in enumerate(("Observation 3", "Observation 4")):
            rounds, violated = int(steps.applicable[row].sum()), steps.violated[row] > 0
            fields = series.about(quantity=quantity, values={"rounds": rounds})
            part = parts.frequency(violated, most=UNLIKELY, **fields)
            yield part if rounds else parts.irrelevant(part, "the observation applies to no round")


@claim(
    "C43",
    where="proof of Theorem 4.2, first part",
    statement="From the round n₂ on no critical arm lacks more than one pull, with probability "
    "going to 1.",
    rule="At the largest horizon, for every bandit that meets the theorem's conditions. "
    "Deterministic rewards: holds if no arm lacks more than one pull, fails if one does. Random "
    "rewards: holds if the share of replicates in which one does lies below "
    f"{UNLIKELY} with its Wilson interval, fails if above.",
    quantity="pulls that the arm furthest behind lacks (constructions), or share of replicates "
    "with an arm that lacks more than one (random rewards)",
    evidence="summaries/deterministic.csv",
    kind="theorem",
    repeats="C02",
    plain="after some time no arm worth its share is more than one pull behind",
)
def one_pull_short(evidence: Evidence) -> Measured:
    for series in growth.waiting_series(evidence):
        if growth.meets_4_2(series.last):
            deficit = float(growth.lacking(series.last).max())
            fields = series.about(horizon=series.last.horizon, quantity="pulls lacking")
            yield replace(parts.exactly(deficit <= ROUNDED_PULL, deficit, 1, **fields), most=1.0)
    for series in log_law_series(evidence, fixed=True):
        if growth.meets_4_2(series.last):
            deficits = deficits_of(series.last)[:, series.bandit.optimal_or_critical].max(axis=1)
            quantity = "replicates with a deficit above 1"
            fields = series.about(horizon=series.last.horizon, quantity=quantity)
            yield parts.frequency(deficits > ROUNDED_PULL, most=UNLIKELY, **fields)
