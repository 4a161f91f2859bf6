"""`compare` and `Comparison`: every number by hand from the pulls, pairs, looks, pictures."""

import itertools
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from matplotlib import pyplot as plt
from matplotlib.text import Text
from scipy import stats

import penalized_bandits as pb
from penalized_bandits.comparison.looks import look_of, looks_of
from penalized_bandits.statistics.estimates import paired_difference

MEANS, FAIRNESS, PENALTIES = np.array([0.9, 0.6, 0.5]), np.array([0.1, 0.2, 0.25]), 0.35
BANDIT = pb.Instance(MEANS, FAIRNESS, PENALTIES, pb.Gaussian(0.4))
MINE = pb.Policy("mine", index=lambda arm: arm.mean + arm.penalty * arm.below + 0.5 * arm.radius)
ROUNDS = [50, 600]


@pytest.fixture(scope="module")
def compared() -> pb.Comparison:
    policies = ["hard_threshold_ucb", ("lfg", 30.0), MINE]
    return pb.compare(policies, BANDIT, 600, replicates=40, seed=9, checkpoints=ROUNDS)


def by_hand(pulls: np.ndarray[Any, Any], rounds: int) -> dict[str, np.ndarray[Any, Any]]:
    short = np.maximum(FAIRNESS * rounds - pulls, 0)
    least = rounds * (np.minimum(0.9 - MEANS, PENALTIES) * FAIRNESS).sum()
    reward = pulls @ MEANS
    regret = pulls @ (0.9 - MEANS) + PENALTIES * short.sum(axis=1) - least
    return {
        "penalized_regret": regret,
        "expected_reward": reward,
        "reward_loss": 0.9 * rounds - reward,
        "unfairness": short.sum(axis=1),
    }


def test_a_frame_has_means_with_intervals(compared: pb.Comparison) -> None:
    frame = compared.to_frame()
    columns = "policy tuning horizon arm metric mean se ci_low ci_high n_replicates"
    assert [*frame.columns[:10]] == columns.split()
    run = compared.runs[1]
    for c, rounds in enumerate(ROUNDS):
        rows = frame.query(f"policy == 'lfg' and tuning == 30 and horizon == {rounds}")
        rows = rows.fillna({"arm": 0}).set_index(["metric", "arm"])
        arms = {"pulls": run.pulls[:, c].T, "max_deficit": run.max_deficits[:, c].T}
        expected = {(name, 0): x for name, x in by_hand(run.pulls[:, c], rounds).items()}
        expected |= {(name, k): x for name, each in arms.items() for k, x in enumerate(each, 1)}
        for (name, arm), values in expected.items():
            row: Any = rows.loc[(name, arm)]
            half = stats.t.ppf(0.975, 39) * values.std(ddof=1) / 40**0.5
            found = [row[each] for each in ("mean", "ci_low", "ci_high")]
            middle = values.mean()
            assert found == pytest.approx([middle, middle - half, middle + half], abs=1e-9)
            assert row["n_replicates"] == 40


def test_a_frame_by_replicate_has_the_values_behind_the_means(compared: pb.Comparison) -> None:
    frame = compared.to_frame(by_replicate=True)
    assert [*frame.columns] == ["policy", "tuning", "horizon", "replicate", "metric", "value"]
    assert len(frame) == 3 * 2 * 40 * 4
    keys = ["policy", "horizon", "metric"]
    whole = compared.to_frame().query("arm.isna()").set_index(keys)["mean"]
    means = frame.groupby(keys)["value"].mean()
    np.testing.assert_allclose(means, whole.loc[means.index], rtol=1e-12)


def test_differences_are_paired_by_replicate(compared: pb.Comparison) -> None:
    found = compared.difference("mine", "hard_threshold_ucb", "regret")
    assert [*found["horizon"]] == ROUNDS
    assert {*found["metric"]} == {"penalized_regret_difference"}
    for c, row in enumerate(found.to_dict("records")):
        runs = compared.runs[2], compared.runs[0]
        x, y = (by_hand(run.pulls[:, c], ROUNDS[c])["penalized_regret"] for run in runs)
        one = paired_difference(x, y).difference
        assert [row["mean"], row["ci_low"], row["ci_high"]] == pytest.approx([*one.interval])


def test_defaults() -> None:
    compared = pb.compare(["ucb1", "lfg"], BANDIT, 5000, replicates=2, seed=3)
    rounds = compared.runs[0].checkpoints
    assert (len(rounds), rounds[0], rounds[-1]) == (20, 10, 5000)
    steps = np.diff(np.log(rounds))
    assert steps.max() < 1.3 * steps.min()
    alone = pb.simulate("lfg", BANDIT, 5000, replicates=2, seed=3, tuning=5000**0.5)
    np.testing.assert_array_equal(compared.runs[1].at(5000), alone.pulls[:, -1])
    assert pb.compare("ucb1", BANDIT, 3, replicates=1).runs[0].checkpoints.tolist() == [3]


def test_policies_with_two_tunings_and_of_one_label_stay_apart() -> None:
    compared = pb.compare([("lfg", 30.0), ("lfg", 2), "ucb1"], BANDIT, 50, replicates=3)
    assert compared.names == ["lfg=30", "lfg=2", "ucb1"]
    assert {*compared.to_frame()["policy"]} == {*compared.names}
    assert len({(look.colour, look.marker) for look in compared.looks}) == 3
    assert len(compared.difference("lfg=2", "lfg=30")) == len(compared.runs[0].checkpoints)
    twin = replace(pb.get_policy("ucb1"), id="twin")
    alike = pb.compare(["ucb1", twin], BANDIT, 50, replicates=3)
    assert [*alike.summary().index] == ["UCB1: ucb1", "UCB1: twin"]


