"""The lower bounds of Theorems 4.6 to 4.8, and the bandits of their proofs."""

import math
from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np

from penalized_bandits.common.typing import FloatArray
from penalized_bandits.policies import PAPER_POLICY
from penalized_bandits.statistics.estimates import mean_estimate
from penalized_bandits.theory import bounds
from penalized_bandits.theory.limits import PULLS
from penalized_replication.claims import parts
from penalized_replication.claims.base import Evidence, Measured, claim
from penalized_replication.claims.horizon_series import bandit_at, regret_of
from penalized_replication.claims.measures.growth import own_regrets
from penalized_replication.experiments.theory.two_instances import case_of
from penalized_replication.storage.replicates import Outcome
from penalized_replication.theory.constructions import assumption_4_6, assumption_4_7
from penalized_replication.theory.two_point_instances import least_regret

THEOREMS = {
    "4_6": (bounds.lower_bounds_4_6, assumption_4_6),
    "4_7": (bounds.lower_bounds_4_7, assumption_4_7),
}
"""Bounds by arm, and whether the proof's assumption holds."""
ARMS = 2
"""Of the pair for which the least regret of any policy is computed."""
in_the_proofs_bandit = partial(
    claim,
    rule="At each horizon where the proof's assumptions hold: holds if the regret of every such "
    "arm (nothing is random) is above its own part of the bound, fails if that of one is below. "
    "Where they do not hold, nothing is said.",
    quantity="least of the arms' own regrets over their parts of the lower bound",
    kind="bound",
)


def _of_theorem(
    evidence: Evidence, theorem: str
) -> Iterator[tuple[Outcome, bounds.ArmLowerBounds, bool]]:
    """Yield each outcome, the bounds of its arms, and whether the proof's assumptions hold."""
    least, assumed = THEOREMS[theorem]
    for outcome in evidence.outcomes("deterministic", policy=PAPER_POLICY):
        if outcome.info.instance == f"theorem_{theorem}":
            bandit, horizon = bandit_at(outcome), outcome.horizon
            yield outcome, least(bandit, horizon), assumed(bandit, horizon)


def _least_ratio(outcome: Outcome, ratios: FloatArray, *, assumed: bool, **more: Any) -> parts.Part:
    label = f"{outcome.info.label}, the arm with the least ratio"
    fields: parts.Fields = (
        parts.about(outcome) | more | {"case": outcome.info.instance, "label": label}
    )
    if not ratios.size:
        return parts.unknown("the bound is 0", **fields)
    part = parts.above(parts.exact(float(ratios.min())), 1.0, **fields)
    return part if assumed else parts.irrelevant(part, "the proof's assumptions need a larger T")


@in_the_proofs_bandit(
    "C16",
    arguments={"theorem": "4_6"},
    where="Theorem 4.6",
    statement="There is a bandit, that of the proof, in which each non-critical arm "
    "costs at least log T/(Δ_k − A_k).",
)
def regret_by_arm(evidence: Evidence, theorem: str) -> Measured:
    """Compare the regret of each arm in a theorem's construction with that arm's bound."""
    for outcome, least, assumed in _of_theorem(evidence, theorem):
        informative = least.regret > 0
        regrets = own_regrets(outcome)[least.arms][informative]
        ratios = regrets / least.regret[informative]
        # In the end an arm is pulled 2 log T/margin², twice the number in the theorem.
        limits = 1 + (least.margin * least.pulls)[informative] / least.regret[informative]
        asymptote = float(limits.min()) if limits.size else math.nan
        yield _least_ratio(outcome, ratios, assumed=assumed, asymptote=asymptote)


@in_the_proofs_bandit(
    "C17",
    where="Theorem 4.7",
    statement="There is a bandit, that of the proof, in which each critical arm "
    "costs at least Δ_k (log T/Δ_k² − τ_k T).",
)
def critical_lower_bound(evidence: Evidence) -> Measured:
    """Compare the critical arms' regret with their bound, and say what the ratio tends to."""
    yield from regret_by_arm(evidence, "4_7")
    level = evidence.section("deterministic").theorem_4_7.level
    limit = (PULLS - level) / (1 - level) if level < 1 else np.inf
    yield {"limit": limit, "pulls": PULLS, "level": level}


@claim(
    "C18",
    where="Theorem 4.8",
    statement="For every policy the worse of two instances has regret at least "
    "(1 − Σ τ_k) √((K − 1) T/C)/(8 e).",
    rule="For each policy and horizon: holds if the mean regret in the worse instance is above the "
    "bound with its 95 % interval, fails if below. The same is asked of the least "
    "worst-case regret that any policy can have with two arms, found by dynamic programming.",
    quantity="larger of the mean regrets in the two instances, over the bound",
    kind="bound",
)
def two_instances(evidence: Evidence) -> Measured:
    section = evidence.section("two_instances")
    tau = section.fairness / ARMS
    # At T = 1; the bound needs a longer horizon.  Both grow with sqrt(T).
    regret_of_any = least_regret(section.model_copy(update={"arms": ARMS}).gap_at(1), tau)
    least = 10 * regret_of_any / float(bounds.lower_bound_4_8(np.full(ARMS, tau), 100))
    label = "best of all policies that know both instances, 2 arms"
    yield parts.above(parts.exact(least), 1.0, case="least_regret", label=label)
    stated = []
    for policy in section.policies:
        for horizon in section.horizons:
            first = evidence.outcome("two_instances", case_of(horizon, None), policy, horizon)
            arm = 2 + int(np.argmin(first.pulls[:, 1:].mean(axis=0)))
            second = evidence.outcome("two_instances", case_of(horizon, arm), policy, horizon)
            # The worse of the two: at the larger of two levels, both intervals count.
            estimates = (mean_estimate(regret_of(outcome)) for outcome in (first, second))
            regret = max(estimates, key=lambda estimate: estimate.value)
            bound = float(bounds.lower_bound_4_8(first.fairness, horizon))
            yield parts.above((regret / bound).interval, 1.0, policy=policy, horizon=horizon)
            bound = float(bounds.lower_bound_4_8(first.fairness, horizon, reading="stated"))
            stated.append(regret.value / bound)
    yield {"least": least, "stated": min(stated)}


@claim(
    "C44",
    where="proofs of Theorems 4.6 and 4.7",
    statement="In the proofs' bandits every non-critical arm is pulled at least log T/(Δ_k − A_k)² "
    "times (4.6), every critical one at least log T/Δ_k² times (4.7).",
    rule="At each horizon where a proof's assumptions hold: holds if every such arm (nothing is "
    "random) has more pulls than that, fails if one has fewer. Where they do not hold, nothing "
    "is said.",
    quantity="least of the arms' pulls over log T/(Δ_k − A_k)² (4.6) or log T/Δ_k² (4.7)",
    kind="bound",
    repeats="C16",
)
def pulls_by_arm(evidence: Evidence) -> Measured:
    for theorem in THEOREMS:
        for outcome, least, assumed in _of_theorem(evidence, theorem):
            ratios = outcome.pulls[0][least.arms].astype(np.float64) / least.pulls
            yield _least_ratio(outcome, ratios, assumed=assumed)
