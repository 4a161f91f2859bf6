"""S03: arms that are worth serving stay within a bounded distance of their level for all time."""

from dataclasses import replace

import numpy as np

from penalized_bandits.bandit.regret import shortfall
from penalized_bandits.claims.base import Claim, Finding, Part, below, exactly, share_of
from penalized_bandits.claims.evidence import Evidence
from penalized_bandits.claims.sharp.courses import LATE, SETTLED_IF, Course, courses
from penalized_bandits.statistics.estimates import mean_estimate
from penalized_bandits.theory.deficits import drift_bound
from penalized_bandits.theory.inputs import instance_of

POLICIES = ("hard_threshold_ucb", "hard_threshold_sigma", "kl_hard_threshold")
SHARE = 0.5
"""Of what log T grows by."""
UNLIKELY = 0.05
ROUNDING = 1e-6


def _growth(course: Course) -> Part | None:
    """Compare the largest deficits so far, over all arms, at the end of runs with those before."""
    ends = course.ends()
    if ends is None:
        return None
    first, last = (one.max_deficit[:, course.served].sum(axis=1) for one in ends)
    early, late = (one.horizon for one in ends)
    most = SHARE * (np.log(late) / np.log(early) - 1)
    name = f"{course.name}: growth from T = {early} to {late}"
    told = f"E sup Σ D from {first.mean():.4g} to {last.mean():.4g} pulls"
    if first.mean() == 0:
        return replace(exactly(name, not last.any(), 0.0, most), detail=told)
    found = mean_estimate((last - first) / first.mean())
    return replace(below(name, *found.interval, float(most)), detail=told)


def _bounded(course: Course) -> Part:
    """Count the replicates in which an arm lacks more than the drift allows."""
    runs = course.outcomes
    most = drift_bound(instance_of(*course.bandit))[course.served] + ROUNDING
    lacks = np.concatenate(
        [shortfall(one.pulls, one.fairness, one.horizon)[:, course.served] for one in runs]
    )
    beyond = (lacks > most).any(axis=1)
    name = f"{course.name}: replicates beyond the drift bound from T = {runs[0].horizon} on"
    part = share_of(name, int(beyond.sum()), beyond.size, most=UNLIKELY)
    return replace(part, detail=f"largest deficit over its bound {np.max(lacks / most):.3g}")


def _measure(evidence: Evidence) -> Finding:
    parts: list[Part] = []
    for course in courses(evidence, POLICIES):
        growth, late = _growth(course), course.settled(LATE)
        if growth is not None:
            parts.append(growth)
        if late is not None and course.served.sum() > 1:
            parts.append(_bounded(late))
    return Finding(
        "growth of the mean largest deficit over all rounds, or share of replicates beyond the "
        "drift bound",
        tuple(parts),
        note="The drift bound is τ_k (p − 1)/(1 − τ_C + τ_k), C the p arms with A > Δ and τ_C "
        "their fractions together. Of one arm it is 0, which no whole number of pulls keeps "
        "in every round, and nothing is said.",
    )


CLAIM = Claim(
    where="beyond the paper, theorem A, part 3",
    statement="Of arms with A_k > Δ_k the largest deficit over all rounds, "
    "sup_t (τ_k t − N_k(t))₊, has a finite mean, where Theorem 4.3 has log T; and from some round "
    "on no deficit exceeds the drift bound.",
    rule="For each policy and bandit, if the longest runs had settled when they were seen before "
    f"their end ({SETTLED_IF}): what the mean of max_t≤T (τ_k t − N_k(t))₊, summed over these "
    "arms, grows by since, as a share of what it was then, holds if less than "
    f"{SHARE:g} of what log T grows by and fails if more, with its whole 95 % interval. And, where "
    f"there are two such arms, all settled horizons from T = {LATE:,} on together: the share of "
    f"replicates with a deficit above the drift bound holds if below {UNLIKELY:g} with its Wilson "
    "interval, fails if above.",
    measure=_measure,
    kind="theorem",
)
