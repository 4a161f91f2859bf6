"""The deterministic constructions of Theorems 4.1, 4.2, 4.6 and 4.7."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from penalized_bandits.bandit.regret import gaps, shortfall
from penalized_bandits.claims.base import Part, above, exactly, not_said, nothing_known
from penalized_bandits.claims.evidence import Bandit, Evidence, bandit_of
from penalized_bandits.common.typing import BoolArray, FloatArray
from penalized_bandits.experiments.theory.deterministic import case_4_1, case_at_limit, case_of
from penalized_bandits.policies import PAPER_POLICY
from penalized_bandits.storage.replicates import Outcome
from penalized_bandits.theory.conditions import conditions_4_2
from penalized_bandits.theory.constructions import conditions_4_6, conditions_4_7

Theorem = Literal["4_6", "4_7"]


@dataclass(frozen=True, eq=False)
class Construction:
    """The outcome of a construction at one horizon; nothing is random."""

    outcome: Outcome

    @property
    def bandit(self) -> Bandit:
        """Mu, tau and A."""
        return bandit_of(self.outcome)

    @property
    def horizon(self) -> int:
        """T."""
        return self.outcome.horizon

    @property
    def meets_4_2(self) -> bool:
        """Whether it meets Theorem 4.2 (i) and (ii) as stated."""
        return all(one.holds for one in conditions_4_2(*self.bandit, self.horizon))

    @property
    def pulls(self) -> FloatArray:
        """N_k(T), shape (K,)."""
        return self.outcome.pulls[0].astype(np.float64)

    @property
    def deficits(self) -> FloatArray:
        """(tau_k T - N_k(T))_+, shape (K,), pulls; 0 where it is no more than rounding."""
        short = shortfall(self.pulls, self.outcome.fairness, self.horizon)
        return np.where(short > 1e-9 * self.horizon, short, 0.0)

    @property
    def regrets(self) -> FloatArray:
        """Each arm's part of eq. (10), shape (K,), reward; their sum is the penalized regret."""
        means, fairness, penalties = self.bandit
        gap, level = gaps(means), fairness * self.horizon
        short = shortfall(self.pulls, fairness, self.horizon)
        return gap * self.pulls + penalties * short - np.minimum(gap, penalties) * level


def _found(evidence: Evidence, case: str, horizon: int) -> Construction:
    return Construction(evidence.outcome("deterministic", case, PAPER_POLICY, horizon))


def waiting(evidence: Evidence) -> Iterator[tuple[int, list[Construction]]]:
    """Theorem 4.1's constructions: how many arms go first, and the outcomes by horizon."""
    section = evidence.section("deterministic")
    for small in section.theorem_4_1.small:
        horizons = section.horizons_4_1(small)
        yield small, [_found(evidence, case_4_1(small, t), t) for t in horizons]


def at_limits(
    evidence: Evidence, limit: Literal["theorem_4_1", "lemma_4_4"]
) -> Iterator[tuple[str, list[Construction]]]:
    """Name the constructions near the least margin of a theorem, with their outcomes."""
    section = evidence.section("deterministic")
    for name, given in section.cases.items():
        if given.limit == limit:
            horizons = given.horizons_of(section.horizons)
            yield name, [_found(evidence, case_at_limit(name, t), t) for t in horizons]


def shrinking(evidence: Evidence) -> list[Construction]:
    """Return Theorem 4.2's construction by horizon: one critical arm, its level O(log T)."""
    section = evidence.section("deterministic")
    horizons = section.theorem_4_2.horizons_of(section.horizons)
    return [_found(evidence, case_of("4_2", t), t) for t in horizons]


def _of_theorem(
    evidence: Evidence, theorem: Theorem
) -> Iterator[tuple[Construction, BoolArray, FloatArray, bool]]:
    """Yield outcome, the arms that a theorem is about, its least pulls and whether it holds."""
    for horizon in evidence.section("deterministic").horizons:
        one = _found(evidence, case_of(theorem, horizon), horizon)
        means, fairness, penalties = one.bandit
        gap = gaps(means)
        if theorem == "4_6":
            arms, margin = (gap > penalties) & (fairness > 0), gap - penalties
            assumed = conditions_4_6(*one.bandit, horizon)[0].holds
        else:
            arms, margin = (gap > 0) & (gap <= penalties), gap
            assumed = all(c.holds for c in conditions_4_7(*one.bandit, horizon)[:2])
        least = np.log(horizon) / margin[arms] ** 2
        yield one, arms, least, assumed


def _part(one: Construction, ratios: FloatArray, *, assumed: bool) -> Part:
    if not ratios.size:
        return nothing_known(f"T={one.horizon}", "the bound is 0")
    worst = float(ratios.min())
    part = above(f"T={one.horizon}, the arm with least", worst, worst, worst, 1.0)
    return part if assumed else not_said(part, "the proof's assumptions need a larger T")


def regret_by_arm(evidence: Evidence, theorem: Theorem) -> tuple[Part, ...]:
    """Hold the regret of each arm that a theorem is about against that arm's bound."""
    parts = []
    for one, arms, least, assumed in _of_theorem(evidence, theorem):
        means, fairness, penalties = one.bandit
        gap = gaps(means)[arms]
        if theorem == "4_6":
            bound = least * (gap - penalties[arms])
        else:
            bound = gap * (least - fairness[arms] * one.horizon)
        said = bound > 0
        parts.append(_part(one, one.regrets[arms][said] / bound[said], assumed=assumed))
    return tuple(parts)


def pulls_by_arm(evidence: Evidence, theorem: Theorem) -> tuple[Part, ...]:
    """Hold the pulls of each arm against the least number in a theorem's proof."""
    name = f"Theorem {theorem.replace('_', '.')}, "
    return tuple(
        replace(part, name=name + part.name)
        for one, arms, least, assumed in _of_theorem(evidence, theorem)
        for part in [_part(one, one.pulls[arms] / least, assumed=assumed)]
    )


def reached(name: str, pulls: float, level: float, detail: str = "") -> Part:
    """Make a part that says: an arm has the pulls of its level, from what share it has."""
    share = pulls / level if level else 1.0
    return replace(exactly(name, share >= 1, share, 1.0), least=1.0, detail=detail)
