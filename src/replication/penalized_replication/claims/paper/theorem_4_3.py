"""Theorem 4.3, Lemma 4.4 and Observation 1: deficits, and classical fairness."""

from collections.abc import Sequence

import numpy as np

from penalized_bandits.common.typing import FloatArray
from penalized_bandits.statistics.estimates import NORMAL, mean_estimate
from penalized_bandits.theory import deficits as theory
from penalized_bandits.theory.conditions import condition_lemma_4_4
from penalized_replication.claims.base import Evidence, Measured, claim
from penalized_replication.claims.horizon_series import HorizonSeries, bandit_at, deficits_of
from penalized_replication.claims.measures import growth
from penalized_replication.claims.measures.growth import CONSTANT, log_law_series
from penalized_replication.claims.measures.proof_steps import HORIZON, REPLICATES, proof_steps
from penalized_replication.claims.parts import Fields, Part, below, exact, exactly, vacuous

TOLERANCE = 1.0
"""Pulls, or reward, by which growth may exceed that of log T."""


@claim(
    "C11",
    where="Theorem 4.3",
    statement="E max_t (τ_j t − N_j(t))₊ ≤ a_j log T + O(1) for optimal and critical arms, with "
    "the a_j that is printed.",
    rule="For each instance with fixed τ and A, from T = 10,000 on: the largest ratio of the mean "
    f"to a_j log T + {CONSTANT:g}, over arms and horizons, holds if below 1 and fails if above it "
    "with its whole interval (Bonferroni over horizons). Vacuous where a_j log T exceeds τ_j T at "
    "the largest horizon, ties (a_j infinite) included.",
    quantity="largest ratio of E max_t (τ t − N(t))₊ to its bound, over arms and horizons",
    kind="bound",
    plain="how far an arm worth its share falls behind at worst grows at most like a logarithm",
)
def largest_deficits(evidence: Evidence) -> Measured:
    for series in log_law_series(evidence, fixed=True):
        late = series.since()
        if not len(late):
            continue
        log, coefficients = np.log(late.rounds), theory.deficit_coefficients(series.bandit)
        parts: list[Part] = []
        for arm in np.flatnonzero(~np.isnan(coefficients)):
            samples = [outcome.max_deficit[:, arm] for outcome in late.outcomes]
            # Coefficients of ties are infinite.
            bounds = np.minimum(coefficients[arm], 1e9) * log + CONSTANT
            fields = series.about(arm=int(arm) + 1)
            part = growth.largest_ratio(samples, bounds, late.horizons, fields)
            if coefficients[arm] * log[-1] >= series.bandit.fairness[arm] * late.horizons[-1]:
                part = vacuous(part, "a_j log T exceeds τ_j T at the largest horizon")
            parts.append(part)
        yield max(parts, key=lambda part: (part.status != "vacuous", part.estimate))


def _growth(horizons: Sequence[int], samples: Sequence[FloatArray], fields: Fields) -> Part:
    first, last = samples[0], samples[-1]
    factor = float(np.log(horizons[-1]) / np.log(horizons[0]))
    value = float(last.mean() - factor * first.mean())
    variance = last.var(ddof=1) / last.size + factor**2 * first.var(ddof=1) / first.size
    half = NORMAL * float(np.sqrt(variance))
    means = [float(first.mean()), float(last.mean())]
    values = {"means": means, "first": horizons[0], "last": horizons[-1]}
    return below((value, value - half, value + half), TOLERANCE, **fields, values=values)


@claim(
    "C37",
    where="after Theorem 4.3",
    statement="With A_k > Δ_k for all arms the method solves the classical fair bandit at a price "
    "of O(log T): the largest deficit of all arms and rounds, and the regret, are O(log T).",
    rule="For each instance with fixed τ and A and A_k > Δ_k for all arms: the mean of the largest "
    "deficit over arms and rounds, and the mean regret, at the largest horizon less that at the "
    "first one from T = 10,000 on times the ratio of their logarithms: holds if below "
    f"{TOLERANCE:g} with its 95 % interval, fails if above.",
    quantity="how much more the mean grows from T = 10,000 on than log T does, in pulls or reward",
    plain="high penalties keep every share, at a price that grows like the logarithm of time",
)
def classical_fairness(evidence: Evidence) -> Measured:
    for series in log_law_series(evidence, fixed=True):
        late, bandit = series.since(), series.bandit
        replicates = min((len(outcome.pulls) for outcome in late.outcomes), default=0)
        if (bandit.margins <= 0).any() or len(late) < 2 or replicates < 2:
            continue
        deficits = [outcome.max_deficit.max(axis=1) for outcome in late.outcomes]
        fields = series.about(quantity="largest deficit of all rounds")
        yield _growth(late.horizons, deficits, fields)
        yield _growth(late.horizons, late.regrets(), series.about(quantity="regret"))


