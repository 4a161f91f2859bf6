"""Studies behind the theorems: their cases, instances and random numbers; interpretations."""

from typing import Any, get_args

import numpy as np
import pytest

from config_helpers import CONFIG, PAPER
from penalized_bandits import BanditError
from penalized_bandits.bandit.rewards import Gaussian
from penalized_bandits.policies import PAPER_POLICY, POLICIES
from penalized_bandits.theory.conditions import condition_4_1, condition_lemma_4_4
from penalized_bandits.theory.inputs import instance_of
from penalized_replication.datasets.counts import BUNDLED_COUNTS
from penalized_replication.experiments import simulate as module
from penalized_replication.experiments.base import (
    Case,
    Context,
    Experiment,
    Interpretations,
    PolicyRun,
    case_of,
)
from penalized_replication.experiments.catalogue import EXPERIMENTS, STUDIES
from penalized_replication.experiments.simulate import simulate_experiment
from penalized_replication.experiments.theory.equal_penalties import penalty_grid
from penalized_replication.experiments.theory.worst_case import LARGEST_GAP
from penalized_replication.storage.replicates import Outcome
from scenario_checks import check_cases
from smoke_run import config_with

CONTEXT = Context(1, Interpretations(), 0, 4, str(BUNDLED_COUNTS))


def cases_of(study: str, context: Context = CONTEXT) -> dict[str, Case]:
    """Return all cases of a study by id, in order."""
    cases = STUDIES[study].all_cases(CONFIG.section(study), context)
    assert len({case.id for case in cases}) == len(cases)
    return {case.id: case for case in cases}


def changed(study: str, **keys: Any) -> Any:
    return STUDIES[study].section.model_validate({**PAPER[study], **keys})


def outcomes_of(
    name: str, section: Any, context: Context = CONTEXT, threads: int = 1
) -> list[Outcome]:
    cases = EXPERIMENTS[name].all_cases(section, context)
    return list(simulate_experiment(name, cases, context, threads=threads))


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_every_case_is_a_bandit_with_a_label_of_its_own(name: str) -> None:
    check_cases(CONFIG, name, CONTEXT)


# --- worst_case, two_instances ---------------------------------------------------


def test_worst_case_has_the_largest_gap_once_and_not_for_every_multiple_beyond_it() -> None:
    section, cases = CONFIG.section("worst_case"), cases_of("worst_case")
    number = len(section.penalty_ratios)
    clipped = 0
    for horizon in section.horizons:
        gaps = [float(np.ptp(case.means)) for case in cases.values() if case.horizon == horizon]
        assert gaps.count(LARGEST_GAP) in (0, number)
        clipped += len(gaps) < number * len(section.gaps)
    assert clipped


# --- equal_penalties, lfg_fairness -----------------------------------------------


def test_equal_penalties_lie_between_different_gaps() -> None:
    # 0.1 + 0.2 is more than 0.3, by rounding.
    ties = penalty_grid(np.array([0.9, 0.9, 0.5, 0.3, 0.1 + 0.2]))
    assert ties == pytest.approx([0.2, 0.5, 0.7])


def test_lfg_fairness() -> None:
    (case,) = cases_of("lfg_fairness").values()
    assert (np.asarray(case.runs[-1].penalties) > np.ptp(case.means)).all()
    (other,) = cases_of("lfg_fairness", Context(1, Interpretations(lfg="original"), 0, 4)).values()
    assert {run.policy for run in other.runs} == {"lfg", PAPER_POLICY}
    assert other.runs[0].rule is not case.runs[0].rule


# --- deterministic: constructions are what theorems and proofs say ----------------

SECTION = CONFIG.section("deterministic")


def test_constructions_are_made_at_the_horizons_at_which_they_are_bandits() -> None:
    rounds = ((p, t) for p in (2, 20) for t in SECTION.horizons_4_1(p))
    expected = {case_of(f"theorem_4_1_{p}_small", t) for p, t in rounds}
    lower = ("theorem_4_6", "theorem_4_7")
    expected |= {case_of(name, t) for name in lower for t in SECTION.horizons}
    # At T = 1000 its level would be above T, and its margin above 1.
    expected |= {case_of("theorem_4_2", t) for t in SECTION.horizons[1:]}
    for name, given in SECTION.cases.items():
        later = SECTION.horizons[3:] if given.limit == "lemma_4_4" else SECTION.horizons
        expected |= {case_of(f"least_margin_{name}", t) for t in later}
    assert set(cases_of("deterministic")) == expected


