"""Policies compared on one bandit: the same rewards, paired differences."""

import math

import numpy as np
import pytest

from penalized_bandits import POLICIES, BanditError, Gaussian, Instance, simulate
from penalized_bandits.cli.comparison import CASE, DIFFERENCE, differences, play
from penalized_bandits.experiments.base import regret_tuning
from penalized_bandits.experiments.summaries import run_metrics
from penalized_bandits.statistics.estimates import paired_difference
from penalized_bandits.storage.summaries import COLUMNS

BANDIT = Instance([0.9, 0.6, 0.5], [0.1, 0.2, 0.2], [0.2, 0.35, 0.3], Gaussian(0.3))
WANTED = [("hard_threshold_ucb", None), ("lfg", 20.0), ("ucb1", None)]
ROUNDS = [100, 700]


def test_what_is_played_is_what_simulate_plays() -> None:
    seen: list[int] = []
    outcomes = play(WANTED, BANDIT, ROUNDS, replicates=20, seed=5, threads=2, progress=seen.append)
    assert sum(seen) == len(WANTED) * 20 * 700
    assert [(o.policy, o.tuning, o.horizon) for o in outcomes] == [
        (policy, tuning, rounds) for policy, tuning in WANTED for rounds in ROUNDS
    ]
    for i, (policy, tuning) in enumerate(WANTED):
        run = simulate(
            policy, BANDIT, 700, replicates=20, seed=5, tuning=tuning, checkpoints=ROUNDS
        )
        for c in range(2):
            outcome = outcomes[2 * i + c]
            np.testing.assert_array_equal(outcome.pulls, run.pulls[:, c])
            np.testing.assert_array_equal(outcome.max_deficit, run.max_deficits[:, c])
            assert outcome.case == CASE
            assert outcome.penalties is not None
            np.testing.assert_array_equal(outcome.penalties, [BANDIT.penalties] * 20)


def test_differences_are_paired() -> None:
    outcomes = play(WANTED, BANDIT, ROUNDS, replicates=30, seed=5)
    table = differences("a_setting", outcomes)
    assert tuple(table.columns) == COLUMNS
    assert set(table["policy"]) == {"lfg", "ucb1"}
    assert set(table["setting"]) == {"a_setting"}
    assert len(table) == 2 * 2 * 4
    for (policy, rounds), rows in table.groupby(["policy", "horizon"]):
        first = next(o for o in outcomes if o.horizon == rounds)
        other = next(o for o in outcomes if (o.policy, o.horizon) == (policy, rounds))
        for row in rows.to_dict("records"):
            metric = row["metric"].removesuffix(DIFFERENCE)
            expected = paired_difference(run_metrics(other)[metric], run_metrics(first)[metric])
            estimate = expected.difference
            found = [row["mean"], row["ci_low"], row["ci_high"]]
            np.testing.assert_allclose(
                found, [estimate.value, estimate.low, estimate.high], rtol=1e-9, atol=1e-9
            )
            assert row["n_replicates"] == 30


def test_one_policy_has_nothing_to_differ_from() -> None:
    outcomes = play(WANTED[:1], BANDIT, ROUNDS, replicates=3)
    table = differences("a_setting", outcomes)
    assert table.empty
    assert tuple(table.columns) == COLUMNS


def test_a_policy_is_compared_once() -> None:
    with pytest.raises(BanditError, match="lfg came twice"):
        play([("lfg", 1.0), ("ucb1", None), ("lfg", 2.0)], BANDIT, [10], replicates=1)


def test_the_tuning_is_that_of_setting_1() -> None:
    assert regret_tuning(POLICIES["lfg"], 5, 400) == 20
    assert regret_tuning(POLICIES["fair_learn"], 5, 400) == 0
    assert regret_tuning(POLICIES["ucb1"], 5, 400) is None
    m = regret_tuning(POLICIES["explore_then_commit"], 5, 4000)
    assert m == math.ceil((4000 / 5) ** (2 / 3) * math.log(4000) ** (1 / 3))
    # What it gives is taken.
    for policy in POLICIES.values():
        assert policy.check_tuning(regret_tuning(policy, 2, 50)) >= 0
