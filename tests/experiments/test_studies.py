"""Studies behind the theorems: their cases, instances and random numbers."""

from typing import Any

import numpy as np
import pytest

from config_helpers import CONFIG, PAPER
from extended_helpers import TINY_EXTENDED
from penalized_bandits.bandit.rewards import Categorical, Gaussian
from penalized_bandits.policies import PAPER_POLICY
from penalized_replication.config import parse_config
from penalized_replication.datasets.counts_csv import BUNDLED_COUNTS
from penalized_replication.experiments.base import Case, Context, Readings
from penalized_replication.experiments.catalogue import EXPERIMENTS, STUDIES, experiment
from penalized_replication.experiments.simulate import simulate_experiment
from penalized_replication.experiments.theory.equal_penalties import penalty_grid
from penalized_replication.experiments.theory.two_instances import case_of as pair_case
from penalized_replication.experiments.theory.worst_case import LARGEST_GAP

EXTENDED = parse_config({**PAPER, **TINY_EXTENDED})
CONTEXT = Context(1, Readings(), 0, 4, str(BUNDLED_COUNTS))


def cases_of(study: str, context: Context = CONTEXT) -> dict[str, Case]:
    """Return all cases of a study by id, in order."""
    cases = STUDIES[study].all_cases(CONFIG.section(study), context)
    assert len({case.id for case in cases}) == len(cases)
    return {case.id: case for case in cases}


def changed(study: str, **keys: Any) -> Any:
    """Return a study's section with some keys set."""
    return STUDIES[study].section.model_validate({**PAPER[study], **keys})


def rates_of(case: Case) -> list[float]:
    """Return the different penalty rates of a case's runs."""
    return sorted({float(a) for run in case.runs for a in np.ravel(np.asarray(run.penalties))})


# --- All studies -----------------------------------------------------------------


@pytest.mark.parametrize("name", [*EXPERIMENTS, *TINY_EXTENDED])
def test_every_case_is_a_bandit_with_a_label_of_its_own(name: str) -> None:
    section = EXTENDED.section(name)
    cases = experiment(name).all_cases(section, CONTEXT)
    assert len({case.id for case in cases}) == len(cases) > 0
    labels = {case.info.instance: case.info.label for case in cases}
    assert len(set(labels.values())) == len(labels)
    for case in cases:
        n_arms = case.fairness.size
        assert case.means.shape[-1] == n_arms >= 2
        assert 0 <= case.fairness.sum() < 1
        case.rewards.code(case.means)
        assert case.runs
        for run in case.runs:
            assert list(run.checkpoints) == sorted(set(run.checkpoints))
            assert run.penalties is not None or name not in STUDIES
            rates = 0.0 if run.penalties is None else run.penalties
            assert np.shape(rates)[-1:] in {(), (n_arms,)}
            assert run.policy in section.policies


# --- log_laws --------------------------------------------------------------------


def test_log_laws_horizons_meet_rewards_of_their_own() -> None:
    regular = PAPER["log_laws"]["instances"]["regular"]
    section = changed("log_laws", horizons=[300, 301], instances={"regular": regular})
    short, long = simulate_experiment(STUDIES["log_laws"], section, CONTEXT)
    # Were the rewards the same, the longer run would be the shorter one and a pull more.
    assert (np.abs(long.pulls - short.pulls).sum(axis=1) > 1).sum() >= 2
    # A setting of the paper has them in common (reading R5).
    common = EXPERIMENTS["setting_1"].section.model_validate(
        {**PAPER["setting_1"], "horizons": [300, 301], "policies": ["ucb1"]}
    )
    first, second, *_ = simulate_experiment(EXPERIMENTS["setting_1"], common, CONTEXT)
    assert (np.abs(second.pulls - first.pulls).sum(axis=1) == 1).all()


# --- crossover, movie_crossover --------------------------------------------------


