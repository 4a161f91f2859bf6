"""The deterministic constructions of Theorems 4.1, 4.2, 4.6 and 4.7."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, Literal, NamedTuple

import numpy as np

from penalized_bandits.bandit.regret import gaps
from penalized_bandits.claims.evidence import Bandit, Evidence
from penalized_bandits.claims.horizon_series import HorizonSeries, bandit_at, deficits_of
from penalized_bandits.claims.parts import Fields, Part, above, exact, exactly, irrelevant, unknown
from penalized_bandits.common.typing import BoolArray, FloatArray
from penalized_bandits.experiments.theory.deterministic import case_4_1, case_at_limit, case_of
from penalized_bandits.policies import PAPER_POLICY
from penalized_bandits.storage.replicates import Outcome
from penalized_bandits.theory.constructions import conditions_4_6, conditions_4_7

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
    means, fairness, penalties = bandit
    gap = gaps(means)
    if theorem == "4_6":
        arms = (gap > penalties) & (fairness > 0)
        margin = (gap - penalties)[arms]
        least = np.log(horizon) / margin**2
        assumed = conditions_4_6(*bandit, horizon)[0].holds
        return Due(arms, margin, least, least * margin, assumed)
    arms = (gap > 0) & (gap <= penalties)
    margin = gap[arms]
    least = np.log(horizon) / margin**2
    assumed = all(one.holds for one in conditions_4_7(*bandit, horizon)[:2])
    return Due(arms, margin, least, margin * (least - fairness[arms] * horizon), assumed)


def own_regrets(outcome: Outcome) -> FloatArray:
    """Return each arm's part of eq. (10), shape (K,), reward; their sum is the penalized regret."""
    means, fairness, penalties = bandit_at(outcome)
    gap, level = gaps(means), fairness * outcome.horizon
    deficits = deficits_of(outcome)[0]
    return gap * outcome.pulls[0] + penalties * deficits - np.minimum(gap, penalties) * level


def lacking(outcome: Outcome) -> FloatArray:
    """Return (tau_k T - N_k(T))_+ of a deterministic run, shape (K,); 0 where it is rounding."""
    deficits = deficits_of(outcome)[0]
    return np.where(deficits > 1e-9 * outcome.horizon, deficits, 0.0)


def _series(
    evidence: Evidence, instance: str, label: str, cases: Mapping[int, str]
) -> HorizonSeries:
    """Return the outcomes of a construction, whose case at each horizon ``cases`` has."""
    outcomes = (evidence.outcome("deterministic", c, PAPER_POLICY, t) for t, c in cases.items())
    return HorizonSeries(instance, label, tuple(outcomes))


def waiting_series(evidence: Evidence) -> Iterator[HorizonSeries]:
    """Yield the constructions in which a number of arms with small fractions are pulled first."""
    section = evidence.section("deterministic")
    for small in section.theorem_4_1.small:
        label = f"{small} arms first, T = 100 m + {small}"
        cases = {t: case_4_1(small, t) for t in section.horizons_4_1(small)}
        yield _series(evidence, f"small_{small}", label, cases)


def limit_series(
    evidence: Evidence, limit: Literal["theorem_4_1", "lemma_4_4"]
) -> Iterator[HorizonSeries]:
    """Yield the constructions near the least margin of a theorem."""
    section = evidence.section("deterministic")
    for name, given in section.cases.items():
        if given.limit == limit:
            cases = {t: case_at_limit(name, t) for t in given.horizons_of(section.horizons)}
            yield _series(evidence, name, name.replace("_", " "), cases)


def shrinking_series(evidence: Evidence) -> HorizonSeries:
    """Return Theorem 4.2's construction: one critical arm, its level O(log T)."""
    section = evidence.section("deterministic")
    cases = {t: case_of("4_2", t) for t in section.theorem_4_2.horizons_of(section.horizons)}
    return _series(evidence, "theorem_4_2", "Theorem 4.7's bandit, Δ fixed", cases)


def _of_theorem(evidence: Evidence, theorem: Theorem) -> Iterator[tuple[Outcome, Due]]:
    for horizon in evidence.section("deterministic").horizons:
        case = case_of(theorem, horizon)
        one = evidence.outcome("deterministic", case, PAPER_POLICY, horizon)
        yield one, due(theorem, bandit_at(one), horizon)


def _least_ratio(theorem: Theorem, horizon: int, ratios: FloatArray, *, assumed: bool) -> Part:
    number = theorem.replace("_", ".")
    fields: Fields = {
        "case": f"theorem_{theorem}",
        "label": f"Theorem {number}, the arm with the least ratio",
        "horizon": horizon,
    }
    if not ratios.size:
        return unknown("the bound is 0", **fields)
    part = above(exact(float(ratios.min())), 1.0, **fields)
    return part if assumed else irrelevant(part, "the proof's assumptions need a larger T")


def regret_by_arm(evidence: Evidence, theorem: Theorem) -> Iterator[Part]:
    """Compare the regret of each arm in a theorem's construction with that arm's bound."""
    for one, required in _of_theorem(evidence, theorem):
        informative = required.bound > 0
        regrets = own_regrets(one)[required.arms][informative]
        ratios = regrets / required.bound[informative]
        yield _least_ratio(theorem, one.horizon, ratios, assumed=required.assumed)


def pulls_by_arm(evidence: Evidence, theorem: Theorem) -> Iterator[Part]:
    """Compare the pulls of each arm with the least number in a theorem's proof."""
    for one, required in _of_theorem(evidence, theorem):
        ratios = one.pulls[0][required.arms].astype(np.float64) / required.least
        yield _least_ratio(theorem, one.horizon, ratios, assumed=required.assumed)


def reached(pulls: float, level: float, **fields: Any) -> Part:
    """Return the part on an arm that has the pulls of its level."""
    share = pulls / level if level else 1.0
    return replace(exactly(share >= 1, share, 1.0, **fields), least=1.0)
