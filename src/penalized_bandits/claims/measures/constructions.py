"""The deterministic constructions of Theorems 4.1, 4.2, 4.6 and 4.7."""

import math
from collections.abc import Iterator, Mapping
from typing import Any, Literal

import numpy as np

from penalized_bandits.claims.base import Measured
from penalized_bandits.claims.evidence import Evidence
from penalized_bandits.claims.horizon_series import HorizonSeries, bandit_at, deficits_of
from penalized_bandits.claims.parts import Fields, Part, above, exact, irrelevant, unknown
from penalized_bandits.common.typing import FloatArray
from penalized_bandits.experiments.theory.deterministic import case_4_1, case_at_limit, case_of
from penalized_bandits.policies import PAPER_POLICY
from penalized_bandits.storage.replicates import Outcome
from penalized_bandits.theory.bounds import ArmLowerBounds, lower_bounds_4_6, lower_bounds_4_7
from penalized_bandits.theory.constructions import conditions_4_6, conditions_4_7

Theorem = Literal["4_6", "4_7"]


def own_regrets(outcome: Outcome) -> FloatArray:
    """Return each arm's part of eq. (10), shape (K,), reward; their sum is the penalized regret."""
    bandit, deficits = bandit_at(outcome), deficits_of(outcome)[0]
    gap, level = bandit.gaps, bandit.fairness * outcome.horizon
    free = np.minimum(gap, bandit.penalties) * level
    return gap * outcome.pulls[0] + bandit.penalties * deficits - free


def lacking(outcome: Outcome) -> FloatArray:
    """Return (tau_k T - N_k(T))_+ of a deterministic run, shape (K,); 0 where it is rounding."""
    deficits = deficits_of(outcome)[0]
    return np.where(deficits > 1e-9 * outcome.horizon, deficits, 0.0)


def _outcomes(evidence: Evidence, cases: Mapping[int, str]) -> tuple[Outcome, ...]:
    """Return the outcomes of a construction, whose case at each horizon ``cases`` has."""
    return tuple(evidence.outcome("deterministic", c, PAPER_POLICY, t) for t, c in cases.items())


def _series(evidence: Evidence, cases: Mapping[int, str]) -> HorizonSeries:
    outcomes = _outcomes(evidence, cases)
    return HorizonSeries(outcomes[0].info.instance, outcomes[0].info.label, outcomes)


def waiting_series(evidence: Evidence) -> Iterator[HorizonSeries]:
    """Yield the constructions in which a number of arms with small fractions are pulled first."""
    section = evidence.section("deterministic")
    for small in section.theorem_4_1.small:
        yield _series(evidence, {t: case_4_1(small, t) for t in section.horizons_4_1(small)})


def limit_series(
    evidence: Evidence, limit: Literal["theorem_4_1", "lemma_4_4"]
) -> Iterator[HorizonSeries]:
    """Yield the constructions near the least margin of a theorem."""
    section = evidence.section("deterministic")
    for name, given in section.cases.items():
        cases = {t: case_at_limit(name, t) for t in given.horizons_of(section.horizons)}
        if given.limit == limit and cases:
            yield _series(evidence, cases)


def shrinking_series(evidence: Evidence) -> HorizonSeries:
    """Return Theorem 4.2's construction: one critical arm, its level O(log T)."""
    section = evidence.section("deterministic")
    cases = {t: case_of("4_2", t) for t in section.theorem_4_2.horizons_of(section.horizons)}
    return HorizonSeries("theorem_4_2", "Theorem 4.7's bandit, Δ fixed", _outcomes(evidence, cases))


def _of_theorem(
    evidence: Evidence, theorem: Theorem
) -> Iterator[tuple[Outcome, ArmLowerBounds, bool]]:
    """Yield each outcome, the bounds of its arms, and whether the proof's assumptions hold."""
    bounds_of = lower_bounds_4_6 if theorem == "4_6" else lower_bounds_4_7
    for horizon in evidence.section("deterministic").horizons:
        case = case_of(theorem, horizon)
        outcome = evidence.outcome("deterministic", case, PAPER_POLICY, horizon)
        bandit = bandit_at(outcome)
        if theorem == "4_6":
            assumptions = conditions_4_6(bandit, horizon)[:1]
        else:
            assumptions = conditions_4_7(bandit, horizon)[:2]
        yield outcome, bounds_of(bandit, horizon), all(one.holds for one in assumptions)


def _least_ratio(
    theorem: Theorem, horizon: int, ratios: FloatArray, *, assumed: bool, **more: Any
) -> Part:
    label = f"Theorem {theorem.replace('_', '.')}, the arm with the least ratio"
    fields: Fields = more | {"case": f"theorem_{theorem}", "label": label}
    fields |= {"policy": PAPER_POLICY, "horizon": horizon}
    if not ratios.size:
        return unknown("the bound is 0", **fields)
    part = above(exact(float(ratios.min())), 1.0, **fields)
    return part if assumed else irrelevant(part, "the proof's assumptions need a larger T")


def regret_by_arm(evidence: Evidence, theorem: Theorem) -> Measured:
    """Compare the regret of each arm in a theorem's construction with that arm's bound."""
    for outcome, bounds, assumed in _of_theorem(evidence, theorem):
        informative = bounds.regret > 0
        regrets = own_regrets(outcome)[bounds.arms][informative]
        ratios = regrets / bounds.regret[informative]
        # In the end an arm is pulled 2 log T/margin², twice the number in the theorem.
        limits = 1 + (bounds.margin * bounds.pulls)[informative] / bounds.regret[informative]
        asymptote = float(limits.min()) if limits.size else math.nan
        yield _least_ratio(theorem, outcome.horizon, ratios, assumed=assumed, asymptote=asymptote)


def pulls_by_arm(evidence: Evidence, theorem: Theorem) -> Measured:
    """Compare the pulls of each arm with the least number in a theorem's proof."""
    for outcome, bounds, assumed in _of_theorem(evidence, theorem):
        ratios = outcome.pulls[0][bounds.arms].astype(np.float64) / bounds.pulls
        yield _least_ratio(theorem, outcome.horizon, ratios, assumed=assumed)
