"""The choice of a common penalty rate (after Theorem 4.2; section 5, "Practical choice")."""

import numpy as np

from penalized_bandits.policies import PAPER_POLICY
from penalized_bandits.statistics.estimates import mean_estimate
from penalized_bandits.theory.fluid import break_points
from penalized_replication.claims.base import Evidence, Measured, claim
from penalized_replication.claims.horizon_series import HALF, SURE, bandit_at, deficits_of
from penalized_replication.claims.parts import Part, about, below, frequency, irrelevant
from penalized_replication.storage.replicates import Outcome


def _outcomes(evidence: Evidence) -> list[Outcome]:
    """Return the outcomes of all cases and penalty rates at the largest horizon."""
    last = evidence.section("equal_penalties").horizons[-1]
    return evidence.outcomes("equal_penalties", policy=PAPER_POLICY, horizon=last)


@claim(
    "C10",
    arguments={"which": True},
    where="remark after Theorem 4.2",
    statement="An equal penalty rate can be chosen that keeps the k best arms fair, where the "
    "next gap is larger.",
    rule="For A halfway between neighbouring gaps, at the largest horizon: holds if the Wilson "
    "interval of the probability that all of the k best arms are fair (to 1 % of their level, or "
    f"one pull) lies above {SURE:g}, fails if below. Whether another arm is fair as well is in the "
    "note.",
    quantity="probability that all of the k best arms are fair",
    plain="one penalty for all arms can keep a wanted number of the best ones at their shares",
)
@claim(
    "C22",
    arguments={"which": False},
    where='section 5, "Practical choice", 1',
    statement="With the rule mended so that it has a value: an A between Δ_(K_exploit) and the "
    "next gap fully exploits K_exploit arms, that is, keeps them fair.",
    rule="For each number of arms and A halfway between the two gaps, at the largest horizon: "
    "holds if the Wilson interval of the probability that K_exploit arms or more are fair (to "
    f"1 % of their level, or one pull) lies above {SURE:g}, fails if below. Whether there is one "
    "more is in the note.",
    quantity="probability that K_exploit arms or more are fair",
    repeats="C10",
    mended=True,
    plain="one penalty for all arms can keep a wanted number of them at their shares",
)
def arms_fair(evidence: Evidence, *, which: bool) -> Measured:
    """Compare how often the best arms are fair, or as many arms, with what is as good as sure."""
    outcomes, others, shifts = _outcomes(evidence), [], {}
    for outcome in outcomes:
        bandit, level = bandit_at(outcome), outcome.fairness * outcome.horizon
        best, number = bandit.optimal_or_critical, int(bandit.optimal_or_critical.sum())
        fair = outcome.pulls >= level - np.maximum(0.01 * level, 1.0)
        if which:
            enough = fair[:, best].all(axis=1)
            quantity = f"{number} best arms, A = {outcome.tuning:.3g}"
        else:
            enough, quantity = fair.sum(axis=1) >= number, f"K_exploit = {number}"
        part = frequency(enough, least=SURE, **about(outcome), quantity=quantity)
        owed = level[best].max() > 1
        yield part if owed else irrelevant(part, "levels of one pull at most")
        # Other arms that are fair, and the break points by prediction.
        if (fair & ~best & (outcome.fairness > 0)).any(axis=1).mean() > HALF:
            others.append((outcome.info.label, outcome.tuning))
        if outcome.info.label not in shifts:  # a bandit has many penalty rates
            fluid = break_points(bandit.means, bandit.fairness, outcome.horizon)
            below_gaps = (bandit.gaps - fluid)[bandit.gaps > 0]
            shifts[outcome.info.label] = float(below_gaps.min()), float(below_gaps.max())
    horizon = outcomes[0].horizon
    yield {"horizon": horizon, "cells": len(outcomes), "others": others, "shifts": shifts}


@claim(
    "C23",
    where='section 5, "Practical choice", 2',
    statement="With the rule mended so that it has a value: an A that leaves arms unfair which "
    "carry at most tol together keeps unfairness per round at most tol.",
    rule="For each tolerance that separates two penalty rates, at the largest horizon: holds if "
    "mean unfairness per round lies below tol plus one pull an arm with its 95 % interval, fails "
    "if above.",
    quantity="mean unfairness Σ (τ_k T − N_k)₊ per round",
    kind="bound",
    mended=True,
    plain="one penalty for all arms can keep what is missing of their shares below a tolerance",
)
def tolerated_unfairness(evidence: Evidence) -> Measured:
    found: dict[tuple[str, str], Part] = {}
    for outcome in _outcomes(evidence):
        tolerated = float(outcome.fairness[bandit_at(outcome).non_critical].sum())
        share = deficits_of(outcome).sum(axis=1) / outcome.horizon
        limit = tolerated + outcome.fairness.size / outcome.horizon
        quantity = f"tol = {tolerated:.4g}"
        part = below(mean_estimate(share).interval, limit, **about(outcome), quantity=quantity)
        found.setdefault((outcome.case, quantity), part)  # of rates with one tolerance the least
    yield from found.values()
