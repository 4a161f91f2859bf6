"""`sweep` and `predict`: numbers of single simulations and of the theory, tidy."""

import warnings
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from matplotlib import pyplot as plt

import penalized_bandits as pb
from penalized_bandits.bandit.rewards import RewardFamily
from penalized_bandits.common.errors import ExplorationWarning
from penalized_bandits.comparison.sweep import Sweep
from penalized_bandits.policies import get_policy
from penalized_bandits.theory.exploration import bernoulli_kl, empirical_variance
from penalized_bandits.theory.fluid import predicted_pulls
from penalized_bandits.theory.inputs import instance_of
from penalized_bandits.theory.limits import linear_constant, log_constant
from penalized_bandits.theory.lower_bound import lower_constant

MEANS, FAIRNESS, PENALTIES = [0.9, 0.6, 0.5], [0.1, 0.2, 0.25], [0.1, 0.35, 0.3]
BANDIT = pb.Instance(MEANS, FAIRNESS, PENALTIES, pb.Bernoulli())
POLICIES = ["hard_threshold_ucb", "lfg"]


@pytest.fixture(scope="module")
def swept() -> Sweep:
    return pb.sweep(POLICIES, BANDIT, 300, penalties=[0.0, 0.2, 0.5], replicates=20, seed=4)


@pytest.mark.parametrize("name", ["penalties", "fairness"])
def test_a_sweep_is_single_simulations(name: str) -> None:
    frame = pb.sweep(POLICIES, BANDIT, 300, **{name: [0.0, 0.3]}, replicates=5, seed=4).to_frame()  # type: ignore[arg-type]
    rows = frame.query("arm.isna() and metric == 'penalized_regret'")
    means = rows.set_index([name, "policy"])["mean"].to_dict()
    assert means == {
        (value, policy): pb.simulate(
            policy, replace(BANDIT, **{name: value}), 300, replicates=5, seed=4, tuning=tuning
        )
        .regret()
        .mean()
        for value in (0.0, 0.3)
        for policy, tuning in (("hard_threshold_ucb", None), ("lfg", 300**0.5))
    }


def test_a_picture_of_a_sweep(swept: Sweep) -> None:
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
    swept = pb.sweep("lfg", BANDIT, horizons=[50, 800], replicates=2)
    assert [each.runs[0].tuning for each in swept.comparisons] == [50**0.5, 800**0.5]
    assert [*swept.to_frame()["horizon"].unique()] == [50, 800]
    axes = swept.plot()
    assert [text.get_text() for text in axes.texts] == ["LFG"]
    assert axes.get_xscale() == "log"
    plt.close(axes.get_figure(root=True))


@pytest.mark.parametrize("policy", ["hard_threshold_sigma", "hard_threshold_normal"])
def test_a_prediction_has_no_unit(policy: str) -> None:
    def pulls(unit: float) -> list[float]:
        bandit = pb.Instance(unit * np.array(MEANS), FAIRNESS, 0.3 * unit, pb.Gaussian(0.3 * unit))
        return pb.predict(bandit, 1e4, [policy]).query("quantity == 'pulls'")["value"].tolist()

    for unit in (2.0**-100, 2.0**38):
        assert pulls(unit) == pytest.approx(pulls(1.0))


