"""The deterministic constructions of Theorems 4.6 and 4.7."""

from typing import Literal

import numpy as np

from penalized_bandits.claims.base import Finding, Part, exactly, not_said, nothing_known
from penalized_bandits.claims.evidence import Evidence
from penalized_bandits.claims.figure_1 import regret_of
from penalized_bandits.studies.deterministic import case_of


def _assumed(theorem: str, evidence: Evidence, horizon: int) -> bool:
    """Whether the proof's assumptions hold at a horizon."""
    section = evidence.section("deterministic")
    log = np.log(horizon)
    if theorem == "4_6":
        one = section.theorem_4_6
        return bool(8 * log / (one.gap - one.penalty) ** 2 <= one.fairness * horizon / 2)
    two = section.theorem_4_7
    margin = two.non_critical_gap - two.non_critical_penalty
    explored = two.non_critical / margin**2 + two.critical / two.critical_gap**2
    return bool(8 * log * explored < horizon / 2)


def construction_parts(evidence: Evidence, theorem: Literal["4_6", "4_7"]) -> Finding:
    """Hold the regret of a construction against the theorem's lower bound."""
    from penalized_bandits.theory.bounds import lower_bound_4_6, lower_bound_4_7

    bound_of = lower_bound_4_6 if theorem == "4_6" else lower_bound_4_7
    parts: list[Part] = []
    for horizon in evidence.section("deterministic").horizons:
        case = case_of(theorem, horizon)
        outcome = evidence.outcome("deterministic", case, "hard_threshold_ucb", horizon)
        assert outcome.penalties is not None  # noqa: S101
        bandit = (outcome.means[0], outcome.fairness, outcome.penalties[0])
        bound = float(bound_of(*bandit, horizon))
        if bound == 0:
            parts.append(nothing_known(f"T={horizon}", "the bound is 0"))
            continue
        ratio = float(regret_of(outcome)[0]) / bound
        part = exactly(f"T={horizon}", holds=ratio >= 1, value=ratio, limit=1.0)
        if not _assumed(theorem, evidence, horizon):
            part = not_said(part, "the proof's assumptions need a larger T")
        parts.append(part)
    return Finding("regret over the lower bound", tuple(parts), headline=parts[-1])
