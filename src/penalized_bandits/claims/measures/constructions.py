"""The deterministic constructions of Theorems 4.1 and 4.2, and Lemma 4.4."""

from collections.abc import Iterator, Mapping
from typing import Literal

import numpy as np

from penalized_bandits.claims.evidence import Evidence
from penalized_bandits.claims.horizon_series import HorizonSeries, bandit_at, deficits_of
from penalized_bandits.common.typing import FloatArray
from penalized_bandits.experiments.theory.deterministic import case_4_1, case_at_limit, case_of
from penalized_bandits.policies import PAPER_POLICY
from penalized_bandits.storage.replicates import Outcome


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
