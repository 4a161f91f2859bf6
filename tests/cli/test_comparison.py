"""Policies compared on one bandit: the same rewards, paired differences."""

import pytest

from penalized_bandits import Gaussian, Instance
from penalized_bandits.cli.comparison import DIFFERENCE, differences, play
from penalized_bandits.experiments.summaries import run_metrics
from penalized_bandits.statistics.estimates import paired_difference
from penalized_bandits.storage.summaries import COLUMNS

BANDIT = Instance([0.9, 0.6, 0.5], [0.1, 0.2, 0.2], [0.2, 0.35, 0.3], Gaussian(0.3))
WANTED = [("hard_threshold_ucb", None), ("lfg", 20.0), ("ucb1", None)]
ROUNDS = [100, 700]


def test_differences_are_paired() -> None:
    outcomes = play(WANTED, BANDIT, ROUNDS, replicates=30, seed=5)
    table = differences("a_setting", outcomes)
    assert tuple(table.columns) == COLUMNS
    assert set(table["policy"]) == {"lfg", "ucb1"}
    assert set(table["setting"]) == {"a_setting"}
    assert len(table) == 2 * 2 * 4
    alone = differences("a_setting", outcomes[:2])
    assert (len(alone), tuple(alone.columns)) == (0, COLUMNS)
    for (policy, rounds), rows in table.groupby(["policy", "horizon"]):
        first = next(o for o in outcomes if o.horizon == rounds)
        other = next(o for o in outcomes if (o.policy, o.horizon) == (policy, rounds))
        for row in rows.to_dict("records"):
            metric = row["metric"].removesuffix(DIFFERENCE)
            expected = paired_difference(run_metrics(other)[metric], run_metrics(first)[metric])
            one = expected.difference
            found = [row["mean"], row["ci_low"], row["ci_high"]]
            assert found == pytest.approx([one.value, one.low, one.high], rel=1e-9, abs=1e-9)
            assert row["n_replicates"] == 30
