"""Summaries of replicates: means, standard errors and intervals.

Intervals are Student's t over replicates, which are independent: at each cell they
cover the mean over new rewards and, where means are drawn for each replicate, over new
instances.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np
import pandas as pd

from penalized_bandits.bandit import regret
from penalized_bandits.bandit.frontier import oracle_frontier
from penalized_bandits.common.typing import FloatArray
from penalized_bandits.storage.replicates import Outcome
from penalized_bandits.storage.summaries import COLUMNS

FRONTIER_POINTS = 201


def mean_and_interval(values: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return mean, standard error and half width of the t-interval over axis 0.

    With one replicate there is no spread to go by: error and half width are NaN.
    """
    # Imports scipy, for which those who only read summaries need not wait.
    from penalized_bandits.statistics.estimates import student

    n = len(values)
    mean = values.mean(axis=0)
    if n == 1:
        return mean, np.full_like(mean, np.nan), np.full_like(mean, np.nan)
    se = values.std(axis=0, ddof=1) / np.sqrt(n)
    return mean, se, student(n) * se


def run_metrics(outcome: Outcome) -> dict[str, FloatArray]:
    """Whole-run metrics of each replicate, shape (R,)."""
    pulls, bandits = outcome.pulls, outcome.bandits
    reward = regret.expected_reward(pulls, bandits)
    metrics = {
        "expected_reward": reward,
        "reward_loss": outcome.horizon * bandits.means.max(axis=1) - reward,
        "unfairness": regret.unfairness(pulls, bandits),
    }
    if outcome.penalties is not None:
        metrics = {"penalized_regret": regret.penalized_regret(pulls, bandits), **metrics}
    return metrics


def rows_of(
    setting: str,
    outcome: Outcome,
    metrics: dict[str, FloatArray],
    subjects: Sequence[dict[str, Any]] = ({"arm": None},),
) -> Iterator[dict[str, Any]]:
    """Yield a row of the table contract for each metric and subject: a whole run, or its arms.

    The values of a metric have the shape (R,), or (R, K) for arms.
    """
    for metric, values in metrics.items():
        by_subject = values.reshape(len(values), -1)
        mean, se, half = mean_and_interval(by_subject)
        statistics = {"mean": mean, "se": se, "ci_low": mean - half, "ci_high": mean + half}
        for subject, *row in zip(subjects, *statistics.values(), strict=True):
            yield {
                "setting": setting,
                **outcome.info.columns(),
                "policy": outcome.policy,
                "scale": outcome.scale,
                "tuning": outcome.tuning,
                "horizon": outcome.horizon,
                **subject,
                "metric": metric,
                **dict(zip(statistics, map(float, row), strict=True)),
                "n_replicates": len(values),
            }


def _rows(setting: str, outcome: Outcome) -> Iterator[dict[str, Any]]:
    penalties = outcome.penalties
    arms = [
        {"arm": arm, "gap": gap, "fairness_fraction": fraction, "penalty_rate": rate}
        for arm, gap, fraction, rate in zip(
            range(1, outcome.fairness.size + 1),
            outcome.bandits.gaps.mean(axis=0).tolist(),
            outcome.fairness.tolist(),
            [None] * outcome.fairness.size if penalties is None else penalties.mean(axis=0),
            strict=True,
        )
    ]
    yield from rows_of(setting, outcome, run_metrics(outcome))
    by_arm = {
        "pulls": outcome.pulls.astype(np.float64),
        "arm_unfairness": regret.shortfall(outcome.pulls, outcome.bandits),
        "max_deficit": outcome.max_deficit,
    }
    yield from rows_of(setting, outcome, by_arm, arms)


def table_of(rows: Iterable[dict[str, Any]]) -> pd.DataFrame:
    """Return rows of `rows_of` as a table in the columns of the contract (``COLUMNS``)."""
    return pd.DataFrame(list(rows), columns=list(COLUMNS)).astype({"arm": "Int64"})


def summarize(setting: str, outcomes: Iterable[Outcome]) -> pd.DataFrame:
    """Summarise outcomes in the columns of the table contract (``COLUMNS``).

    ``gap``, ``fairness_fraction`` and ``penalty_rate`` are the arm's own, averaged over
    replicates where they are drawn.
    """
    return table_of(row for outcome in outcomes for row in _rows(setting, outcome))


def _frontier_of(setting: str, outcome: Outcome) -> pd.DataFrame:
    frontier = oracle_frontier(outcome.bandits, outcome.horizon)
    levels = np.linspace(0, frontier.unfairness[-1], FRONTIER_POINTS)
    if frontier.unfairness.size <= FRONTIER_POINTS:
        levels = np.union1d(levels, frontier.unfairness)
    return pd.DataFrame(
        {
            "setting": setting,
            **outcome.info.columns(),
            "horizon": outcome.horizon,
            "unfairness": levels,
            "expected_reward": frontier.reward_at(levels),
            "n_replicates": len(outcome.pulls),
        }
    )


def summarize_frontiers(setting: str, outcomes: Iterable[Outcome]) -> pd.DataFrame:
    """Return the oracle frontier of each case: evenly spaced, and its corners if few.

    Columns: setting, those of the case, horizon, unfairness, expected_reward, n_replicates; the
    instances are those of the replicates.
    """
    tables: dict[tuple[str, int], pd.DataFrame] = {}
    for outcome in outcomes:
        case = (outcome.case, outcome.horizon)
        if case not in tables:
            tables[case] = _frontier_of(setting, outcome)
    return pd.concat(tables.values(), ignore_index=True)
