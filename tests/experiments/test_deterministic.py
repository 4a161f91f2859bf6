"""The study of deterministic rewards: constructions are what theorems and proofs say."""

import numpy as np
import pytest

from config_helpers import CONFIG
from penalized_bandits.theory.conditions import condition_4_1, condition_lemma_4_4
from penalized_bandits.theory.inputs import instance_of
from penalized_replication.experiments.base import Context, Readings, case_of
from penalized_replication.experiments.simulate import simulate_experiment
from penalized_replication.experiments.theory.deterministic import DeterministicStudy, deterministic

SECTION: DeterministicStudy = CONFIG.section("deterministic")
CONTEXT = Context(1, Readings(), 0, 1)
CASES = {case.id: case for case in deterministic.cases(SECTION, CONTEXT)}


def test_constructions_are_made_at_the_horizons_at_which_they_are_bandits() -> None:
    expected = {
        case_of(f"theorem_4_1_{p}_small", t) for p in (2, 20) for t in SECTION.horizons_4_1(p)
    }
    lower = ("theorem_4_6", "theorem_4_7")
    expected |= {case_of(name, t) for name in lower for t in SECTION.horizons}
    # At T = 1000 its level would be above T, and its margin above 1.
    expected |= {case_of("theorem_4_2", t) for t in SECTION.horizons[1:]}
    for name, given in SECTION.cases.items():
        later = SECTION.horizons[3:] if given.limit == "lemma_4_4" else SECTION.horizons
        expected |= {case_of(f"least_margin_{name}", t) for t in later}
    assert set(CASES) == expected


@pytest.mark.parametrize("small", [2, 20])
def test_theorem_4_1_horizons_are_rounds_after_the_small_arms(small: int) -> None:
    for asked, horizon in zip(SECTION.horizons, SECTION.horizons_4_1(small), strict=True):
        assert horizon % 100 == small
        assert abs(horizon - asked) <= 100
    one = DeterministicStudy.model_validate({**SECTION.model_dump(), "horizons": [100_000]})
    found = simulate_experiment(deterministic, one, CONTEXT)
    outcome = next(o for o in found if f"4_1_{small}_small" in o.case)
    lacking = outcome.fairness * outcome.horizon - outcome.pulls[0]
    # The arm that waits lacks half a pull for each small arm that went before it.
    assert lacking[small] == pytest.approx(SECTION.theorem_4_1.large_fairness * small)
    assert (np.delete(lacking, small) <= 1).all()


def test_least_margins_are_within_the_theorems() -> None:
    for name, given in SECTION.cases.items():
        condition = condition_4_1 if given.limit == "theorem_4_1" else condition_lemma_4_4
        for horizon in given.horizons_of(SECTION.horizons):
            case = CASES[case_of(f"least_margin_{name}", horizon)]
            rates = np.asarray(case.runs[0].penalties)
            assert (rates == 1).all()
            bandit = instance_of(case.means, case.fairness, rates)
            met = condition(bandit, horizon)
            assert met.holds
            assert (bandit.margins / met.least)[0] == pytest.approx(given.times)
