"""`compare`, `sweep` and `predict`: numbers by hand and of the theory, pairs, looks, pictures."""

import itertools
import warnings
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from matplotlib import pyplot as plt
from matplotlib.text import Text
from scipy import stats

import penalized_bandits as pb
from penalized_bandits.bandit.regret import shortfall
from penalized_bandits.bandit.rewards import RewardFamily
from penalized_bandits.common.errors import ExplorationWarning
from penalized_bandits.comparison.looks import look_of, looks_of
from penalized_bandits.policies import get_policy
from penalized_bandits.statistics.estimates import mean_estimate, paired_difference
from penalized_bandits.theory.exploration import bernoulli_kl, empirical_variance
from penalized_bandits.theory.fluid import predicted_pulls, predicted_regret
from penalized_bandits.theory.inputs import instance_of
from penalized_bandits.theory.limits import linear_constant, log_constant
from penalized_bandits.theory.lower_bound import lower_constant

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
            found = [row[each] for each in ("mean", "ci_low", "ci_high")]
            assert found == pytest.approx([*mean_estimate(values).interval], abs=1e-9)
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


RATES = np.array([0.1, 0.35, 0.3])
COINS = pb.Instance(MEANS, FAIRNESS, RATES, pb.Bernoulli())
POLICIES = ["hard_threshold_ucb", "lfg"]


@pytest.mark.parametrize("name", ["penalties", "fairness"])
def test_a_sweep_is_single_simulations(name: str) -> None:
    frame = pb.sweep(POLICIES, COINS, 300, **{name: [0.0, 0.3]}, replicates=5, seed=4).to_frame()  # type: ignore[arg-type]
    rows = frame.query("arm.isna() and metric == 'penalized_regret'")
    means = rows.set_index([name, "policy"])["mean"].to_dict()
    assert means == {
        (value, policy): pb.simulate(
            policy, replace(COINS, **{name: value}), 300, replicates=5, seed=4, tuning=tuning
        )
        .regret()
        .mean()
        for value in (0.0, 0.3)
        for policy, tuning in (("hard_threshold_ucb", None), ("lfg", 300**0.5))
    }


def test_a_picture_of_a_sweep() -> None:
    swept = pb.sweep(POLICIES, COINS, 300, penalties=[0.0, 0.2, 0.5], replicates=20, seed=4)
    axes = swept.plot("unfairness")
    for i, line in enumerate(axes.lines):
        means = [each.runs[i].unfairness().mean() for each in swept.comparisons]
        np.testing.assert_allclose(np.array(line.get_data()), [[0.0, 0.2, 0.5], means])
    assert {text.get_text() for text in axes.texts} == {"Hard-threshold UCB", "LFG (η₀ = 17.32)"}
    assert axes.get_xlabel() == "penalty rate A of each arm (reward)"
    assert len(repr(swept)) <= 300
    assert len(swept.to_frame(by_replicate=True)) == 3 * 2 * 4 * 20
    plt.close(axes.get_figure(root=True))


def test_horizons_have_the_tunings_of_the_paper() -> None:
    swept = pb.sweep("lfg", COINS, horizons=[50, 800], replicates=2)
    assert [each.runs[0].tuning for each in swept.comparisons] == [50**0.5, 800**0.5]
    assert [*swept.to_frame()["horizon"].unique()] == [50, 800]
    axes = swept.plot()
    assert [text.get_text() for text in axes.texts] == ["LFG"]
    assert axes.get_xscale() == "log"
    plt.close(axes.get_figure(root=True))


@pytest.mark.parametrize("policy", ["hard_threshold_sigma", "hard_threshold_normal"])
def test_a_prediction_has_no_unit(policy: str) -> None:
    def pulls(unit: float) -> list[float]:
        bandit = pb.Instance(unit * MEANS, FAIRNESS, 0.3 * unit, pb.Gaussian(0.3 * unit))
        return pb.predict(bandit, 1e4, [policy]).query("quantity == 'pulls'")["value"].tolist()

    for unit in (2.0**-100, 2.0**38):
        assert pulls(unit) == pytest.approx(pulls(1.0))


def test_a_prediction_is_the_theorys() -> None:
    table = pb.predict(COINS, 1e4, ["kl_hard_threshold", "soft_threshold_ucb", "ucb1"])
    assert [*table.columns] == ["quantity", "policy", "arm", "value", "unit", "source"]
    of = table.set_index(["policy", "quantity"]).sort_index()["value"]
    pulls = predicted_pulls(COINS, 1e4, rule=bernoulli_kl())
    np.testing.assert_array_equal(of["kl_hard_threshold", "pulls"], pulls)
    short = shortfall(pulls, COINS)
    np.testing.assert_allclose(of["kl_hard_threshold", "arm_unfairness"], short, atol=1e-9)
    regret = predicted_regret(COINS, 1e4, rule=bernoulli_kl())
    assert of["kl_hard_threshold", "penalized_regret"] == pytest.approx(regret)
    limits = {
        ("kl_hard_threshold", "penalized_regret/log T"): log_constant(COINS, bernoulli_kl()),
        ("soft_threshold_ucb", "penalized_regret/T"): linear_constant(COINS),
    }
    assert {key: of[key] for key in limits} == limits
    variances = MEANS * (1 - MEANS)
    learnt = pb.predict(COINS, 1e4, ["hard_threshold_variance"]).set_index("quantity")["value"]
    known = predicted_pulls(COINS, 1e4, rule=empirical_variance(variances))
    np.testing.assert_allclose(learnt["pulls"], known)
    ignorant = predicted_pulls(instance_of(MEANS, FAIRNESS, 0.0), 1e4)
    np.testing.assert_array_equal(of["ucb1", "pulls"], ignorant)
    any_policy = table[table["policy"].isna()].set_index("quantity")
    assert any_policy.loc["lower_bound/log T", "value"] == lower_constant(COINS)
    assert any_policy.loc["optimal_loss", "value"] == pytest.approx(pb.optimal_loss(COINS, 1e4))
    assert any_policy.loc["lower_bound/log T", "source"] == "Theorem 3"
    # A law without a divergence has no lower bound.
    without = pb.predict(replace(COINS, rewards=pb.Deterministic()), 1e4)
    assert not without["quantity"].str.startswith("lower").any()
    # Of two policies the limit alone is KL-UCB's.
    for policy, said in {"imed": True, "thompson_beta": True, "kl_ucb": False}.items():
        sources = pb.predict(COINS, 1e4, [policy]).set_index("quantity")["source"]
        assert ("whose limit it has" in sources["penalized_regret"]) == said


