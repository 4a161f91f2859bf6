"""Summaries of replicates in the columns that others read, and the oracle's frontier."""

from collections.abc import Iterable

import numpy as np
import pandas as pd

from penalized_bandits.bandit.frontier import oracle_frontier
from penalized_bandits.statistics.summaries import CEILINGS, run_rows
from penalized_replication.storage import cases
from penalized_replication.storage.replicates import Outcome

COLUMNS = (
    *("setting", *cases.COLUMNS),
    *("policy", "scale", "tuning", "horizon", "arm"),
    *("metric", "mean", "se", "ci_low", "ci_high", "n_replicates"),
    *("gap", "fairness_fraction", "penalty_rate"),
)
"""Columns of summaries: run, arm, metric, estimate, and the numbers of the arm."""
FRONTIER_POINTS = 201


def summarize(setting: str, outcomes: Iterable[Outcome]) -> pd.DataFrame:
    """Return summaries in ``COLUMNS``; numbers of arms are means of replicates where drawn."""
    rows = []
    for outcome in outcomes:
        run = {name: getattr(outcome, name) for name in ("policy", "scale", "tuning", "horizon")}
        about = {"setting": setting, **outcome.info.columns(), **run}
        penalized = outcome.penalties is not None
        rows += run_rows(about, outcome.pulls, outcome.max_deficit, outcome.bandits, penalized)
    more = CEILINGS if any(CEILINGS[0] in row for row in rows) else ()
    return pd.DataFrame(rows, columns=[*COLUMNS, *more]).astype({"arm": "Int64"})


def summarize_frontiers(setting: str, outcomes: Iterable[Outcome]) -> pd.DataFrame:
    """Return the oracle frontier of each case: evenly spaced, and its corners if few."""
    tables: dict[tuple[str, int], pd.DataFrame] = {}
    for outcome in outcomes:
        if (case := (outcome.case, outcome.horizon)) in tables:
            continue
        frontier = oracle_frontier(outcome.bandits, outcome.horizon)
        levels = np.linspace(0, frontier.unfairness[-1], FRONTIER_POINTS)
        if frontier.unfairness.size <= FRONTIER_POINTS:
            levels = np.union1d(levels, frontier.unfairness)
        about = {"setting": setting, **outcome.info.columns(), "horizon": outcome.horizon}
        curve = {"unfairness": levels, "expected_reward": frontier.reward_at(levels)}
        tables[case] = pd.DataFrame({**about, **curve, "n_replicates": len(outcome.pulls)})
    return pd.concat(tables.values(), ignore_index=True)