@pytest.mark.parametrize("small", [2, 20])
def test_theorem_4_1_horizons_are_rounds_after_the_small_arms(small: int) -> None:
    for asked, horizon in zip(SECTION.horizons, SECTION.horizons_4_1(small), strict=True):
        assert horizon % 100 == small
        assert abs(horizon - asked) <= 100
    one = changed("deterministic", horizons=[100_000])
    found = outcomes_of("deterministic", one)
    outcome = next(o for o in found if f"4_1_{small}_small" in o.case)
    lacking = outcome.fairness * outcome.horizon - outcome.pulls[0]
    # The arm that waits lacks half a pull for each small arm that went before it.
    assert lacking[small] == pytest.approx(SECTION.theorem_4_1.large_fairness * small)
    assert (np.delete(lacking, small) <= 1).all()


def test_least_margins_are_within_the_theorems() -> None:
    cases = cases_of("deterministic")
    for name, given in SECTION.cases.items():
        condition = condition_4_1 if given.limit == "theorem_4_1" else condition_lemma_4_4
        for horizon in (t for t in SECTION.horizons if given.margin_at(t) <= 1):
            case = cases[case_of(f"least_margin_{name}", horizon)]
            rates = np.asarray(case.runs[0].penalties)
            assert (rates == 1).all()
            bandit = instance_of(case.means, case.fairness, rates)
            assert condition(bandit, horizon).all()
            for more in (2e-6, -2e-6):
                edge = bandit.gaps + bandit.margins / given.times * (1 + more)
                met = condition(instance_of(case.means, case.fairness, edge), horizon)
                assert met[0] == (more > 0)


# --- Interpretations that change an experiment are declared, else the default's would be taken

TINY = config_with({})
OTHERS = {
    name: Interpretations.model_validate({name: value})
    for name, field in Interpretations.model_fields.items()
    for value in get_args(field.annotation)
    if value != field.default
}


def simulated(
    name: str, interpretations: Interpretations = TINY.interpretations, threads: int = 1
) -> list[Outcome]:
    context = Context(3, interpretations, 0, 3, str(BUNDLED_COUNTS))
    return outcomes_of(name, TINY.section(name), context, threads)


def differ(outcomes: list[Outcome], others: list[Outcome]) -> bool:
    columns = ("pulls", "max_deficit", "means", "penalties", "fairness")
    pairs = zip(outcomes, others, strict=True)
    return any(not np.array_equal(vars(a)[c], vars(b)[c]) for a, b in pairs for c in columns)


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_an_experiment_declares_the_readings_that_change_it(name: str) -> None:
    before = simulated(name)
    changed = {r for r, other in OTHERS.items() if differ(simulated(name, other), before)}
    # In short runs another interpretation may lead to the same pulls.
    assert changed <= set(EXPERIMENTS[name].interpretations)


def test_threads_share_the_runs() -> None:
    # More runs than are under way at a time, two horizons each.
    assert not differ(simulated("two_instances", threads=3), simulated("two_instances"))


@pytest.mark.parametrize("name", ["setting_2", "deterministic"])
def test_kernels_of_small_jobs_pull_the_same(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    small = simulated(name)
    monkeypatch.setattr(module, "SMALL_JOB", 0)
    monkeypatch.setattr(module, "SMALL_RUN", 0)
    assert not differ(small, simulated(name))


def test_the_workflow_refuses_before_a_job() -> None:
    rule = POLICIES["kl_ucb"]
    means, run = np.array([2.0, 4.2]), PolicyRun("kl_ucb", rule, (10,))
    case = Case("a", means, np.full(2, 0.1), Gaussian(1.0), (run,))
    experiment = Experiment("e", "e", object, lambda *_: [case], ())
    with pytest.raises(BanditError, match="policy kl_ucb needs rewards in"):
        experiment.all_cases(None, Context(0, Interpretations(), 0, 1))
