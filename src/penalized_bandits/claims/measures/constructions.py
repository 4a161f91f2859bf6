"""The deterministic constructions of Theorems 4.1, 4.2, 4.6 and 4.7."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

import numpy as np

from penalized_bandits.bandit.regret import gaps, shortfall
from penalized_bandits.claims.base import Part, above, exactly, not_said, nothing_known
from penalized_bandits.claims.evidence import Bandit, Evidence, bandit_of
from penalized_bandits.common.typing import BoolArray, FloatArray
from penalized_bandits.experiments.theory.deterministic import case_4_1, case_at_limit, case_of
from penalized_bandits.policies import PAPER_POLICY
from penalized_bandits.storage.replicates import Outcome
from penalized_bandits.theory.bounds import lower_bounds_4_6, lower_bounds_4_7
from penalized_bandits.theory.conditions import conditions_4_2
from penalized_bandits.theory.constructions import conditions_4_6, conditions_4_7
from penalized_bandits.theory.inputs import instance_of

Theorem = Literal["4_6", "4_7"]


class Due(NamedTuple):
    """What a theorem says that each of its arms costs at a horizon."""

    arms: BoolArray
    """The arms that it is about, shape (K,); what follows is of these alone."""
    margin: FloatArray
    least: FloatArray
    """Pulls."""
    bound: FloatArray
    """Of an arm's own regret, reward; not above 0 where nothing is said."""
    assumed: bool
    """Whether what its proof assumes holds."""


def due(theorem: Theorem, bandit: Bandit, horizon: int) -> Due:
    """Return what Theorem 4.6 or 4.7 says of a bandit arm by arm."""
    instance = instance_of(*bandit)
    if theorem == "4_6":
        assumed = conditions_4_6(instance, horizon)[0].holds
        return Due(*lower_bounds_4_6(instance, horizon), assumed)
    assumed = all(one.holds for one in conditions_4_7(instance, horizon)[:2])
    return Due(*lower_bounds_4_7(instance, horizon), assumed)


def own_regrets(pulls: FloatArray, bandit: Bandit, horizon: int) -> FloatArray:
    """Each arm's part of eq. (10), shape (K,), reward; their sum is the penalized regret."""
    means, fairness, penalties = bandit
    gap, level = gaps(means), fairness * horizon
    short = shortfall(pulls, fairness, horizon)
    return gap * pulls + penalties * short - np.minimum(gap, penalties) * level


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
        return all(one.holds for one in conditions_4_2(instance_of(*self.bandit), self.horizon))

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
        """Each arm's own regret, shape (K,), reward."""
        return own_regrets(self.pulls, self.bandit, self.horizon)


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


def _of_theorem(evidence: Evidence, theorem: Theorem) -> Iterator[tuple[Construction, Due]]:
    for horizon in evidence.section("deterministic").horizons:
        one = _found(evidence, case_of(theorem, horizon), horizon)
        yield one, due(theorem, one.bandit, horizon)


def _part(one: Construction, ratios: FloatArray, *, assumed: bool) -> Part:
    if not ratios.size:
        return nothing_known(f"T={one.horizon}", "the bound is 0")
    worst = float(ratios.min())
    part = above(f"T={one.horizon}, the arm with least", worst, worst, worst, 1.0)
    return part if assumed else not_said(part, "the proof's assumptions need a larger T")


def regret_by_arm(evidence: Evidence, theorem: Theorem) -> tuple[Part, ...]:
    """Hold the regret of each arm that a theorem is about against that arm's bound."""
    parts = []
    for one, owed in _of_theorem(evidence, theorem):
        said = owed.bound > 0
        ratios = one.regrets[owed.arms][said] / owed.bound[said]
        parts.append(_part(one, ratios, assumed=owed.assumed))
    return tuple(parts)


def pulls_by_arm(evidence: Evidence, theorem: Theorem) -> tuple[Part, ...]:
    """Hold the pulls of each arm against the least number in a theorem's proof."""
    name = f"Theorem {theorem.replace('_', '.')}, "
    return tuple(
        replace(part, name=name + part.name)
        for one, owed in _of_theorem(evidence, theorem)
        for part in [_part(one, one.pulls[owed.arms] / owed.least, assumed=owed.assumed)]
    )


def reached(name: str, pulls: float, level: float, detail: str = "") -> Part:
    """Make a part that says: an arm has the pulls of its level, from what share it has."""
    share = pulls / level if level else 1.0
    return replace(exactly(name, share >= 1, share, 1.0), least=1.0, detail=detail)