def test_crossover_cases() -> None:
    cases, section = cases_of("crossover"), CONFIG.section("crossover")
    cells = [f"K{k}_tau{tau}" for k in section.arms for tau in section.fairness]
    assert list(cases) == [*cells, *section.cases]
    fixed = [name for name, given in section.cases.items() if given.penalty is None]
    for name in ("noncritical_1", "critical_1"):
        case, panel = cases[f"setting_4_{name}"], PAPER["setting_4"]["cases"][name]
        assert case.means.tolist() == panel["means"]
        assert set(case.fairness) == {PAPER["setting_4"]["fairness"]}
        assert rates_of(case) == [panel["penalty"]]
    for name in fixed:
        assert rates_of(cases[name]) == pytest.approx([np.ptp(cases[name].means) / 2])
    for name in cells:
        case = cases[name]
        n_arms = case.fairness.size
        assert case.means.shape == (CONTEXT.replicates, n_arms)
        assert case.rewards == Gaussian(1 / n_arms)
        half = np.ptp(case.means, axis=1) / 2
        for run in case.runs:
            assert run.penalties == pytest.approx(np.tile(half[:, None], n_arms))
    for case in cases.values():
        # Explore-then-commit is tuned to each horizon.
        tuned = [run for run in case.runs if run.policy == "explore_then_commit"]
        assert [run.checkpoints for run in tuned] == [(t,) for t in section.tuned_horizons]
        tunings = [run.tuning for run in tuned if run.tuning is not None]
        assert tunings == sorted(set(tunings))
        others = [run for run in case.runs if run.policy != "explore_then_commit"]
        assert all(run.checkpoints == tuple(section.horizons) for run in others)


def test_crossover_means_once_and_without_fixed_cases() -> None:
    once = cases_of("crossover", Context(1, Readings(means="once"), 0, 4))
    assert once["K5_tau0.2"].means.shape == (5,)
    assert "means" in STUDIES["crossover"].readings
    cells = STUDIES["crossover"].cases(changed("crossover", cases={}), CONTEXT)
    assert {case.fairness.size for case in cells} == {5, 20}


def test_movie_crossover_cases() -> None:
    cases = cases_of("movie_crossover")
    sizes = {name: case.fairness.size for name, case in cases.items()}
    assert sizes == {"movies_m0_2500": 13, "movies_m0_1250": 118}
    for case in cases.values():
        assert case.fairness.sum() == pytest.approx(0.5)
        assert isinstance(case.rewards, Categorical)
        assert case.means == pytest.approx(case.rewards.probabilities @ np.arange(5) / 4)
        assert rates_of(case) == pytest.approx([np.ptp(case.means) / 2])


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


def test_two_instances_has_one_in_which_each_arm_is_better() -> None:
    horizons, arms = CONFIG.section("two_instances").horizons, (None, 2, 3, 4, 5)
    assert [*cases_of("two_instances")] == [pair_case(t, k) for t in horizons for k in arms]


# --- equal_penalties, lfg_fairness -----------------------------------------------


def test_equal_penalties_lie_between_different_gaps() -> None:
    # 0.1 + 0.2 is more than 0.3, by rounding.
    ties = penalty_grid(np.array([0.9, 0.9, 0.5, 0.3, 0.1 + 0.2]))
    assert ties == pytest.approx([0.2, 0.5, 0.7])


def test_lfg_fairness() -> None:
    (case,) = cases_of("lfg_fairness").values()
    *lfg, hard = case.runs
    assert [run.policy for run in case.runs] == ["lfg"] * 3 + [PAPER_POLICY]
    assert [(run.tuning, run.tuning_shown) for run in lfg] == [(e, e) for e in (1.0, 10.0, 100.0)]
    assert (np.asarray(hard.penalties) > np.ptp(case.means)).all()
    (other,) = cases_of("lfg_fairness", Context(1, Readings(lfg="original"), 0, 4)).values()
    assert {run.policy for run in other.runs} == {"lfg", PAPER_POLICY}
    assert other.runs[0].rule is not case.runs[0].rule
