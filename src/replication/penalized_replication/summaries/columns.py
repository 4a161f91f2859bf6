"""Columns of summaries, and summaries read back."""

import pandas as pd

from penalized_replication.storage import cases
from penalized_replication.storage.tables import read_table

COLUMNS = (
    *("setting", *cases.COLUMNS),
    *("policy", "scale", "tuning", "horizon", "arm"),
    *("metric", "mean", "se", "ci_low", "ci_high", "n_replicates"),
    *("gap", "fairness_fraction", "penalty_rate"),
)
"""Columns of summaries: run, arm, metric, estimate, and the numbers of the arm."""


def read_summary(path: str) -> pd.DataFrame:
    """Read a summary back."""
    return read_table(path, {"arm": "Int64"})
