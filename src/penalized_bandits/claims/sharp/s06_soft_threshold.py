"""S06: the soft threshold's regret is linear in T, with an explicit constant."""

from dataclasses import replace

import numpy as np

from penalized_bandits.bandit.regret import gaps, penalized_regret
from penalized_bandits.claims.base import Claim, Finding, Part, within
from penalized_bandits.claims.evidence import Evidence
from penalized_bandits.claims.measures.fluid_law import RULE, agreement, regrets
from penalized_bandits.claims.sharp.courses import SETTLED, Course, courses
from penalized_bandits.claims.sharp.s01_published_constant import FAR, ROUNDED
from penalized_bandits.common.typing import FloatArray
from penalized_bandits.statistics.estimates import mean_estimate
from penalized_bandits.theory.fluid import predicted_pulls
from penalized_bandits.theory.inputs import instance_of
from penalized_bandits.theory.limits import linear_constant

SOFT = "soft_threshold_ucb"
WITHIN = 0.05


def _predicted(course: Course, horizon: float) -> FloatArray:
    return predicted_pulls(instance_of(*course.bandit), horizon, rule=course.exploration, soft=True)


def _limit(course: Course, constant: float) -> Part:
    bandit = (course.means[None], course.fairness, course.penalties[None])
    regret = float(penalized_regret(_predicted(course, FAR)[None], *bandit)[0])
    ratio = regret / FAR / constant
    name = f"{course.instance}: prediction at T = 10^15 over its limit"
    return within(name, ratio, ratio, ratio, 1 - ROUNDED, 1 + ROUNDED, limit=1.0)


def _shares(course: Course) -> list[Part]:
    """Return a part for each arm with 0 < Delta < A; of arms that are alike the first."""
    last, gap = course.outcomes[-1], gaps(course.means)
    wanted = _predicted(course, last.horizon)
    shares = course.fairness * (1 - gap / course.penalties)
    alike = {(gap[k], shares[k]): k for k in np.flatnonzero((gap > 0) & course.served)[::-1]}
    parts: list[Part] = []
    for k in sorted(alike.values()):
        interval = mean_estimate(last.pulls[:, k] / wanted[k]).interval
        name = f"{course.instance}: pulls of arm {k + 1} over the prediction at T = {last.horizon}"
        part = within(name, *interval, 1 - WITHIN, 1 + WITHIN, limit=1.0)
        seen = last.pulls[:, k].mean() / last.horizon
        parts.append(replace(part, detail=f"N/T {seen:.4g}, limit {shares[k]:.4g}"))
    return parts


def _measure(evidence: Evidence) -> Finding:
    parts: list[Part] = []
    for course in courses(evidence, [SOFT]):
        constant = float(linear_constant(instance_of(*course.bandit)))
        if constant == 0:
            continue
        runs = course.since(SETTLED).outcomes
        track = regrets(course.instance, runs, rule=course.exploration)
        parts.append(agreement(track, 1 / track.horizons, constant))
        parts += [_limit(course, constant), *_shares(course)]
    return Finding(
        "mean of R(T), or N_k(T), over its fluid prediction; the prediction over its limit",
        tuple(parts),
    )


CLAIM = Claim(
    where="beyond the paper, theorem 4",
    statement="Under the soft threshold an arm with 0 < Δ_k < A_k has the share τ_k (1 − Δ_k/A_k) "
    "of all pulls as T grows, so that R(T)/T tends to Σ τ_k (A_k − Δ_k) Δ_k/A_k.",
    rule=f"For each bandit with such an arm, from T = {SETTLED:,} on, each horizon on random "
    f"numbers of its own, mean regret over its fluid prediction: {RULE} Besides, the prediction of "
    f"R(T)/T at T = 10^15 over the limit holds if within {ROUNDED:.0%} of 1, and for each such arm "
    "(of arms that are alike the first) mean pulls at the largest horizon over their prediction "
    f"if within {WITHIN:.0%} of 1 with the whole 95 % interval; they fail if outside, with all of "
    "it.",
    evidence="results/summaries/sharp_long.csv",
    measure=_measure,
    kind="theorem",
)
