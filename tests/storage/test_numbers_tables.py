"""Numbers at the edge in what is computed from pulls: regret, frontier, tables, command line."""

import math
from pathlib import Path

import numpy as np
import pytest

from penalized_bandits import (
    POLICIES,
    BanditError,
    Deterministic,
    Instance,
    optimal_loss,
    oracle_frontier,
    penalized_regret,
)
from penalized_bandits.cli.comparison import play
from penalized_bandits.common.errors import LARGEST, MOST_ROUNDS
from penalized_bandits.experiments.base import regret_tuning
from penalized_bandits.experiments.summaries import (
    mean_and_interval,
    summarize,
    summarize_frontiers,
)
from penalized_bandits.storage.replicates import read_replicates, write_replicates
from penalized_bandits.storage.summaries import read_summary, write_csv
from penalized_bandits.theory.inputs import instance_of
from strategies import EACH

TINY = math.ulp(0.0)


def test_one_arm_pays_nothing() -> None:
    for horizon in (1, MOST_ROUNDS):
        bandit = instance_of([0.3], 1 - 1e-12, LARGEST)
        assert penalized_regret(np.array([horizon], np.int32), bandit) == 0
        assert optimal_loss(bandit, horizon) == 0


@pytest.mark.parametrize("wrong", [math.nan, -TINY, -math.inf])
def test_a_frontier_refuses(wrong: float) -> None:
    frontier = oracle_frontier(instance_of([0.5, 0.2], 0.3), 10)
    with pytest.raises(BanditError, match=r"unfairness (holds .*at least 0|is not finite)"):
        frontier.reward_at(np.array([1.0, wrong]))


@pytest.mark.parametrize("replicates", [1, 2])
@pytest.mark.parametrize("policy", EACH)
def test_summaries_of_the_least_there_is(policy: str, replicates: int, tmp_path: Path) -> None:
    bandits = [
        Instance([0.5], 0.0, 0.0, Deterministic()),
        Instance([0.5, 0.5], 0.0, 0.0, Deterministic()),
        Instance([0.9, 0.1], [0.5, 0.5 - 1e-12], 1e9, Deterministic()),
    ]
    for bandit in bandits:
        for horizon in (1, 5):
            wanted = [(policy, regret_tuning(POLICIES[policy], bandit.n_arms, horizon))]
            found = play(wanted, bandit, [horizon], replicates=replicates)
            write_replicates(tmp_path / "table.parquet", found, {})
            (read,) = read_replicates([tmp_path / "table.parquet"])
            write_csv(summarize("least", [read]), str(tmp_path / "summary.csv"))
            table = read_summary(str(tmp_path / "summary.csv"))
            assert np.isfinite(table["mean"]).all()
            assert table.loc[table.arm.notna(), "mean"].min() >= 0
            # Nothing is random: no spread of two replicates, and none known of one.
            ends = table[["se", "ci_low", "ci_high"]]
            if replicates == 1:
                assert ends.isna().all(axis=None)
            elif not POLICIES[policy].draws:
                nothing = table.assign(se=0.0, ci_low=table["mean"], ci_high=table["mean"])
                assert ends.equals(nothing[ends.columns])
            else:
                assert (ends["se"] >= 0).all()
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
