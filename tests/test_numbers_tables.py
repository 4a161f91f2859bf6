"""Numbers at the edge in what is computed from pulls: regret, frontier, tables, command line."""

import math
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

from penalized_bandits.checks import LARGEST, MOST_ROUNDS
from penalized_bandits.cli import app
from penalized_bandits.comparison import differences, play
from penalized_bandits.engine.simulate import simulate
from penalized_bandits.errors import BanditError
from penalized_bandits.frontier import oracle_frontier
from penalized_bandits.instances import Instance
from penalized_bandits.policies import POLICIES
from penalized_bandits.regret import (
    expected_reward,
    loss,
    optimal_loss,
    penalized_regret,
    regret_by_arm,
    unfairness,
)
from penalized_bandits.replicates import Outcome, read_replicates, write_replicates
from penalized_bandits.rewards import Bernoulli, Deterministic
from penalized_bandits.summaries import (
    mean_and_interval,
    read_summary,
    summarize,
    summarize_frontiers,
    write_csv,
)

TINY = math.ulp(0.0)
ROUNDING = 100 * np.finfo(float).eps


@settings(max_examples=200)
@given(
    n_arms=st.integers(1, 6),
    horizon=st.sampled_from([0, 1, 7, 1000, MOST_ROUNDS]),
    total=st.sampled_from([0.0, TINY, 0.5, 1 - 1e-12]),
    rate=st.sampled_from([0.0, TINY, 1.0, 1e9, LARGEST]),
    means=st.sampled_from([0.0, 0.5, LARGEST]),
    seed=st.integers(0, 2**32 - 1),
)
def test_regret_is_finite_and_never_negative(
    n_arms: int, horizon: int, total: float, rate: float, means: float, seed: int
) -> None:
    rng = np.random.default_rng(seed)
    mu = means * rng.choice([0.0, 0.5, 1.0], n_arms)
    tau = np.full(n_arms, total / n_arms)
    rates = rate * rng.choice([0.0, 1.0], n_arms)
    pulls = rng.multinomial(horizon, rng.dirichlet(np.full(n_arms, 0.3)), 4).astype(np.int32)
    scale = max(horizon, 1) * max(means, rate)
    regret = penalized_regret(pulls, mu, tau, rates)
    by_arm = regret_by_arm(pulls, mu, tau, rates)
    assert (regret >= -ROUNDING * scale).all()
    np.testing.assert_allclose(by_arm.sum(axis=-1), regret, rtol=0, atol=ROUNDING * scale)
    assert np.isfinite(loss(pulls, mu, tau, rates)).all()
    assert np.isfinite(expected_reward(pulls, mu)).all()
    assert (unfairness(pulls, tau, horizon) >= 0).all()
    if horizon == 0:
        assert (regret == 0).all()


def test_one_arm_pays_nothing() -> None:
    for horizon in (1, MOST_ROUNDS):
        one = (np.array([0.3]), np.array([1 - 1e-12]), np.array([LARGEST]))
        assert penalized_regret(np.array([horizon], np.int32), *one) == 0
        assert optimal_loss(*one, horizon=horizon) == 0


def test_a_frontier_without_anything_to_give_up() -> None:
    for means, fairness in (([0.5, 0.5], [0.3, 0.3]), ([0.2, 0.9], [0.0, 0.0]), ([0.7], [0.5])):
        frontier = oracle_frontier(np.array(means), np.array(fairness), 10)
        best = 10 * max(means)
        assert frontier.reward_at(np.array([0.0, 3.0, 1e300])).tolist() == [best] * 3


@pytest.mark.parametrize("wrong", [math.nan, -TINY, -math.inf])
def test_a_frontier_refuses(wrong: float) -> None:
    frontier = oracle_frontier(np.array([0.5, 0.2]), np.array([0.3, 0.3]), 10)
    with pytest.raises(BanditError, match=r"unfairness is .*: it must be >= 0"):
        frontier.reward_at(np.array([1.0, wrong]))


def outcome(policy: str, bandit: Instance, horizon: int, replicates: int) -> Outcome:
    rule = POLICIES[policy]
    tuning = None
    if rule.tuning is not None and rule.tuning.regret is not None:
        tuning = rule.tuning.regret(bandit.n_arms, horizon)
    return play([(policy, tuning)], bandit, [horizon], replicates=replicates)[0]


