"""Theorem 4.1: arms reach their fairness level with probability going to 1."""

from dataclasses import replace
from typing import Any

import numpy as np

from penalized_bandits.theory.conditions import condition_4_1
from penalized_replication.claims import horizon_series
from penalized_replication.claims.base import Evidence, Measured, claim
from penalized_replication.claims.horizon_series import HorizonSeries, all_served, bandit_at
from penalized_replication.claims.measures import growth
from penalized_replication.claims.parts import Fields, exactly, frequency
from penalized_replication.storage.replicates import Outcome

UNLIKELY = 0.05
LEVEL = 0.025
"""Of the test whether arms fall short more often at the last horizon, one side."""


def _meeting(series: HorizonSeries) -> tuple[Outcome, ...]:
    outcomes = series.outcomes
    return tuple(o for o in outcomes if condition_4_1(bandit_at(o), o.horizon).all())


def _level_reached(series: HorizonSeries, *, at_limit: bool) -> Measured:
    outcomes = _meeting(series)
    if not outcomes:
        return
    last, levels = outcomes[-1], horizon_series.whole_levels(outcomes[-1])
    # A level of 0 is reached by any number of pulls.
    arm = int(np.argmin(last.pulls[0] / np.maximum(levels, 1e-9)))
    pulls, level = float(last.pulls[0, arm]), float(levels[arm])
    share = pulls / level if level else 1.0
    values: Fields = {"lacking": level - pulls, "level": level}
    if at_limit:
        shares = [float(one.pulls[0, arm] / one.horizon) for one in outcomes]
        tau = float(last.fairness[arm])
        values |= {"arm": arm + 1, "shares": shares, "first": outcomes[0].horizon, "fairness": tau}
    quantity = "pulls of the arm furthest behind over ⌊τ_k T⌋"
    fields = series.about(horizon=last.horizon, quantity=quantity, values=values)
    yield replace(exactly(share >= 1, share, 1.0, **fields), least=1.0)


def _rarely_short(series: HorizonSeries) -> Measured:
    from scipy.stats import fisher_exact

    outcomes = _meeting(series)
    if not outcomes or outcomes[-1] is not series.last:
        return
    short = [~all_served(outcome) for outcome in outcomes]
    shares = [float(one.mean()) for one in short]
    values = {"short": shares, "horizons": [outcome.horizon for outcome in outcomes]}
    quantity = "replicates with an arm short"
    fields = series.about(horizon=series.last.horizon, quantity=quantity, values=values)
    part = frequency(short[-1], most=UNLIKELY, **fields)
    # Do arms fall short more often at the last horizon than at the first?
    counts = [[one.sum(), (~one).sum()] for one in (short[-1], short[0])]
    p_value: Any = fisher_exact(counts, alternative="greater")[1]
    yield replace(part, status="fails") if p_value < LEVEL else part


@claim(
    "C02",
    where="Theorem 4.1",
    statement="If A_k − Δ_k ≥ min(√(32 log T/(τ_k T)), 1) for all arms and τ_k is constant, then "
    "N_k(T) ≥ ⌊τ_k T⌋ for all of them with probability going to 1.",
    rule="At the largest horizon, for every bandit that meets the condition there. Deterministic "
    "rewards: holds if every arm has its ⌊τ_k T⌋ pulls, fails if one has fewer. Random rewards: "
    f"holds if the share of replicates with an arm short lies below {UNLIKELY} with its Wilson "
    "interval, fails if above, or if it is larger than at the first horizon that meets the "
    f"condition (Fisher's exact test, one side, level {LEVEL}).",
    quantity="pulls of the arm furthest behind over ⌊τ_k T⌋ (constructions), or share of "
    "replicates with an arm short (random rewards)",
    evidence="summaries/deterministic.csv",
    kind="theorem",
    plain="with unequal shares, too, no arm lacks a pull of its share in the long run if its "
    "penalty rate is above its gap by Theorem 4.1's margin",
)
def fair_with_high_probability(evidence: Evidence) -> Measured:
    for series in growth.limit_series(evidence, "theorem_4_1"):
        yield from _level_reached(series, at_limit=True)
    for series in growth.waiting_series(evidence):
        yield from _level_reached(series, at_limit=False)
    for series in growth.log_law_series(evidence):
        yield from _rarely_short(series)
