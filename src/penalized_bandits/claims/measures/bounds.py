"""The bounds of Theorem 4.2, compared with the bandits of ``log_laws``."""

from collections.abc import Iterator, Sequence
from typing import Literal

import numpy as np

from penalized_bandits.claims.evidence import Evidence
from penalized_bandits.claims.horizon_series import bandit_at, meets_4_2
from penalized_bandits.claims.measures.constructions import own_regrets, shrinking_series
from penalized_bandits.claims.measures.growth import largest_ratio, log_law_series
from penalized_bandits.claims.parts import Fields, Part, below, exact, irrelevant, unknown
from penalized_bandits.common.typing import BoolArray, FloatArray
from penalized_bandits.storage.replicates import Outcome
from penalized_bandits.theory.bounds import (
    critical_pulls_bound,
    gap_dependent_bound,
    largest_regret,
    non_critical_pulls_bound,
)

CONSTANT = 10.0
"""Pulls allowed for O(1), or reward an arm for O(K)."""
GROWTH = 1.0
"""Reward an arm and a factor e of T by which regret may outgrow a bound up to O(K)."""
ALWAYS_VACUOUS = "the bound exceeds T at every horizon"


def ratio_to_bound(
    samples: list[FloatArray],
    limits: FloatArray,
    rounds: FloatArray,
    informative: BoolArray,
    fields: Fields,
) -> Part:
    """Return the part on means below a bound, at the horizons at which it is informative."""
    if not informative.any():
        return irrelevant(unknown(ALWAYS_VACUOUS, **fields), ALWAYS_VACUOUS)
    kept = [sample for sample, yes in zip(samples, informative, strict=True) if yes]
    return largest_ratio(kept, limits[informative], rounds[informative].astype(int), fields)


def pulls_within(evidence: Evidence, kind: Literal["critical", "non_critical"]) -> Iterator[Part]:
    """Compare the pulls of a kind of arms with their bound, in each bandit at the nearest arm."""
    bound_of = critical_pulls_bound if kind == "critical" else non_critical_pulls_bound
    for series in log_law_series(evidence):
        if not series.fixed:
            continue
        rounds, bounds = series.rounds, bound_of(series.bandit, series.rounds)
        parts: list[Part] = []
        for arm in np.flatnonzero(~np.isnan(bounds[-1])):
            informative = bounds[:, arm] < rounds
            if kind == "non_critical":
                # Before that the bound is the arm's own level, which says nothing of log T.
                informative &= bounds[:, arm] < series.bandit.fairness[arm] * rounds
            if informative.any():
                pulls, limits = series.pulls(int(arm)), bounds[:, arm] + CONSTANT
                fields: Fields = {**series.about(), "arm": int(arm) + 1}
                parts.append(ratio_to_bound(pulls, limits, rounds, informative, fields))
        if parts:
            yield max(parts, key=lambda part: part.estimate)
        elif not np.isnan(bounds[-1]).all():
            yield irrelevant(unknown(ALWAYS_VACUOUS, **series.about()), ALWAYS_VACUOUS)


def regret_within(evidence: Evidence, reading: Literal["stated", "proved"]) -> Iterator[Part]:
    """Compare the regret in each bandit with the bound plus 10 K.

    The bound as stated is compared at the largest horizon only, and in the bandit with shrinking
    levels by its growth.
    """
    for series in log_law_series(evidence):
        if not series.fixed:
            continue
        rounds = series.rounds
        bounds = gap_dependent_bound(series.bandit, rounds, reading=reading)
        informative = bounds < np.minimum(rounds, largest_regret(series.bandit, rounds))
        if reading == "stated":
            informative &= rounds == rounds[-1]
        limits = bounds + CONSTANT * series.bandit.n_arms
        yield ratio_to_bound(series.regrets(), limits, rounds, informative, series.about())
    series = shrinking_series(evidence).since()
    late = [outcome for outcome in series.outcomes if meets_4_2(outcome)]
    if len(late) > 1 and reading == "stated":
        yield _growth_beyond_stated(late, series.about())
    elif len(late) > 1:
        yield _ratio_to_proved(late, series.about())


def _growth_beyond_stated(late: Sequence[Outcome], fields: Fields) -> Part:
    """Return the part on the growth of regret beyond eq. (12) as stated."""
    regrets = [float(own_regrets(one).sum()) for one in late]
    bounds = [float(gap_dependent_bound(bandit_at(one), one.horizon)) for one in late]
    arms, factors = late[0].pulls.shape[1], float(np.log(late[-1].horizon / late[0].horizon))
    grown = ((regrets[-1] - bounds[-1]) - (regrets[0] - bounds[0])) / (arms * factors)
    ends = {"first": late[0].horizon, "last": late[-1].horizon}
    return below(
        exact(grown),
        GROWTH,
        **fields,
        quantity="growth of regret less bound for each arm and each factor e of T",
        values={"regrets": regrets, "bounds": bounds, **ends},
    )


def _ratio_to_proved(late: Sequence[Outcome], fields: Fields) -> Part:
    ratios = []
    for one in late:
        bound = float(gap_dependent_bound(bandit_at(one), one.horizon, reading="proved"))
        limit = bound + CONSTANT * one.pulls.shape[1]
        ratios.append((float(own_regrets(one).sum()) / limit, one.horizon))
    worst, horizon = max(ratios)
    return below(exact(worst), 1.0, **fields, values={"nearest_horizon": horizon})
