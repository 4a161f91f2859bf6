"""Summaries: columns of the contract, means, errors, intervals, and numbers at the edge."""

import math
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import outcome_factories
import penalized_bandits as pb
from outcome_factories import info_of
from penalized_bandits.common.errors import LARGEST, MOST_ROUNDS
from penalized_bandits.statistics.summaries import mean_and_interval
from penalized_bandits.theory.inputs import instance_of
from penalized_replication.storage.replicates import Outcome, read_replicates, write_replicates
from penalized_replication.storage.tables import read_table, write_csv
from penalized_replication.summaries import FRONTIER_POINTS, summarize, summarize_frontiers

FIELDS = {
    "case": "a",
    "instance": "a",
    "label": "an a",
    "group": "b",
    "n_arms": 3,
    "total_fairness": 0.75,
    "law": "gaussian",
}

MEANS, FAIRNESS, PENALTIES = (0.9, 0.7, 0.2), (0.2, 0.3, 0.25), (0.5, 0.4, 0.3)


def outcome(pulls: list[list[int]], means: object = MEANS, *, penalized: bool = True) -> Outcome:
    counts, rates = np.array(pulls, dtype=np.float64), PENALTIES if penalized else None
    given: dict[str, Any] = {"policy": "lfg", "scale": 0.5, "tuning": 3.0}
    given |= {"case": info_of("a", FAIRNESS, label="an a", group="b"), "max_deficit": counts / 10}
    return outcome_factories.outcome(counts[:, 1:], 100, np.array(means), FAIRNESS, rates, **given)


PULLS = [[85, 10, 5], [15, 50, 35], [70, 30, 0]]


def value(table: pd.DataFrame, metric: str, arm: int | None = None) -> pd.Series:
    chosen = table["arm"].isna() if arm is None else table["arm"] == arm
    rows = table[(table["metric"] == metric) & chosen.fillna(False)]
    assert len(rows) == 1
    return rows.iloc[0]


def test_metrics_by_hand() -> None:
    table = summarize("setting_5", [outcome(PULLS)])
    for metric, arm, values in (
        # See test_regret.py for the arithmetic of these three runs.
        ("penalized_regret", None, [6.0, 23.5, 0.0]),
        # 0.9 * 85 + 0.7 * 10 + 0.2 * 5 = 84.5;  0.9 * 15 + 0.7 * 50 + 0.2 * 35 = 55.5
        ("expected_reward", None, [84.5, 55.5, 84.0]),
        ("unfairness", None, [40.0, 5.0, 25.0]),
        ("pulls", 1, [85, 15, 70]),
        ("pulls", 3, [5, 35, 0]),
        ("arm_unfairness", 2, [20, 0, 0]),
        ("arm_unfairness", 3, [20, 0, 25]),
        ("max_deficit", 2, [1.0, 5.0, 3.0]),
    ):
        row = value(table, metric, arm)
        low, high = stats.t.interval(0.95, 2, np.mean(values), stats.sem(values))
        assert row["mean"] == pytest.approx(np.mean(values), abs=1e-12)
        assert row["se"] == pytest.approx(stats.sem(values))
        assert (row["ci_low"], row["ci_high"]) == pytest.approx((low, high))


def test_fields_of_the_case_and_no_regret_without_penalties() -> None:
    table = summarize("setting_5", [outcome(PULLS), outcome(PULLS[:2], penalized=False)])
    for column, field in FIELDS.items():
        assert set(table[column]) == {field}
    regret = table[table["metric"] == "penalized_regret"]
    assert regret["n_replicates"].tolist() == [3]


def test_parameters_of_each_arm() -> None:
    table = summarize("setting_5", [outcome(PULLS)])
    for arm, gap, fraction, rate in ((1, 0.0, 0.2, 0.5), (2, 0.2, 0.3, 0.4), (3, 0.7, 0.25, 0.3)):
        row = value(table, "pulls", arm)
        shown = (row["gap"], row["fairness_fraction"], row["penalty_rate"])
        assert shown == pytest.approx((gap, fraction, rate))
    whole_run = value(table, "unfairness")
    assert whole_run[["gap", "fairness_fraction", "penalty_rate"]].isna().all()


def test_csv_round_trip(tmp_path: Path) -> None:
    table = summarize("setting_5", [outcome(PULLS), outcome(PULLS[:1], penalized=False)])
    path = tmp_path / "summary.csv"
    write_csv(table, str(path))
    back = read_table(path)
    pd.testing.assert_frame_equal(back, table, check_exact=True, check_dtype=False)
    assert back["arm"].dtype == "Int64"
    # Arms are written as whole numbers, and as nothing where there is none.
    text = path.read_text()
    assert ",100,1,pulls," in text
    assert ",100,,expected_reward," in text


