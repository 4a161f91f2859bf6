"""Theorem 4.2: deficits and pulls of arms (a to c), and the regret bound (d)."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from penalized_bandits.claims.base import claim
from penalized_bandits.claims.evidence import Evidence
from penalized_bandits.claims.horizon_series import deficits_of, meets_4_2
from penalized_bandits.claims.measures.bounds import CONSTANT, GROWTH, pulls_within, regret_within
from penalized_bandits.claims.measures.constructions import waiting_series
from penalized_bandits.claims.measures.growth import log_law_series
from penalized_bandits.claims.parts import Fields, Part, below
from penalized_bandits.common.typing import FloatArray
from penalized_bandits.statistics.estimates import wilson

ONE_PULL = 1.0
QUANTILE = 1.96


def _standard_error(sample: FloatArray) -> float:
    return float(sample.std(ddof=1)) / sample.size**0.5 if sample.size > 1 else 0.0


def _growth(horizons: Sequence[int], samples: Sequence[FloatArray], fields: Fields) -> Part:
    """Return the part on the growth of a mean, from where it was least to the last horizon."""
    means = [float(sample.mean()) for sample in samples]
    least = int(np.argmin(means[:-1]))
    value = means[-1] - means[least]
    errors = [_standard_error(sample) for sample in (samples[-1], samples[least])]
    half = QUANTILE * float(np.hypot(errors[0], errors[1]))
    values = {"means": means, "first": horizons[0], "last": horizons[-1]}
    return below((value, value - half, value + half), ONE_PULL, **fields, values=values)


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
)
def bounded_deficits(evidence: Evidence) -> Iterator[Part | dict[str, Any]]:
    """Measure the growth of deficits."""
    for series in log_law_series(evidence):
        late = series.since()
        if series.fixed and meets_4_2(series.last) and len(late) > 1:
            yield _growth(late.horizons, late.deficits(series.optimal_or_critical), series.about())
    for series in waiting_series(evidence):
        late = series.since()
        if len(late) > 1 and meets_4_2(late.last):
            totals = [deficits_of(one)[0].sum(keepdims=True) for one in late.outcomes]
            yield _growth(late.horizons, totals, series.about())
    runs = evidence.section("log_laws").replicates
    yield {"runs": runs, "unseen": 1 / wilson(0, runs).high}


@claim(
    "C04",
    where="Theorem 4.2b",
    statement="E N_k(T) ≤ max(8 log T/Δ_k², τ_k T) + O(1) for critical arms.",
    rule="For each instance with fixed τ and A: the largest ratio of E N_k to the bound plus 10 "
    "pulls, over critical arms and horizons, holds if below 1 and fails if above it with its "
    "whole interval (Bonferroni over horizons). Vacuous where the bound exceeds T.",
    quantity="largest ratio of E N_k(T) to its bound",
    kind="bound",
)
def pulls_of_critical_arms(evidence: Evidence) -> Iterator[Part]:
    """Compare pulls of critical arms with their bound."""
    return pulls_within(evidence, "critical")


@claim(
    "C05",
    where="Theorem 4.2c",
    statement="E N_k(T) ≤ max(min(8 log T/(Δ_k − A_k)², τ_k T), 8 log T/Δ_k²) + O(1) for "
    "non-critical arms.",
    rule="For each instance with fixed τ and A: the largest ratio of E N_k to the bound plus 10 "
    "pulls, over non-critical arms and the horizons at which the bound is below their level, holds "
    "if below 1 and fails if above it with its whole interval (Bonferroni over horizons). Vacuous "
    "where the bound exceeds T. (The constant that is attained is 2, not 8: C08.)",
    quantity="largest ratio of E N_k(T) to its bound",
    kind="bound",
)
def pulls_of_non_critical_arms(evidence: Evidence) -> Iterator[Part]:
    """Compare pulls of non-critical arms with their bound."""
    return pulls_within(evidence, "non_critical")


@claim(
    "C06",
    where="Theorem 4.2d, as stated",
    statement="Regret stays below the bound of eq. (12) plus O(K), with "
    "(8 log T/Δ_k − τ_k T)₊ for critical arms, as the theorem has it: for constant fractions, and "
    "for one that shrinks like log T/T, of which section 5 does not speak.",
    rule="For each instance with fixed τ and A: the ratio of mean regret to the bound plus "
    f"{CONSTANT:g} K at the largest horizon holds if below 1 and fails if above it with its whole "
    "95 % interval; vacuous where the bound exceeds T or the largest regret that there is. For the "
    "bandit of Theorem 4.7 with τ_2 T = log T/(2 Δ²), Δ fixed, from T = 10,000 on: holds if regret "
    f"outgrows the bound by less than {GROWTH:g} an arm for each factor e of T, fails if by more.",
    quantity="ratio of mean regret to the bound",
    evidence="results/summaries/deterministic.csv",
    kind="bound",
    plain="the loss stays below the bound that Theorem 4.2d prints, also where a share shrinks "
    "like log T/T",
)
def regret_bound_as_stated(evidence: Evidence) -> Iterator[Part]:
    """Compare regret with the bound that the theorem states."""
    return regret_within(evidence, "stated")


@claim(
    "C06P",
    where="Theorem 4.2d, as proved",
    statement="Regret stays below the bound of eq. (12) plus O(K), with "
    "(8 log T/Δ_k − Δ_k τ_k T)₊ for critical arms, as the proof arrives at.",
    rule="For each instance with fixed τ and A, and for the bandit of Theorem 4.7 with "
    "τ_2 T = log T/(2 Δ²): the largest ratio of mean regret to the bound plus "
    f"{CONSTANT:g} K, over horizons, holds if below 1 and fails if above it with its whole "
    "interval (Bonferroni over horizons). Vacuous where the bound exceeds T or the largest regret "
    "that there is.",
    quantity="largest ratio of mean regret to its bound",
    kind="bound",
    ours=True,
)
def regret_bound_as_proved(evidence: Evidence) -> Iterator[Part]:
    """Compare regret with the bound that the proof arrives at."""
    return regret_within(evidence, "proved")
