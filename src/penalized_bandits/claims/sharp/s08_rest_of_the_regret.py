"""S08: all of the regret but the leading term is bounded."""

from dataclasses import replace

import numpy as np

from penalized_bandits.claims.base import Claim, Finding, Part, below
from penalized_bandits.claims.evidence import Evidence
from penalized_bandits.claims.measures.regret import regret_of
from penalized_bandits.claims.sharp.courses import SETTLED_IF, Course, courses
from penalized_bandits.claims.sharp.s03_bounded_deficits import POLICIES
from penalized_bandits.statistics.estimates import mean_estimate

SHARE = 0.1


def _part(course: Course) -> Part | None:
    ends = course.ends()
    if ends is None or not course.margins.any():
        return None
    first, last = (regret_of(one) - course.leading(one) for one in ends)
    early, late = (one.horizon for one in ends)
    unit = course.predicted(late) - course.predicted(early)
    # Without a deficit the rest is 0 up to rounding.
    interval = mean_estimate(np.round((last - first) / unit, 9)).interval
    part = below(f"{course.name} T = {early} to {late}", *interval, SHARE)
    ends_of_rest = " to ".join(f"{round(float(x.mean()), 6) + 0.0:.4g}" for x in (first, last))
    told = f"rest from {ends_of_rest}, leading term grows by {unit:.4g}"
    return replace(part, detail=told)


def _measure(evidence: Evidence) -> Finding:
    parts = map(_part, courses(evidence, POLICIES))
    return Finding(
        "growth of R(T) − Σ (Δ − A) N over the predicted growth of Σ (Δ − A) N",
        tuple(part for part in parts if part is not None),
    )


CLAIM = Claim(
    where="beyond the paper, theorem A, part 4",
    statement="R(T) is Σ (Δ_k − A_k) E N_k(T), over the arms with Δ_k > A_k, and a rest that stays "
    "bounded.",
    rule="For each policy with a hard threshold and each bandit with such an arm, if the longest "
    f"runs had settled when they were seen before their end ({SETTLED_IF}): what the mean of the "
    "rest grows by since, over what the fluid prediction of the sum grows by, holds if below "
    f"{SHARE:g} with its whole 95 % interval, fails if above.",
    measure=_measure,
    kind="theorem",
)
