"""Sections 2 and 3, the prophet and rivals; section 5, the choice of a common penalty rate."""

from dataclasses import replace

import numpy as np

from penalized_bandits.bandit.regret import optimal_loss
from penalized_bandits.policies import PAPER_POLICY
from penalized_bandits.theory.fluid import break_points
from penalized_bandits.theory.inputs import instance_of
from penalized_replication.claims import horizon_series
from penalized_replication.claims.base import Evidence, claim
from penalized_replication.claims.comparisons import Measured, Measurement, Place, exact, place_of
from penalized_replication.claims.horizon_series import SURE, all_served, bandit_at, deficits_of
from penalized_replication.claims.paper.figure_2 import all_paths
from penalized_replication.claims.rules import Above, Below
from penalized_replication.storage.replicates import Outcome

INSTANCES = 200
SERVED = "probability that all arms have ⌊τ_k T⌋ pulls"
AT_ZERO, POSITIVE = "probability at α = 0", "probability at α > 0"


@claim(
    "C01",
    Below(
        1e-9,
        of="largest difference of L*(T)/T between the formula and scipy's linear program",
        over=f"On {INSTANCES} random bandits, K from 2 to 20",
        exact=True,
    ),
)
def prophet_loss(_: Evidence) -> Measured:
    from scipy.optimize import linprog  # takes long to import

    generator = np.random.default_rng(20250301)
    errors = []
    for _number in range(INSTANCES):
        n_arms = int(generator.integers(2, 21))
        means, fairness = generator.random(n_arms), generator.dirichlet(np.ones(n_arms + 1))[:-1]
        penalties, horizon = generator.random(n_arms) * 2, int(generator.integers(100, 100_000))
        bandit = instance_of(means, fairness, penalties)
        # Eq. (9), in pulls of each arm and then the pulls that each arm is short of.
        solution = linprog(
            np.r_[bandit.gaps, bandit.penalties],
            A_ub=-np.hstack([np.eye(n_arms), np.eye(n_arms)]),
            b_ub=-bandit.fairness * horizon,
            A_eq=np.r_[np.ones(n_arms), np.zeros(n_arms)][None],
            b_eq=[horizon],
        )
        errors.append(abs(float(optimal_loss(bandit, horizon)) - float(solution.fun)) / horizon)
    place = Place(case="random", label=f"{INSTANCES} random instances")
    yield Measurement(exact(max(errors)), place)


@claim("C33", Below(0.5, of=SERVED, over="For the largest η₀ and each horizon"))
def lfg_is_not_fair(evidence: Evidence) -> Measured:
    section = evidence.section("lfg_fairness")
    largest, last = max(section.eta_0), section.horizons[-1]
    smaller = []
    for outcome in evidence.outcomes("lfg_fairness", policy="lfg"):
        fair = all_served(outcome)
        if outcome.tuning == largest:
            lacks = deficits_of(outcome).sum(axis=1)
            values = {"eta_0": largest, "lacks": float(lacks.mean())}
            yield Measurement(fair, place_of(outcome), values=values)
        elif outcome.horizon == last:
            smaller.append({"eta_0": outcome.tuning, "fair": float(fair.mean())})
    hard = evidence.outcomes("lfg_fairness", policy=PAPER_POLICY, horizon=last)
    share = float(np.mean([all_served(outcome).mean() for outcome in hard]))
    yield {"smaller": smaller, "hard": share, "last": last}


@claim(
    "C33R",
    Below(
        1.0,
        of="Σ (τ_k T − N_k)₊ a round at the largest horizon T, less √(T′/T) times that at T′,",
        over="For each η₀, T′ the horizon before, paired by replicate",
        times="a pull an arm, a round",
    ),
)
def lfg_keeps_fractions(evidence: Evidence) -> Measured:
    runs = evidence.outcomes("lfg_fairness", policy="lfg")
    for own in horizon_series.grouped(runs, lambda run: (run.case, run.tuning)).values():
        last, *earlier = sorted(own, key=lambda run: run.horizon, reverse=True)
        place = place_of(last, quantity=f"shortfall at η₀ = {last.tuning:g}")
        if not earlier:
            yield Measurement(None, place).undecided("one horizon")
            continue
        lacks, lacked = (deficits_of(outcome).sum(axis=1) for outcome in (last, earlier[0]))
        growth = lacks / last.horizon - lacked / np.sqrt(last.horizon * earlier[0].horizon)
        values = {"lacks": float(lacks.mean()), "before": float(lacked.mean())}
        yield Measurement(growth, place, unit=last.fairness.size / last.horizon, values=values)


@claim(
    "C50",
    {
        AT_ZERO: Above(SURE, of=SERVED, over="In each case of Setting 2, with α = 0"),
        POSITIVE: Below(
            0.5,
            of=SERVED,
            over="In each case, of all α of a pull or more at the one where it is largest (of "
            "several the one where least lacks)",
        ),
    },
)
def flearn_at_zero(evidence: Evidence) -> Measured:
    for paths in all_paths(evidence, "fair_learn"):
        fair = np.asarray(~paths.unfair.any(axis=2))
        for at in np.flatnonzero(paths.tuning == 0)[:1]:
            yield Measurement(fair[at], paths.place(quantity=AT_ZERO))
        place, positive = paths.place(quantity=POSITIVE), np.flatnonzero(paths.tuning >= 1)
        if not positive.size:
            yield Measurement(None, place).undecided("no α of a pull or more")
            continue
        chances, lacks = fair[positive].sum(axis=1), paths.short[positive].sum(axis=2).mean(axis=1)
        best = np.lexsort((lacks, -chances))[0]
        at = positive[best]
        # alpha is in no field: the data choose it, and a comparison keeps its key in other data.
        values = {"alpha": float(paths.tuning[at]), "lacks": float(lacks[best])}
        yield Measurement(fair[at], place, values=values)


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