def test_frontier_of_an_outcome() -> None:
    # Two policies on one case and horizon have one frontier.
    table = summarize_frontiers("setting_5", [outcome(PULLS), outcome(PULLS)])
    assert list(table.columns)[: 1 + len(FIELDS)] == ["setting", *FIELDS]
    assert {"horizon", "unfairness", "expected_reward"} <= {*table.columns}
    # As the replicates are of one bandit, there is one corner for each arm with a gap.
    assert len(table) == FRONTIER_POINTS + 2
    assert set(table["case"]) == {"a"}
    # Fair reward 90 - 0.2 * 30 - 0.7 * 25 = 66.5; all given up: 90 at unfairness 75.
    first, last = table.iloc[0], table.iloc[-1]
    assert (first["unfairness"], first["expected_reward"]) == pytest.approx((0.0, 66.5))
    assert (last["unfairness"], last["expected_reward"]) == pytest.approx((75.0, 90.0))
    assert set(table["n_replicates"]) == {3}


def test_frontier_of_different_bandits_is_that_of_averages() -> None:
    varied = outcome(PULLS[:2], [MEANS, MEANS[::-1]])
    table = summarize_frontiers("setting_5", [varied])
    # Fair: 66.5 and 90 - 0.7 * 20 - 0.2 * 30 = 70; the average is 68.25.
    assert table["expected_reward"].iloc[0] == pytest.approx(68.25)
    assert table["expected_reward"].iloc[-1] == pytest.approx(90.0)


TINY = math.ulp(0.0)


@pytest.mark.parametrize("wrong", [math.nan, -TINY, -math.inf])
def test_a_frontier_refuses(wrong: float) -> None:
    frontier = pb.oracle_frontier(instance_of([0.5, 0.2], 0.3), 10)
    with pytest.raises(pb.BanditError, match=r"unfairness (holds .*at least 0|is not finite)"):
        frontier.reward_at(np.array([1.0, wrong]))


@pytest.mark.parametrize("replicates", [1, 2])
def test_summaries_of_the_least_there_is(replicates: int, tmp_path: Path) -> None:
    bandits = [
        pb.Instance([0.5], 0.0, 0.0, pb.Deterministic()),
        pb.Instance([0.5, 0.5], 0.0, 0.0, pb.Deterministic()),
        pb.Instance([0.9, 0.1], [0.5, 0.5 - 1e-12], 1e9, pb.Deterministic()),
    ]
    for bandit in bandits:
        for horizon in (1, 5):
            pulls = pb.simulate("ucb1", bandit, horizon, replicates=replicates).pulls[:, -1]
            given = bandit.means, bandit.fairness, bandit.penalties
            found = outcome_factories.outcome(pulls[:, 1:].astype(np.float64), horizon, *given)
            write_replicates(tmp_path / "table.parquet", [found], {})
            (read,) = read_replicates([tmp_path / "table.parquet"])
            write_csv(summarize("least", [read]), str(tmp_path / "summary.csv"))
            table = read_table(tmp_path / "summary.csv")
            assert np.isfinite(table["mean"]).all()
            assert table.loc[table.arm.notna(), "mean"].min() >= 0
            # Nothing is random: no spread of two replicates, and none known of one.
            ends = table[["se", "ci_low", "ci_high"]]
            if replicates == 1:
                assert ends.isna().all(axis=None)
            else:
                nothing = table.assign(se=0.0, ci_low=table["mean"], ci_high=table["mean"])
                assert ends.equals(nothing[ends.columns])
            assert table.query("metric == 'pulls'")["mean"].sum() == horizon
            frontier = summarize_frontiers("least", [read])
            assert np.isfinite(frontier[["unfairness", "expected_reward"]]).all(axis=None)


def test_intervals_of_the_largest_and_the_smallest_values() -> None:
    for value in (LARGEST * MOST_ROUNDS, -LARGEST * MOST_ROUNDS, TINY, 0.0):
        mean, se, half = mean_and_interval(np.full((3, 1), value))
        assert (mean[0], se[0], half[0]) == (value, 0, 0)
    mean, se, half = mean_and_interval(np.array([[LARGEST * MOST_ROUNDS], [0.0]]))
    assert np.isfinite([mean, se, half]).all()
