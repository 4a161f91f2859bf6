"""Studies behind the theorems: their cases, instances and random numbers, and config errors."""

import copy
import math
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml

from penalized_bandits.config import ConfigError, load_config, parse_config
from penalized_bandits.datasets.known_counts import bundled_path
from penalized_bandits.datasets.manifest import get_dataset
from penalized_bandits.experiment import simulate_group
from penalized_bandits.replicates import Outcome
from penalized_bandits.rewards import Bernoulli, Categorical, Deterministic, Gaussian
from penalized_bandits.settings import Case, Context, Readings
from penalized_bandits.studies import EXPERIMENTS, STUDIES, log_laws
from penalized_bandits.studies.deterministic import case_of as deterministic_case
from penalized_bandits.studies.equal_penalties import penalty_grid
from penalized_bandits.studies.two_instances import case_of as pair_case
from penalized_bandits.studies.worst_case import LARGEST_GAP
from penalized_bandits.theory.conditions import conditions_4_2
from penalized_bandits.theory.constructions import non_critical_construction

FILE = Path(__file__).parent.parent / "config/config.yaml"
PAPER: dict[str, Any] = yaml.safe_load(FILE.read_text(encoding="utf-8"))
CONFIG = load_config(FILE)
RATINGS = bundled_path(get_dataset("movielens_1m"))
CONTEXT = Context(
    seed=1, readings=Readings(), first_replicate=0, replicates=4, rating_counts=str(RATINGS)
)


def cases_of(study: str, section: Any = None, context: Context = CONTEXT) -> dict[str, Case]:
    """Return all cases of a study by id, in order."""
    wanted = STUDIES[study]
    section = section or CONFIG.section(study)
    cases = [c for group in wanted.groups(section) for c in wanted.cases(section, group, context)]
    assert len({case.id for case in cases}) == len(cases)
    return {case.id: case for case in cases}


def changed(study: str, **keys: Any) -> Any:
    """Return a study's section with some keys set."""
    return STUDIES[study].section.model_validate({**PAPER[study], **keys})


def simulated(study: str, section: Any) -> list[Outcome]:
    wanted = STUDIES[study]
    return list(simulate_group(wanted, section, wanted.groups(section), CONTEXT))


@pytest.mark.parametrize("study", STUDIES)
def test_every_case_is_a_bandit_with_penalties(study: str) -> None:
    for case in cases_of(study).values():
        n_arms = case.fairness.size
        assert case.means.shape[-1] == n_arms >= 2
        assert 0 <= case.fairness.sum() < 1
        assert case.runs
        for run in case.runs:
            assert list(run.checkpoints) == sorted(set(run.checkpoints))
            assert run.penalties is not None
            assert np.shape(run.penalties)[-1:] in {(), (n_arms,)}
            assert run.policy in CONFIG.section(study).policies


@pytest.mark.parametrize("study", STUDIES)
def test_groups_are_file_names_and_share_the_cases(study: str) -> None:
    section = CONFIG.section(study)
    groups = STUDIES[study].groups(section)
    assert len(set(groups)) == len(groups) >= 1
    assert all(re.fullmatch(r"\w+", group) for group in groups)
    for group in groups:
        assert STUDIES[study].cases(section, group, CONTEXT)


def test_studies_and_settings_have_ids_of_their_own() -> None:
    assert list(EXPERIMENTS)[:5] == [f"setting_{n}" for n in range(1, 6)]
    assert list(EXPERIMENTS)[5:] == list(STUDIES)
    assert all(study.id == name and study.title for name, study in STUDIES.items())
    for study in STUDIES.values():
        assert "log_of" in study.readings
        assert study.needs_ratings == (study.id == "movie_crossover")
        assert not study.has_frontier


# --- log_laws --------------------------------------------------------------------


def test_log_laws_every_instance_at_every_horizon() -> None:
    section = CONFIG.section("log_laws")
    cases = cases_of("log_laws")
    expected = [f"{name}_T{t}" for name in section.instances for t in section.horizons]
    assert list(cases) == expected
    assert all(isinstance(case.rewards, Bernoulli) for case in cases.values())
    for name, case in cases.items():
        horizon = int(name.rpartition("_T")[2])
        assert all(run.checkpoints == (horizon,) for run in case.runs)