@pytest.mark.parametrize("replicates", [1, 2])
@pytest.mark.parametrize("policy", POLICIES)
def test_summaries_of_the_least_there_is(policy: str, replicates: int, tmp_path: Path) -> None:
    bandits = [
        Instance([0.5], 0.0, 0.0, Deterministic()),
        Instance([0.5, 0.5], 0.0, 0.0, Deterministic()),
        Instance([0.9, 0.1], [0.5, 0.5 - 1e-12], 1e9, Deterministic()),
    ]
    for bandit in bandits:
        for horizon in (1, 5):
            found = outcome(policy, bandit, horizon, replicates)
            write_replicates(tmp_path / "table.parquet", [found], {})
            (read,) = read_replicates([tmp_path / "table.parquet"])
            write_csv(summarize("least", [read]), str(tmp_path / "summary.csv"))
            table = read_summary(str(tmp_path / "summary.csv"))
            assert np.isfinite(table["mean"]).all()
            assert table.loc[table.arm.notna(), "mean"].min() >= 0
            # Nothing is random: no spread of two replicates, and none known of one.
            spread = table[["se"]].to_numpy()
            if replicates == 1:
                assert np.isnan(spread).all()
            elif POLICIES[policy].draws:
                assert (spread >= 0).all()
            else:
                assert (spread == 0).all()
            ends = table[["ci_low", "ci_high"]].to_numpy()
            middle = table[["mean"]].to_numpy()
            if replicates == 1:
                assert np.isnan(ends).all()
            elif not POLICIES[policy].draws:
                assert (ends == middle).all()
            pulls = table.query("metric == 'pulls'")["mean"]
            assert pulls.sum() == horizon
            frontier = summarize_frontiers("least", [read])
            assert np.isfinite(frontier[["unfairness", "expected_reward"]]).all(axis=None)


def test_intervals_of_the_largest_and_the_smallest_values() -> None:
    for value in (LARGEST * MOST_ROUNDS, -LARGEST * MOST_ROUNDS, TINY, 0.0):
        mean, se, half = mean_and_interval(np.full((3, 1), value))
        assert (mean[0], se[0], half[0]) == (value, 0, 0)
    mean, se, half = mean_and_interval(np.array([[LARGEST * MOST_ROUNDS], [0.0]]))
    assert np.isfinite([mean, se, half]).all()


def test_comparison_of_one_replicate_and_one_round() -> None:
    bandit = Instance([0.5, 0.5], 0.2, 1e9, Bernoulli())
    outcomes = play([("ucb1", None), ("hard_threshold_ucb", None)], bandit, [1], replicates=1)
    table = differences("least", outcomes)
    assert (table["mean"] == 0).all()
    assert table[["se", "ci_low", "ci_high"]].isna().all(axis=None)
    assert differences("least", outcomes[:1]).empty


def test_comparison_refuses() -> None:
    bandit = Instance([0.5, 0.5], 0.2, 1.0, Bernoulli())
    with pytest.raises(BanditError, match="checkpoints must be a list of at least one round"):
        play([("ucb1", None)], bandit, [], replicates=2)
    with pytest.raises(BanditError, match="replicates is 0"):
        play([("ucb1", None)], bandit, [3], replicates=0)


def command(*extra: str, policy: str = "ucb1", means: str = "0.5,0.4") -> Any:
    arguments = {"--fairness": "0.1", "--penalties": "0.2", "--horizon": "20", "--replicates": "3"}
    arguments |= dict(zip(extra[::2], extra[1::2], strict=True))
    given = [text for pair in arguments.items() for text in pair]
    return CliRunner().invoke(app, ["simulate", policy, "--means", means, *given])


