"""S04: where the fractions are equal no arm worth serving lacks a whole pull."""

from dataclasses import replace

import numpy as np

from penalized_bandits.claims.base import Claim, Finding, Part, share_of
from penalized_bandits.claims.evidence import Evidence
from penalized_bandits.claims.sharp.courses import LATE, SETTLED_IF, Course, courses
from penalized_bandits.claims.sharp.s03_bounded_deficits import POLICIES, UNLIKELY

ROUNDING = 1e-6


def _part(course: Course) -> Part:
    runs = course.outcomes
    above = np.concatenate(
        [
            (one.pulls - np.floor(one.fairness * one.horizon + ROUNDING))[:, course.served]
            for one in runs
        ]
    )
    short = (above < 0).any(axis=1)
    part = share_of(course.name, int(short.sum()), short.size, most=UNLIKELY)
    return replace(part, detail=f"least N − ⌊τT⌋ is {above.min():.0f}")


def _measure(evidence: Evidence) -> Finding:
    late = (course.settled(LATE) for course in courses(evidence, POLICIES))
    equal = (
        course
        for course in late
        if course is not None
        and course.served.any()
        and np.ptp(course.fairness[course.served]) == 0
    )
    return Finding(
        f"share of replicates with an arm short of ⌊τT⌋ pulls, from T = {LATE:,} on",
        tuple(_part(course) for course in equal),
    )


CLAIM = Claim(
    where="beyond the paper, theorem A, part 3",
    statement="Where the arms with A_k > Δ_k have equal fractions τ, each of them has at least "
    "⌊τT⌋ pulls for all large T: what Theorem 4.1 says of all fractions.",
    rule=f"For each policy and each such bandit, all horizons from T = {LATE:,} on "
    f"together that have settled ({SETTLED_IF}): the "
    "share of replicates in which one of these arms has fewer than ⌊τT⌋ pulls holds if below "
    f"{UNLIKELY:g} with its Wilson interval, fails if above.",
    measure=_measure,
    kind="theorem",
)