def test_log_laws_groups_of_four() -> None:
    section = CONFIG.section("log_laws")
    groups = STUDIES["log_laws"].groups(section)
    assert groups == ["1", "2", "3", "4"]
    sizes = [len(STUDIES["log_laws"].cases(section, group, CONTEXT)) for group in groups]
    horizons = len(section.horizons)
    assert sizes == [4 * horizons] * 3 + [3 * horizons]
    few = changed("log_laws", instances={"a": PAPER["log_laws"]["instances"]["regular"]})
    assert STUDIES["log_laws"].groups(few) == ["1"]


def test_log_laws_horizons_meet_rewards_of_their_own() -> None:
    regular = PAPER["log_laws"]["instances"]["regular"]
    section = changed("log_laws", horizons=[300, 301], instances={"regular": regular})
    short, long = simulated("log_laws", section)
    # Were the rewards the same, the longer run would be the shorter one and a pull more.
    assert (np.abs(long.pulls - short.pulls).sum(axis=1) > 1).sum() >= 2
    # A setting of the paper has them in common (reading R5).
    common = EXPERIMENTS["setting_1"].section.model_validate(
        {**PAPER["setting_1"], "horizons": [300, 301], "policies": ["ucb1"]}
    )
    first, second, *_ = simulate_group(EXPERIMENTS["setting_1"], common, ["K5"], CONTEXT)
    assert (np.abs(second.pulls - first.pulls).sum(axis=1) == 1).all()


def test_log_laws_policies_of_an_instance_meet_the_same_rewards() -> None:
    instance = PAPER["log_laws"]["instances"]["no_penalties"]
    section = changed("log_laws", horizons=[500], instances={"no_penalties": instance})
    ours, ucb1 = simulated("log_laws", section)
    assert [ours.policy, ucb1.policy] == ["hard_threshold_ucb", "ucb1"]
    np.testing.assert_array_equal(ours.pulls, ucb1.pulls)


@pytest.mark.parametrize("power", [0.25, 0.5, 0.75])
def test_fairness_power(power: float) -> None:
    cases = cases_of("log_laws")
    for horizon in CONFIG.section("log_laws").horizons:
        case = cases[f"tau_power_0{round(100 * power)}_T{horizon}"]
        assert case.fairness == pytest.approx([horizon**-power] * 5)


def test_penalty_margin() -> None:
    cases = cases_of("log_laws")
    for name, factor in (("least_margin", 1.0), ("below_the_margin", 0.25)):
        for horizon in CONFIG.section("log_laws").horizons:
            case = cases[f"{name}_T{horizon}"]
            margin = math.sqrt(32 * 5 * math.log(horizon) / horizon)
            gaps = np.array([0.0, 0.1, 0.3, 0.6, 0.7])
            assert case.runs[0].penalties == pytest.approx(gaps + factor * margin)


def test_which_instances_meet_theorem_4_2() -> None:
    meets = set()
    last = CONFIG.section("log_laws").horizons[-1]
    for name, instance in CONFIG.section("log_laws").instances.items():
        bandit = (np.array(instance.means), instance.fairness_at(last), instance.penalties_at(last))
        if all(condition.holds for condition in conditions_4_2(*bandit, last)):
            meets.add(name)
    # Those that break a condition are in the config to show what it is good for.
    broken = {"small_penalties", "at_the_gap", "ties", "below_the_margin"}
    assert {"two_arms", "ten_arms", "regular"} <= meets | {"all_critical"}
    assert not meets & broken


WRONG_INSTANCES = [
    ({"fairness_power": 0.5}, "regular: give either fairness or fairness_power"),
    ({"penalty_margin": 1.0}, "regular: give either penalties or penalty_margin"),
    ({"fairness": [0.2] * 5}, "regular: fairness fractions sum to 1: it must be below 1"),
    ({"fairness": [0.1] * 4}, "regular: 5 means but 4 fairness fractions"),
    ({"penalties": [1.0]}, "regular: 5 means but 1 penalties"),
    ({"policies": ["lfg"]}, "regular.policies: only policies without a tuning of their own"),
    ({"fairness_power": 1.0}, "regular.fairness_power: Input should be less than 1"),
    ({"gap": 1.0}, "regular.gap: unknown key (value 1.0); allowed here: means, fairness"),
]