@pytest.mark.parametrize(
    ("policy", "law", "enough"),
    [
        ("hard_threshold_ucb", pb.Gaussian(1.0), True),
        ("hard_threshold_ucb", pb.Gaussian(1.01), False),
        ("ucb1", pb.Gaussian(1.01), False),
        ("hard_threshold_sigma", pb.Gaussian(3.0), True),
        ("kl_hard_threshold_loglog", pb.Bernoulli(), True),
        ("kl_hard_threshold", pb.Gaussian(0.5), False),
        ("kl_hard_threshold", pb.Gaussian(0.2), True),
        ("ucb1", pb.Gaussian(0.0), True),
        ("ucb1", pb.HeavyTailed(0.1, 1.5), False),
        # The noise is the best arm's, of which Theorem 3 says nothing.
        ("ucb1", pb.Categorical([0, 0.9, 10], [[0.9, 0, 0.1], [0, 1, 0], [1, 0, 0]]), False),
    ],
)
def test_a_prediction_for_too_much_noise_has_a_warning(
    policy: str, law: RewardFamily, enough: bool, recwarn: pytest.WarningsRecorder
) -> None:
    warnings.simplefilter("always")
    means = law.means if isinstance(law, pb.Categorical) else MEANS
    pb.predict(pb.Instance(means, FAIRNESS, RATES, law), 1e4, policy)
    expected = [] if enough else [ExplorationWarning]
    assert [one.category for one in recwarn] == expected


ERRORS: dict[str, Callable[[pb.Comparison], object]] = {
    r"policies is \[\]: it must be a list of": lambda _: pb.compare([], BANDIT, 9),
    "lfg, ucb1 came": lambda _: pb.compare(["ucb1", ("lfg", 3.0), ("lfg", 3), "ucb1"], BANDIT, 9),
    "needs its tuning": lambda _: pb.compare([replace(MINE, tuning=pb.Tuning("x"))], BANDIT, 9),
    "delay is -1: .* rounds, 0 or": lambda _: pb.compare("ucb1", BANDIT, 9, delay=-1),
    r"delay\(0.50005\) is nan: it must be": lambda _: pb.compare(
        "ucb1", BANDIT, 10, delay=lambda u: 5 if u < 0.5 else np.nan
    ),
    "metrics of whole runs are penalized_regret, exp": lambda c: c.plot("pulls"),
    "policy 'ucb1' is not compared: hard_thr": lambda c: c.difference("ucb1", "mine"),
    "runs must be one or more": lambda _: pb.Comparison(()),
    "runs must be one or more: same instance": lambda c: pb.Comparison(
        (*c.runs, pb.compare("ucb1", replace(BANDIT, penalties=0.0), 600, replicates=40).runs[0])
    ),
    "horizon is 77: it must be a checkpoint: 50, 600": lambda c: c.runs[0].at(77),
    "exactly one of penalties, fairness and": lambda _: pb.sweep("ucb1", COINS, 9),
    "horizon is None: give it": lambda _: pb.sweep("ucb1", COINS, penalties=[0.1]),
    "horizon is 9: give it, or horizons": lambda _: pb.sweep("ucb1", COINS, 9, horizons=[9]),
    r"penalties\[0\] is .*one number for": lambda _: pb.sweep("ucb1", COINS, 9, penalties=[(1, 2)]),  # type: ignore[list-item]
    "penalties is .1, 1.: values must": lambda _: pb.sweep("ucb1", COINS, 9, penalties=[1, 1]),
    "instance is None: it must be an": lambda _: pb.predict(None, 9),  # type: ignore[arg-type]
    "no prediction is known for policy lfg": lambda _: pb.predict(COINS, 99, ["lfg"]),
    "no prediction is known for policy hard_threshold_ucb": lambda _: pb.predict(
        COINS, 99, replace(get_policy("hard_threshold_ucb"), exploration=0.1)
    ),
    "kl_ucb is predicted for means from 0 to below 1": lambda _: pb.predict(
        pb.Instance([1.0, 0.5], 0.2, 0.1, pb.Bernoulli()), 99, ["kl_ucb"]
    ),
    "predicted for noise above 0 and finite, not 0": lambda _: pb.predict(
        pb.Instance([0.5, 0.4], 0.2, 0.1, pb.Deterministic()), 99, "ucb_sigma"
    ),
}


@pytest.mark.parametrize("message", ERRORS)
def test_errors_say_what_would_be_right(compared: pb.Comparison, message: str) -> None:
    with pytest.raises(pb.BanditError, match=message):
        ERRORS[message](compared)
