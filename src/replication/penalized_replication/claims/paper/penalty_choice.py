"""The choice of a common penalty rate (after Theorem 4.2; section 5, "Practical choice")."""

from dataclasses import replace

import numpy as np

from penalized_bandits.policies import PAPER_POLICY
from penalized_bandits.theory.fluid import break_points
from penalized_replication.claims.base import Evidence, claim
from penalized_replication.claims.comparisons import Measured, Measurement, place_of
from penalized_replication.claims.horizon_series import SURE, bandit_at, deficits_of
from penalized_replication.claims.rules import Above, Below
from penalized_replication.storage.replicates import Outcome

NEAR = 0.01
"""An arm is fair if it lacks this share of its level, or a pull, or less."""


def _surely(arms: str) -> Above:
    of = f"probability that {arms} are fair (to {100 * NEAR:g} % of their level, or one pull)"
    over = "For each A halfway between neighbouring gaps, levels above a pull, at the last horizon"
    return Above(SURE, of=of, over=over)


def _outcomes(evidence: Evidence) -> list[Outcome]:
    """Return the outcomes of all cases and penalty rates at the largest horizon."""
    last = evidence.section("equal_penalties").horizons[-1]
    return evidence.outcomes("equal_penalties", policy=PAPER_POLICY, horizon=last)


@claim("C10", _surely("all of the k best arms"), which=True)
@claim("C22", _surely("K_exploit arms or more"), which=False)
def arms_fair(evidence: Evidence, *, which: bool) -> Measured:
    runs, others, shifts = _outcomes(evidence), [], {}
    for outcome in runs:
        bandit, level = bandit_at(outcome), outcome.fairness * outcome.horizon
        best, number = bandit.optimal_or_critical, int(bandit.optimal_or_critical.sum())
        fair = outcome.pulls >= level - np.maximum(NEAR * level, 1.0)
        all_best = fair[:, best].all(axis=1), f"{number} best arms"
        as_many = fair.sum(axis=1) >= number, f"K_exploit = {number}"
        enough, quantity = all_best if which else as_many
        # A is in no field that identifies the comparison: with other gaps it is another.
        label = f"{outcome.info.label}, A = {outcome.tuning:.3g}"
        place = replace(place_of(outcome, quantity=quantity), label=label)
        low = level[best].max() <= 1
        yield Measurement(enough, place).silent("levels of one pull at most", when=low)
        # Other arms that are fair, and the break points by prediction.
        if (fair & ~best & (outcome.fairness > 0)).any(axis=1).mean() > 0.5:
            others.append((outcome.info.label, outcome.tuning))
        if outcome.info.label not in shifts:  # a bandit has many penalty rates
            fluid = break_points(bandit.means, bandit.fairness, outcome.horizon)
            below_gaps = (bandit.gaps - fluid)[bandit.gaps > 0]
            shifts[outcome.info.label] = float(below_gaps.min()), float(below_gaps.max())
    yield {"horizon": runs[0].horizon, "cells": len(runs), "others": others, "shifts": shifts}


@claim(
    "C23",
    Below(
        1.0,
        of="mean unfairness Σ (τ_k T − N_k)₊ per round",
        over="For each tolerance tol that separates two penalty rates, at the last horizon",
        times="tol plus one pull an arm over T",
    ),
)
def tolerated_unfairness(evidence: Evidence) -> Measured:
    least: dict[tuple[str, str], Measurement] = {}
    for outcome in _outcomes(evidence):
        tolerated = float(outcome.fairness[bandit_at(outcome).non_critical].sum())
        share = deficits_of(outcome).sum(axis=1) / outcome.horizon
        place, pulls = place_of(outcome, quantity=f"tol = {tolerated:.4g}"), outcome.fairness.size
        made = Measurement(share, place, origin=tolerated, unit=pulls / outcome.horizon)
        least.setdefault((outcome.case, place.quantity), made)  # of rates with one tolerance
    yield from least.values()