@pytest.mark.parametrize(("keys", "words"), WRONG_INSTANCES)
def test_wrong_instance(keys: dict[str, Any], words: str) -> None:
    config = copy.deepcopy(PAPER)
    config["log_laws"]["instances"]["regular"].update(keys)
    with pytest.raises(ConfigError) as caught:
        parse_config(config)
    assert f"log_laws.instances.{words}" in str(caught.value)


def test_fractions_that_depend_on_the_horizon_must_leave_something_at_the_first() -> None:
    config = copy.deepcopy(PAPER)
    config["log_laws"]["horizons"] = [500, 1000]
    with pytest.raises(ConfigError) as caught:
        parse_config(config)
    text = str(caught.value)
    assert "log_laws: fairness fractions of tau_power_025 sum to 1.05" in text
    assert "at the horizon 500: it must be below 1" in text


# --- crossover -------------------------------------------------------------------


def test_crossover_cases() -> None:
    cases = cases_of("crossover")
    cells = [f"K{k}_tau{tau}" for k in (5, 20) for tau in (0.2, 0.4, 0.8)]
    fixed = ["setting_2_case_1", "setting_2_case_2"]
    assert list(cases) == [*cells, *fixed, "setting_4_noncritical_1", "setting_4_critical_1"]
    for name in ("noncritical_1", "critical_1"):
        case, panel = cases[f"setting_4_{name}"], PAPER["setting_4"]["cases"][name]
        assert case.means.tolist() == panel["means"]
        assert set(case.fairness) == {PAPER["setting_4"]["fairness"]}
        for run in case.runs:
            assert np.unique(np.asarray(run.penalties)).tolist() == [panel["penalty"]]
    for name in fixed:
        case = cases[name]
        for run in case.runs:
            assert np.unique(np.asarray(run.penalties)) == pytest.approx(np.ptp(case.means) / 2)
    for name in cells:
        case = cases[name]
        n_arms = case.fairness.size
        assert case.means.shape == (CONTEXT.replicates, n_arms)
        assert case.rewards == Gaussian(1 / n_arms)
        for run in case.runs:
            half = np.ptp(case.means, axis=1) / 2
            assert run.penalties == pytest.approx(np.tile(half[:, None], n_arms))


def test_crossover_explore_then_commit_is_tuned_to_each_horizon() -> None:
    section = CONFIG.section("crossover")
    for case in cases_of("crossover").values():
        tuned = [run for run in case.runs if run.policy == "explore_then_commit"]
        assert [run.checkpoints for run in tuned] == [(t,) for t in section.tuned_horizons]
        tunings = [run.tuning for run in tuned if run.tuning is not None]
        assert tunings == sorted(set(tunings))
        others = [run for run in case.runs if run.policy != "explore_then_commit"]
        assert all(run.checkpoints == tuple(section.horizons) for run in others)


def test_crossover_means_once() -> None:
    once = Context(1, Readings(means="once"), 0, 4)
    cases = cases_of("crossover", context=once)
    assert cases["K5_tau0.2"].means.shape == (5,)
    assert "means" in STUDIES["crossover"].readings


def test_crossover_without_fixed_cases() -> None:
    assert STUDIES["crossover"].groups(changed("crossover", cases={})) == ["K5", "K20"]


# --- movie_crossover ---------------------------------------------------------------


def test_movie_crossover_cases() -> None:
    cases = cases_of("movie_crossover")
    assert {name: case.fairness.size for name, case in cases.items()} == {
        "movies_m0_2500": 13,
        "movies_m0_1250": 118,
    }
    for case in cases.values():
        assert case.fairness.sum() == pytest.approx(0.5)
        assert isinstance(case.rewards, Categorical)
        assert case.means == pytest.approx(case.rewards.probabilities @ np.arange(5) / 4)
        for run in case.runs:
            assert np.unique(np.asarray(run.penalties)) == pytest.approx(np.ptp(case.means) / 2)