@pytest.mark.parametrize(
    ("extra", "code", "message"),
    [
        (("--fairness", "nan"), 2, "'--fairness': 'nan' is not a number"),
        (("--penalties", "inf"), 2, "'--penalties': 'inf' is not a number"),
        (("--penalties", "1e13"), 1, "a value of penalties is 1e+13: at most 1e+12"),
        (("--penalties", "-1"), 1, "penalties holds -1: every value must be >= 0"),
        (("--fairness", "0.5"), 1, "fairness fractions sum to 1: the sum must be below 1"),
        (("--fairness", "0.5,0.49999999999999994"), 1, "fairness fractions sum to 1"),
        (("--fairness", "0.5,0.6"), 1, "fairness fractions sum to 1.1"),
        (("--sd", "nan"), 1, "sd of Gaussian rewards is nan"),
        (("--sd", "inf"), 1, "sd of Gaussian rewards is inf"),
        (("--sd", "1e13"), 1, "sd of Gaussian rewards is 1e+13|10000000000000"),
        (("--horizon", "0"), 2, "'--horizon'"),
        (("--horizon", "2147483648"), 2, "'--horizon'"),
        (("--horizon", "1.5"), 2, "'--horizon'"),
        (("--horizon", "nan"), 2, "'--horizon'"),
        (("--replicates", "0"), 2, "'--replicates'"),
        (("--replicates", "1.5"), 2, "'--replicates'"),
        (("--threads", "0"), 2, "'--threads'"),
        (("--seed", "-1"), 2, "'--seed'"),
        (("--checkpoints", "0"), 2, "0 is not a round from 1 to the horizon 20"),
        (("--checkpoints", "2.5"), 2, "2.5 is not a round"),
        (("--checkpoints", "1e300"), 2, "is not a round from 1 to the horizon 20"),
    ],
)
def test_the_command_line_refuses(extra: tuple[str, ...], code: int, message: str) -> None:
    result = command(*extra)
    assert result.exit_code == code, result.output
    assert result.stdout == ""
    assert any(part in result.stderr for part in message.split("|")), result.stderr
    assert len(result.stderr.splitlines()) == 1


@pytest.mark.parametrize(
    ("policy", "tuning", "message"),
    [
        ("lfg", "1e13", "η₀ of policy lfg is 1e+13|10000000000000"),
        ("lfg", "nan", "'nan' is not a number"),
        ("fair_learn", "-1", "α of policy fair_learn is -1"),
        ("explore_then_commit", "0", "m of policy explore_then_commit is 0"),
        ("explore_then_commit", "1.5", "it must be a whole number of pulls"),
    ],
)
def test_the_command_line_refuses_tunings(policy: str, tuning: str, message: str) -> None:
    result = command("--tuning", tuning, policy=policy)
    assert result.exit_code in (1, 2)
    assert any(part in result.stderr for part in message.split("|")), result.stderr


@pytest.mark.parametrize("replicates", ["1", "3"])
@pytest.mark.parametrize("horizon", ["1", "20"])
@pytest.mark.parametrize(
    ("means", "fairness", "penalties"),
    [
        ("0.5", "0.5", "0"),
        ("0.5,0.5,0.5", "0", "1e9"),
        ("0.5,0.4", "0.5,0.499999999999", "1e9,0"),
        ("1e12,-1e12", "0.1", "1e12"),
        (",".join(["0"] * 30), "0.01", "0"),
    ],
)
def test_the_command_line_plays(
    means: str, fairness: str, penalties: str, horizon: str, replicates: str, tmp_path: Path
) -> None:
    files = {"--csv": tmp_path / "table.csv", "--chart": tmp_path / "chart.svg"}
    given = {"--fairness": fairness, "--penalties": penalties, "--rewards": "deterministic"}
    given |= {"--horizon": horizon, "--replicates": replicates}
    given |= {name: str(path) for name, path in files.items()}
    arguments = [text for pair in given.items() for text in pair]
    result = command(*arguments, policy=",".join(POLICIES), means=means)
    assert result.exit_code == 0, result.output
    assert "nan" not in result.stdout
    assert "inf" not in result.stdout
    table = pd.read_csv(files["--csv"])
    assert np.isfinite(table["mean"]).all()
    assert table["se"].isna().all() if replicates == "1" else np.isfinite(table["se"]).all()
    run = simulate(
        "ucb1",
        Instance(
            [float(mean) for mean in means.split(",")],
            [float(f) for f in fairness.split(",")] if "," in fairness else float(fairness),
            0.0,
            Deterministic(),
        ),
        int(horizon),
        replicates=1,
    )
    shown = table.query("policy == 'ucb1' and metric == 'pulls'")
    assert shown["mean"].tolist() == run.pulls[0, -1].tolist()