@claim(
    "C45",
    where="proof of Theorem 4.3",
    statement="An optimal or critical arm that is below its level waits at most b_k log T + O(1) "
    "rounds in which no arm with more μ + A is below its own, on average; and in every run its "
    "largest deficit is at most τ_k, the largest deficits of the arms with more μ + A, and the "
    "rounds that they and it wait, together.",
    rule=f"For each instance with fixed τ and A without ties, T = {HORIZON:,}, Bernoulli rewards, "
    f"{REPLICATES} replicates: the largest ratio over arms of the mean to b_k log T + "
    f"{CONSTANT:g} holds if below 1 and fails if above it with its 95 % interval; the recursion "
    "holds if no arm in no replicate breaks it.",
    quantity="rounds that an arm waits, over their bound; largest excess of a deficit over the "
    "recursion, pulls",
    evidence="claims/claims.json",
    kind="bound",
    plain="an arm worth its share that falls behind waits about a logarithm of time at most",
)
def waiting_rounds(evidence: Evidence) -> Measured:
    for series in log_law_series(evidence, fixed=True):
        bandit, fields = series.bandit, series.about()
        coefficients = theory.waiting_coefficients(bandit)
        if np.isinf(coefficients).any():
            continue
        steps, parts = proof_steps(bandit, HORIZON, REPLICATES), []
        for arm in np.flatnonzero(~np.isnan(coefficients)):
            bound = float(coefficients[arm]) * np.log(HORIZON) + CONSTANT
            interval = mean_estimate(steps.waits[:, arm] / bound).interval
            parts.append(below(interval, 1.0, **fields, arm=int(arm) + 1, quantity="rounds waited"))
        yield max(parts, key=lambda part: part.estimate)
        order = np.argsort(-(bandit.means + bandit.penalties), kind="stable")
        order = order[~np.isnan(coefficients[order])]
        deficits, waits = steps.deficits[:, order], steps.waits[:, order]
        before = np.cumsum(deficits, axis=1) - deficits
        most = before + np.cumsum(waits, axis=1) + bandit.fairness[order]
        margin = float((deficits - most).max())
        yield exactly(margin <= 1e-9, margin, 0.0, **fields, quantity="recursion")


@claim(
    "C12",
    where="Observation 1",
    statement="If A_k − Δ_k ≤ √(32 K log T/T), then (A_k − Δ_k) E(τ_k T − N_k)₊ ≤ "
    "τ_k √(32 K T log T).",
    rule="Holds if the ratio of the two sides is at most 1 in every replicate, for every arm with "
    "0 ≤ A_k − Δ_k below the limit; fails otherwise. (It follows from N_k ≥ 0 alone.)",
    quantity="largest ratio of (A_k − Δ_k)(τ_k T − N_k)₊ to τ_k √(32 K T log T)",
    kind="identity",
    plain="where penalty and gap are close a missing share costs little",
)
def small_margins(evidence: Evidence) -> Measured:
    for series in log_law_series(evidence):
        ratios: list[float] = []
        for outcome in series.outcomes:
            bandit, t = bandit_at(outcome), outcome.horizon
            margin = bandit.margins
            small = (margin >= 0) & (margin <= np.sqrt(32 * bandit.n_arms * np.log(t) / t))
            small &= bandit.fairness > 0  # without a fraction both sides are 0
            costs = margin * deficits_of(outcome)
            bound = theory.small_margin_bound(bandit.fairness, t)
            ratios.append(float((costs[:, small] / bound[small]).max(initial=-np.inf)))
        largest = max(ratios)
        if np.isfinite(largest):
            yield below(exact(largest), 1.0 + 1e-12, **series.about())


def _nearest_to_scale(series: HorizonSeries) -> Measured:
    """Yield the part on the mean deficit of the arm nearest to its scale, at each horizon."""
    nearest, informative = [], False
    for outcome in series.outcomes:
        bandit, horizon = bandit_at(outcome), outcome.horizon
        arms = bandit.optimal_or_critical & condition_lemma_4_4(bandit, horizon)
        if not arms.any():
            continue
        scale, deficits = theory.deficit_scale(bandit, horizon), deficits_of(outcome)
        ratios = (deficits[:, arms] / scale[arms]).mean(axis=0)
        arm = np.flatnonzero(arms)[int(np.argmax(ratios))]
        nearest.append((deficits[:, arm], scale[arm], horizon))
        # A scale that is nearly the level itself is vacuous.
        informative |= bool(scale[arm] < 0.99 * outcome.fairness[arm] * horizon)
    if nearest:
        samples, scales, horizons = zip(*nearest, strict=True)
        part = growth.largest_ratio(samples, np.array(scales), horizons, series.about())
        yield part if informative else vacuous(part, "the scale is the level itself")


@claim(
    "C13",
    where="Lemma 4.4",
    statement="E(τ_k T − N_k)₊ = O(32 τ_k K log T/(A_k − Δ_k)²) where A_k − Δ_k ≥ √(32 K log T/T).",
    rule="For each instance and construction, over the arms that meet the condition and all "
    "horizons: holds if the largest ratio of the mean deficit to the scale lies below 1 with its "
    "interval, fails if above (Bonferroni over horizons). Vacuous where the scale is the level "
    "τ_k T itself.",
    quantity="largest ratio of E(τ_k T − N_k)₊ to 32 τ_k K log T/(A_k − Δ_k)²",
    kind="bound",
    plain="the further the penalty is above the gap, the fewer pulls an arm lacks",
)
def scale_of_deficits(evidence: Evidence) -> Measured:
    for series in growth.limit_series(evidence, "lemma_4_4"):
        scales = [theory.deficit_scale(bandit_at(one), one.horizon)[0] for one in series.outcomes]
        deficits = [growth.lacking(one)[0] for one in series.outcomes]
        ratios = [float(x / scale) for x, scale in zip(deficits, scales, strict=True)]
        ends = {"first": series.horizons[0], "last": series.horizons[-1]}
        yield below(exact(max(ratios)), 1.0, **series.about(), values={"ratios": ratios, **ends})
    for series in log_law_series(evidence):
        yield from _nearest_to_scale(series)