# --- worst_case ------------------------------------------------------------------


def test_worst_case_gaps_are_multiples_of_their_scale_and_at_most_a_half() -> None:
    section = CONFIG.section("worst_case")
    cases = cases_of("worst_case")
    clipped = 0
    for horizon in section.horizons:
        of_horizon = [c for name, c in cases.items() if name.startswith(f"T{horizon}_")]
        scale = math.sqrt(5 * math.log(horizon) / horizon)
        gaps = [float(np.ptp(case.means)) for case in of_horizon]
        expected = [min(m * scale, LARGEST_GAP) for m in section.gaps for _ in range(3)]
        assert gaps == pytest.approx(expected[: len(gaps)])
        assert max(gaps) <= LARGEST_GAP
        # The largest gap once, not for every multiple beyond it.
        assert sum(gap == pytest.approx(LARGEST_GAP) for gap in gaps) in (0, 3)
        clipped += len(of_horizon) < 3 * len(section.gaps)
        for case in of_horizon:
            ratio = float(case.id.partition("ratio")[2])
            for run in case.runs:
                assert run.penalties == pytest.approx([ratio * np.ptp(case.means)] * 5)
            assert (case.means[1:] == 0.5).all()
            assert case.means.max() <= 1
    assert clipped


# --- deterministic ---------------------------------------------------------------


def test_deterministic_cases() -> None:
    section = CONFIG.section("deterministic")
    cases = cases_of("deterministic")
    expected = {deterministic_case("4_1", t) for t in section.horizons_4_1}
    expected |= {deterministic_case(name, t) for name in ("4_6", "4_7") for t in section.horizons}
    assert set(cases) == expected
    assert all(isinstance(case.rewards, Deterministic) for case in cases.values())


def test_deterministic_theorem_4_1_horizons_are_rounds_after_the_small_arms() -> None:
    section = CONFIG.section("deterministic")
    small = section.theorem_4_1
    for asked, horizon in zip(section.horizons, section.horizons_4_1, strict=True):
        assert horizon % 100 == small.small
        assert abs(horizon - asked) <= 100
    outcome = next(
        o
        for o in simulated("deterministic", changed("deterministic", horizons=[100_000]))
        if "4_1" in o.case
    )
    lacking = outcome.fairness * outcome.horizon - outcome.pulls[0]
    # The arm that waits lacks half a pull for each small arm that went before it.
    assert lacking[small.small] == pytest.approx(small.large_fairness * small.small)
    assert (np.delete(lacking, small.small) <= 1).all()


def test_deterministic_4_6_is_the_proofs_construction() -> None:
    section = CONFIG.section("deterministic")
    one = section.theorem_4_6
    built = non_critical_construction(
        one.arms, 10**6, gap=one.gap, penalty=one.penalty, fairness=one.fairness
    )
    assert built.holds
    case = cases_of("deterministic")[deterministic_case("4_6", 10**6)]
    instance = built.instance
    assert case.means == pytest.approx(instance.means)
    assert case.fairness == pytest.approx(instance.fairness)
    assert one.penalty < one.gap


def test_deterministic_4_7_arms_are_of_the_kinds_they_are_said_to_be() -> None:
    section = CONFIG.section("deterministic")
    two = section.theorem_4_7
    for horizon in section.horizons:
        case = cases_of("deterministic")[deterministic_case("4_7", horizon)]
        gaps = case.means.max() - case.means
        rates = np.asarray(case.runs[0].penalties)
        critical = (gaps > 0) & (gaps <= rates)
        assert int(critical.sum()) == two.critical
        assert int((gaps > rates).sum()) == two.non_critical
        # Levels below log T / gap^2, as the proof wants them.
        levels = case.fairness[critical] * horizon
        assert (levels <= math.log(horizon) / gaps[critical] ** 2).all()


