"""Lemma 4.4 and Observation 1: deficits where the margin A − Δ is small."""

from collections.abc import Iterator

import numpy as np

from penalized_bandits.claims.base import claim
from penalized_bandits.claims.evidence import Evidence
from penalized_bandits.claims.horizon_series import HorizonSeries, bandit_at, deficits_of
from penalized_bandits.claims.measures.constructions import lacking, limit_series
from penalized_bandits.claims.measures.growth import largest_ratio, log_law_series
from penalized_bandits.claims.parts import Part, below, exact, vacuous
from penalized_bandits.storage.replicates import Outcome
from penalized_bandits.theory.conditions import condition_lemma_4_4
from penalized_bandits.theory.deficits import deficit_scale, small_margin_bound

NEAR = 0.99
"""A scale of so large a share of the level itself is vacuous."""


def _largest_cost(outcome: Outcome) -> float:
    """Return the largest (A − Δ)(τT − N)₊ over its bound; -inf if no arm has a small margin."""
    bandit, horizon = bandit_at(outcome), outcome.horizon
    margin = bandit.penalties - bandit.gaps
    largest = np.sqrt(32 * bandit.n_arms * np.log(horizon) / horizon)
    small = (margin >= 0) & (margin <= largest)
    costs = margin * deficits_of(outcome) / small_margin_bound(outcome.fairness, horizon)
    return float(costs[:, small].max(initial=-np.inf))


@claim(
    "C12",
    where="Observation 1",
    statement="If A_k − Δ_k ≤ √(32 K log T/T), then (A_k − Δ_k) E(τ_k T − N_k)₊ ≤ "
    "τ_k √(32 K T log T).",
    rule="Holds if the ratio of the two sides is at most 1 in every replicate, for every arm with "
    "0 ≤ A_k − Δ_k below the limit; fails otherwise. (It follows from N_k ≥ 0 alone.)",
    quantity="largest ratio of (A_k − Δ_k)(τ_k T − N_k)₊ to τ_k √(32 K T log T)",
    kind="identity",
)
def small_margins(evidence: Evidence) -> Iterator[Part]:
    """Compare the cost of deficits with its bound."""
    for series in log_law_series(evidence):
        largest = max(_largest_cost(outcome) for outcome in series.outcomes)
        if np.isfinite(largest):
            yield below(exact(largest), 1.0 + 1e-12, **series.about())


def _random(series: HorizonSeries) -> Iterator[Part]:
    """Yield the part on the mean deficit of the arm nearest to its scale, at each horizon."""
    samples, scales, horizons, informative = [], [], [], False
    for outcome in series.outcomes:
        bandit, horizon = bandit_at(outcome), outcome.horizon
        arms = (bandit.gaps <= bandit.penalties) & condition_lemma_4_4(bandit, horizon).per_arm
        if not arms.any():
            continue
        scale, deficits = deficit_scale(bandit, horizon), deficits_of(outcome)
        ratios = (deficits[:, arms] / scale[arms]).mean(axis=0)
        arm = np.flatnonzero(arms)[int(np.argmax(ratios))]
        samples.append(deficits[:, arm])
        scales.append(float(scale[arm]))
        horizons.append(horizon)
        informative |= bool(scale[arm] < NEAR * outcome.fairness[arm] * horizon)
    if samples:
        part = largest_ratio(samples, np.array(scales), horizons, series.about())
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
)
def scale_of_deficits(evidence: Evidence) -> Iterator[Part]:
    """Compare deficits with the lemma's scale."""
    for series in limit_series(evidence, "lemma_4_4"):
        scales = [deficit_scale(bandit_at(one), one.horizon)[0] for one in series.outcomes]
        deficits = [lacking(one)[0] for one in series.outcomes]
        ratios = [float(x / scale) for x, scale in zip(deficits, scales, strict=True)]
        ends = {"first": series.horizons[0], "last": series.horizons[-1]}
        yield below(exact(max(ratios)), 1.0, **series.about(), values={"ratios": ratios, **ends})
    for series in log_law_series(evidence):
        yield from _random(series)