ERRORS: dict[str, Callable[[pb.Comparison], object]] = {
    r"policies is \[\]: it must be a list of": lambda _: pb.compare([], BANDIT, 9),
    "lfg, ucb1 came": lambda _: pb.compare(["ucb1", ("lfg", 3.0), ("lfg", 3), "ucb1"], BANDIT, 9),
    "needs its tuning": lambda _: pb.compare([replace(MINE, tuning=pb.Tuning("x"))], BANDIT, 9),
    "metrics of whole runs are penalized_regret, exp": lambda c: c.plot("pulls"),
    "policy 'ucb1' is not compared: hard_thr": lambda c: c.difference("ucb1", "mine"),
    "runs must be one or more": lambda _: pb.Comparison(()),
    "policies is .*: it must be a list of": lambda _: pb.compare({"lfg": 3.0}, BANDIT, 9),
    "runs must be one or more, with the same inst": lambda c: pb.Comparison(
        (*c.runs, pb.compare("ucb1", replace(BANDIT, penalties=0.0), 600, replicates=40).runs[0])
    ),
    "the same instance, rep": lambda c: pb.Comparison((*c.runs, pb.simulate("ucb1", BANDIT, 9))),
    "horizon is 77: it must be a checkpoint: 50, 600": lambda c: c.runs[0].at(77),
}


@pytest.mark.parametrize("message", ERRORS)
def test_errors_say_what_would_be_right(compared: pb.Comparison, message: str) -> None:
    with pytest.raises(pb.BanditError, match=message):
        ERRORS[message](compared)


def test_results_in_short(compared: pb.Comparison) -> None:
    run = compared.runs[0]
    runs = (replace(run, policy=replace(MINE, id=f"{'x' * 90}{i}")) for i in range(9))
    many = pb.Comparison((*runs,))
    assert max(len(repr(each)) for each in (compared, run, many)) <= 300
    mean = f"{run.regret()[:, -1].mean():.2f}"
    assert f"T = 600 rounds, 40 replicates, penalized regret {mean} ±" in repr(run)
    summary = compared.summary()
    assert [*summary.index] == ["Hard-threshold UCB", "LFG (η₀ = 30)", "mine"]
    assert summary["penalized_regret"].iloc[0].startswith(f"{mean} ±")
    assert all(label in compared._repr_html_() for label in summary.index)  # type: ignore[operator]
    assert mean in run._repr_html_()  # type: ignore[operator]


def test_looks_are_the_policies_own_and_steady(compared: pb.Comparison) -> None:
    first, _, mine = compared.looks
    assert first == look_of("hard_threshold_ucb")
    assert mine.colour not in {look.colour for look in compared.looks[:2]}
    # The ninth policy and on have colours of the first eight again.
    policies = [pb.get_policy("hard_threshold_ucb"), pb.get_policy("hard_threshold_sigma"), MINE]
    assert len({look.colour for look in looks_of(policies, ["a", "b", "c"])}) == 3
    axes = [compared.plot(metric) for metric in ("regret", "unfairness")]
    assert [[line.get_color() for line in each.lines] for each in axes] == [
        [look.colour for look in compared.looks]
    ] * 2
    plt.close("all")


TEN: list[Any] = ["hard_threshold_ucb", "ucb1", "moss", "imed", "thompson", "ucb_v", "lfg"]
TEN += [("pond", 1.0), MINE, replace(MINE, id="other")]


@pytest.mark.parametrize("n", [1, 2, 5, 10])
def test_a_picture_has_the_means_and_labels_apart(n: int) -> None:
    bandit = pb.Instance(MEANS, FAIRNESS, PENALTIES, pb.Bernoulli())
    compared = pb.compare(TEN[:n], bandit, 200, replicates=5, checkpoints=[20, 60, 200])
    axes = compared.plot("reward")
    figure = axes.get_figure(root=True)
    assert figure is not None
    assert figure.get_figwidth() == 3.5
    for run, line, band in zip(compared.runs, axes.lines, axes.collections, strict=True):
        values = run.expected_reward()
        np.testing.assert_allclose(np.array(line.get_data()), [[20, 60, 200], values.mean(axis=0)])
        half = stats.t.ppf(0.975, 4) * values.std(axis=0, ddof=1) / 5**0.5
        ends = band.get_datalim(axes.transData)
        assert ends.y1 == pytest.approx((values.mean(axis=0) + half).max())
    figure.draw_without_rendering()
    labels = [Text.get_window_extent(text) for text in axes.texts]  # without its line
    assert {text.get_text() for text in axes.texts} == {*compared.labels}
    assert not any(a.overlaps(b) for a, b in itertools.combinations(labels, 2))
    assert all(figure.bbox.x1 >= label.x1 and label.y0 >= 0 for label in labels)
    words = [*axes.get_xticklabels(), *axes.get_yticklabels(), *axes.texts, axes.xaxis.label]
    assert min(float(text.get_fontsize()) for text in words) >= 6
    assert axes.get_ylabel() == "expected reward (reward)"
    assert axes.get_title(loc="left") == "means of 5 replicates, 95 % intervals"
    plt.close(figure)
