"""The deterministic constructions of Theorems 4.6 and 4.7."""

from typing import Literal

from penalized_bandits.claims.base import Finding, Part, exactly, not_said, nothing_known
from penalized_bandits.claims.evidence import Evidence
from penalized_bandits.claims.measures.regret import regret_of
from penalized_bandits.experiments.theory.deterministic import case_of
from penalized_bandits.policies import PAPER_POLICY


def construction_parts(evidence: Evidence, theorem: Literal["4_6", "4_7"]) -> Finding:
    """Hold the regret of a construction against the theorem's lower bound."""
    from penalized_bandits.theory.bounds import lower_bound_4_6, lower_bound_4_7
    from penalized_bandits.theory.constructions import conditions_4_6, conditions_4_7

    first = theorem == "4_6"
    bound_of = lower_bound_4_6 if first else lower_bound_4_7
    conditions_of = conditions_4_6 if first else conditions_4_7
    parts: list[Part] = []
    for horizon in evidence.section("deterministic").horizons:
        case = case_of(theorem, horizon)
        outcome = evidence.outcome("deterministic", case, PAPER_POLICY, horizon)
        assert outcome.penalties is not None  # noqa: S101
        bandit = (outcome.means[0], outcome.fairness, outcome.penalties[0])
        bound = float(bound_of(*bandit, horizon))
        if bound == 0:
            parts.append(nothing_known(f"T={horizon}", "the bound is 0"))
            continue
        ratio = float(regret_of(outcome)[0]) / bound
        part = exactly(f"T={horizon}", holds=ratio >= 1, value=ratio, limit=1.0)
        if not conditions_of(*bandit, horizon)[0].holds:
            part = not_said(part, "the proof's assumptions need a larger T")
        parts.append(part)
    return Finding("regret over the lower bound", tuple(parts))