WRONG_CONSTRUCTIONS = [
    ("theorem_4_1", {"small": 60}, "fairness fractions sum to 1.2"),
    ("theorem_4_1", {"best_mean": 0.1}, "best_mean must be above mean"),
    ("theorem_4_6", {"penalty": 0.5}, "penalty 0.5 must be below the gap 0.5"),
    ("theorem_4_6", {"arms": 7}, "7 fractions of 0.15 sum to 1 or more"),
    ("theorem_4_7", {"critical_penalty": 0.2}, "critical_penalty must be above critical_gap"),
    (
        "theorem_4_7",
        {"non_critical_penalty": 0.4},
        "non_critical_penalty must be below non_critical_gap",
    ),
    ("theorem_4_7", {"level": 0.0}, "level: Input should be greater than 0"),
]


@pytest.mark.parametrize(("theorem", "keys", "words"), WRONG_CONSTRUCTIONS)
def test_wrong_construction(theorem: str, keys: dict[str, Any], words: str) -> None:
    config = copy.deepcopy(PAPER)
    config["deterministic"][theorem].update(keys)
    with pytest.raises(ConfigError) as caught:
        parse_config(config)
    assert f"deterministic.{theorem}" in str(caught.value)
    assert words in str(caught.value)


def test_deterministic_4_7_fractions_must_leave_something() -> None:
    config = copy.deepcopy(PAPER)
    config["deterministic"]["horizons"] = [50]
    config["deterministic"]["theorem_4_7"]["fairness"] = 0.3
    with pytest.raises(ConfigError) as caught:
        parse_config(config)
    assert "deterministic" in str(caught.value)


# --- two_instances ---------------------------------------------------------------


def test_two_instances() -> None:
    section = CONFIG.section("two_instances")
    cases = cases_of("two_instances")
    for horizon in section.horizons:
        gap = math.sqrt(4 / (2 * horizon))
        first = cases[pair_case(horizon, None)]
        assert first.means == pytest.approx([gap, 0, 0, 0, 0])
        assert gap < section.penalty
        for arm in range(2, 6):
            second = cases[pair_case(horizon, arm)]
            differs = np.flatnonzero(second.means != first.means)
            assert differs.tolist() == [arm - 1]
            assert second.means[arm - 1] == pytest.approx(2 * gap)
            assert second.rewards == Gaussian(1.0)
    assert len(cases) == 5 * len(section.horizons)


# --- equal_penalties -------------------------------------------------------------


def test_equal_penalties_grid_keeps_each_number_of_arms() -> None:
    for case in cases_of("equal_penalties").values():
        gaps = np.sort(case.means.max() - case.means)
        rates = [run.penalties for run in case.runs]
        assert all(isinstance(rate, float) for rate in rates)
        kept = [int((gaps <= rate).sum()) for rate in rates]  # type: ignore[operator]
        assert kept == list(range(1, gaps.size + 1))


def test_penalty_grid_of_ties() -> None:
    grid = penalty_grid(np.array([0.9, 0.9, 0.5, 0.5, 0.1]))
    assert grid == pytest.approx([0.2, 0.6, 1.0])


def test_a_case_without_gaps_has_no_grid_and_is_an_error() -> None:
    config = copy.deepcopy(PAPER)
    config["equal_penalties"]["cases"]["case_1"]["means"] = [0.5] * 8
    with pytest.raises(ConfigError) as caught:
        parse_config(config)
    assert "equal_penalties.cases.case_1" in str(caught.value)


# --- lfg_fairness ----------------------------------------------------------------


def test_lfg_fairness() -> None:
    (case,) = cases_of("lfg_fairness").values()
    lfg = [run for run in case.runs if run.policy == "lfg"]
    assert [run.tuning for run in lfg] == [1.0, 10.0, 100.0]
    assert [run.tuning_shown for run in lfg] == [1.0, 10.0, 100.0]
    (hard,) = (run for run in case.runs if run.policy == "hard_threshold_ucb")
    assert (np.asarray(hard.penalties) > np.ptp(case.means)).all()


def test_lfg_fairness_original() -> None:
    (case,) = cases_of("lfg_fairness", context=Context(1, Readings(lfg="original"), 0, 4)).values()
    ids = {run.policy for run in case.runs}
    assert ids == {"lfg", "hard_threshold_ucb"}
    paper = cases_of("lfg_fairness")["case_1"]
    assert case.runs[0].rule is not paper.runs[0].rule


def test_log_laws_case_names() -> None:
    assert log_laws.case_of("regular", 1000) == "regular_T1000"