def test_a_prediction_is_the_theorys() -> None:
    table = pb.predict(BANDIT, 1e4, ["kl_hard_threshold", "soft_threshold_ucb", "ucb1"])
    assert [*table.columns] == ["quantity", "policy", "arm", "value", "unit", "source"]
    of = table.set_index(["policy", "quantity"]).sort_index()["value"]
    pulls = predicted_pulls(BANDIT, 1e4, rule=bernoulli_kl())
    np.testing.assert_array_equal(of["kl_hard_threshold", "pulls"], pulls)
    gaps, short = 0.9 - np.array(MEANS), np.maximum(np.array(FAIRNESS) * 1e4 - pulls, 0)
    np.testing.assert_allclose(of["kl_hard_threshold", "arm_unfairness"], short, atol=1e-9)
    least = 1e4 * (np.minimum(gaps, PENALTIES) * FAIRNESS).sum()
    regret = gaps @ pulls + PENALTIES @ short - least
    assert of["kl_hard_threshold", "penalized_regret"] == pytest.approx(regret)
    limits = {
        ("kl_hard_threshold", "penalized_regret/log T"): log_constant(BANDIT, bernoulli_kl()),
        ("soft_threshold_ucb", "penalized_regret/T"): linear_constant(BANDIT),
    }
    assert {key: of[key] for key in limits} == limits
    variances = np.array(MEANS) * (1 - np.array(MEANS))
    learnt = pb.predict(BANDIT, 1e4, ["hard_threshold_variance"]).set_index("quantity")["value"]
    known = predicted_pulls(BANDIT, 1e4, rule=empirical_variance(variances))
    np.testing.assert_allclose(learnt["pulls"], known)
    ignorant = predicted_pulls(instance_of(MEANS, FAIRNESS, 0.0), 1e4)
    np.testing.assert_array_equal(of["ucb1", "pulls"], ignorant)
    any_policy = table[table["policy"].isna()].set_index("quantity")
    assert any_policy.loc["lower_bound/log T", "value"] == lower_constant(BANDIT)
    assert any_policy.loc["optimal_loss", "value"] == pytest.approx(least)
    assert any_policy.loc["lower_bound/log T", "source"] == "Theorem 3"
    # A law without a divergence has no lower bound; where all pulls are owed no limit is known.
    without = pb.predict(replace(BANDIT, rewards=pb.Deterministic()), 1e4)
    assert not without["quantity"].str.startswith("lower").any()
    # Of two policies the limit alone is KL-UCB's.
    for policy, said in {"imed": True, "thompson_beta": True, "kl_ucb": False}.items():
        sources = pb.predict(BANDIT, 1e4, [policy]).set_index("quantity")["source"]
        assert ("whose limit it has" in sources["penalized_regret"]) == said
    owed = pb.predict(replace(BANDIT, fairness=[0.5, 0.5, 0.0]), 1e4)
    assert not owed["quantity"].str.contains("log T").any()


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
    pb.predict(pb.Instance(means, FAIRNESS, PENALTIES, law), 1e4, policy)
    expected = [] if enough else [ExplorationWarning]
    assert [one.category for one in recwarn] == expected


ERRORS: dict[str, Callable[[], object]] = {
    "exactly one of penalties, fairness and": lambda: pb.sweep("ucb1", BANDIT, 9),
    "horizon is None: give it": lambda: pb.sweep("ucb1", BANDIT, penalties=[0.1]),
    "horizon is 9: give it, or horizons": lambda: pb.sweep("ucb1", BANDIT, 9, horizons=[9]),
    r"penalties\[0\] is .*one number for": lambda: pb.sweep("ucb1", BANDIT, 9, penalties=[(1, 2)]),  # type: ignore[list-item]
    "penalties is .1, 1.: values must": lambda: pb.sweep("ucb1", BANDIT, 9, penalties=[1, 1]),
    "instance is 3: it must be an": lambda: pb.sweep("ucb1", 3, 9, penalties=[1]),  # type: ignore[arg-type]
    "instance is None: it must be an": lambda: pb.predict(None, 9),  # type: ignore[arg-type]
    "no prediction is known for policy lfg": lambda: pb.predict(BANDIT, 99, ["lfg"]),
    "no prediction is known for policy hard_threshold_ucb": lambda: pb.predict(
        BANDIT, 99, replace(get_policy("hard_threshold_ucb"), exploration=0.1)
    ),
    "kl_ucb is predicted for means from 0 to below 1": lambda: pb.predict(
        pb.Instance([1.0, 0.5], 0.2, 0.1, pb.Bernoulli()), 99, ["kl_ucb"]
    ),
    "predicted for noise above 0 and finite, not 0": lambda: pb.predict(
        pb.Instance([0.5, 0.4], 0.2, 0.1, pb.Deterministic()), 99, "ucb_sigma"
    ),
}


@pytest.mark.parametrize("message", ERRORS)
def test_errors_say_what_would_be_right(message: str) -> None:
    with pytest.raises(pb.BanditError, match=message):
        ERRORS[message]()
