"""Theorem 4.1: arms reach their fairness level with probability going to 1."""

import numpy as np

from penalized_bandits.theory.conditions import condition_4_1
from penalized_replication.claims.base import Evidence, claim
from penalized_replication.claims.comparisons import Measured, Measurement, exact
from penalized_replication.claims.horizon_series import (
    HorizonSeries,
    all_served,
    bandit_at,
    whole_levels,
)
from penalized_replication.claims.measures import growth
from penalized_replication.claims.rules import RareWithoutRise, Within
from penalized_replication.storage.replicates import Outcome

FURTHEST = "pulls of the arm furthest behind over ⌊τ_k T⌋"
SHORT = "replicates with an arm short"


def _meeting(series: HorizonSeries) -> list[Outcome]:
    return [o for o in series.outcomes if condition_4_1(bandit_at(o), o.horizon).all()]


def _level_reached(series: HorizonSeries, *, at_limit: bool) -> Measured:
    outcomes = _meeting(series)
    if not outcomes:
        return
    last, levels = outcomes[-1], whole_levels(outcomes[-1])
    # A level of 0 is reached by any number of pulls.
    arm = int(np.argmin(last.pulls[0] / np.maximum(levels, 1e-9)))
    pulls, level = float(last.pulls[0, arm]), float(levels[arm])
    share = pulls / level if level else 1.0
    limit = {"arm": arm + 1, "first": outcomes[0].horizon, "fairness": float(last.fairness[arm])}
    limit |= {"shares": [float(one.pulls[0, arm] / one.horizon) for one in outcomes]}
    values = limit if at_limit else {}
    values |= {"lacking": level - pulls, "level": level}
    yield Measurement(exact(share), series.place(FURTHEST, horizon=last.horizon), values=values)


@claim(
    "C02",
    {
        FURTHEST: Within(
            1.0,
            of=FURTHEST,
            over="With deterministic rewards, at the largest horizon that meets the condition",
            exact=True,
            centre=1.0,
        ),
        SHORT: RareWithoutRise(
            0.05,
            of="share of replicates with an arm short of ⌊τ_k T⌋ pulls",
            over="With random rewards, at the largest horizon, if it meets the condition, and the "
            "first that does",
            rise_level=0.025,
        ),
    },
)
def fair_with_high_probability(evidence: Evidence) -> Measured:
    for series in growth.limit_series(evidence, "theorem_4_1"):
        yield from _level_reached(series, at_limit=True)
    for series in growth.waiting_series(evidence):
        yield from _level_reached(series, at_limit=False)
    for series in growth.log_law_series(evidence):
        outcomes = _meeting(series)
        if not outcomes or outcomes[-1] is not series.last:
            continue
        short = [~all_served(outcome) for outcome in outcomes]
        values = {"short": [float(x.mean()) for x in short]}
        values |= {"horizons": [outcome.horizon for outcome in outcomes]}
        place = series.place(SHORT, horizon=series.last.horizon)
        yield Measurement((short[-1], short[0]), place, values=values)
