"""Fairness fractions that shrink like T^-b (section 5)."""

from collections.abc import Iterator

import numpy as np

from penalized_bandits.claims.base import claim
from penalized_bandits.claims.evidence import Evidence
from penalized_bandits.claims.horizon_series import HorizonSeries, bandit_at
from penalized_bandits.claims.measures.fluid_law import RULE, agreement, regret_comparison
from penalized_bandits.claims.measures.growth import largest_ratio, log_law_series
from penalized_bandits.claims.parts import Part, irrelevant
from penalized_bandits.theory.bounds import gap_dependent_bound, largest_regret
from penalized_bandits.theory.limits import log_constant

LACK = 1.0
"""Pulls that O(1) stands for, of each arm."""


def _deficit(series: HorizonSeries) -> Part:
    """Return the part on the deficit of optimal and critical arms, over a pull for each."""
    arms, bandit, last = series.optimal_or_critical, series.bandit, series.horizons[-1]
    limits = np.full(len(series), LACK * arms.sum())
    fields = series.about() | {"quantity": "deficit over one pull an arm"}
    part = largest_ratio(series.deficits(arms), limits, series.horizons, fields)
    level = float((bandit.fairness * last)[arms].min())
    enough = 2 * np.log(last) / max(float(bandit.gaps[arms].max()), 1e-12) ** 2
    if level < enough:
        reason = f"levels of {level:.0f} pulls: exploration alone takes {enough:.0f}"
        return irrelevant(part, reason)
    return part


def _regret(series: HorizonSeries) -> Part:
    """Return the part on regret below eq. (12) as proved, with the fractions of each horizon."""
    pairs = [(bandit_at(outcome), outcome.horizon) for outcome in series.outcomes]
    bounds = np.array([float(gap_dependent_bound(b, t, reading="proved")) for b, t in pairs])
    most = np.array([float(largest_regret(bandit, horizon)) for bandit, horizon in pairs])
    informative = bounds < np.minimum(series.rounds, most)
    limits = bounds + series.bandit.n_arms
    fields = series.about() | {"quantity": "regret over its bound"}
    return largest_ratio(series.regrets(), limits, series.horizons, fields, informative)


@claim(
    "C21",
    where='section 5, "When τ_k is not constant"',
    statement="For τ_k = T^−b, 0 < b < 1, the deficits of optimal and critical arms stay O(1) and "
    "regret stays below the bound of Theorem 4.2d with the term that part b implies.",
    rule="For each b, from T = 10,000 on: the largest ratio, over horizons, of the mean deficit of "
    "these arms to one pull an arm, and of mean regret to the bound plus K, holds if below 1 and "
    "fails if above it with its whole interval (Bonferroni over horizons). Nothing is said of "
    "deficits where the level is less than exploration takes, nor of a bound above the largest "
    f"regret. Regret over its fluid prediction: {RULE}",
    quantity="mean deficit over one pull for each fair arm; mean regret over its upper bound, and "
    "over its fluid prediction",
    kind="bound",
)
def shrinking_fractions(evidence: Evidence) -> Iterator[Part]:
    """Compare deficits and regret with their bounds, and regret with its prediction."""
    instances = evidence.section("log_laws").instances
    for series in log_law_series(evidence):
        if instances[series.instance].fairness_power is None:
            continue
        late = series.settled()
        yield _deficit(late)
        yield _regret(late)
        comparison = regret_comparison(late, quantity="regret over its prediction")
        asymptote = float(log_constant(series.bandit))
        yield agreement(comparison, 1 / np.log(comparison.horizons), asymptote)
