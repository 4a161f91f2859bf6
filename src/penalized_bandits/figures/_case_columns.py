"""Columns of a table's cases, until summaries have them."""

import pandas as pd

from penalized_bandits.experiments.names import case_name


def with_case_columns(table: pd.DataFrame) -> pd.DataFrame:
    """Add ``instance``, ``label``, ``group``, ``n_arms`` and ``law`` where they are missing."""
    if "label" in table.columns:
        return table
    case = table["case"].astype(str)
    instance = case.str.replace(r"_T\d+(_.*)?$", "", regex=True)
    n_arms = table.groupby("case")["arm"].max().astype(float).fillna(0).astype(int)
    return table.assign(
        instance=instance,
        label=instance.map({name: case_name(name) for name in instance.unique()}),
        group=case.str.extract(r"^(setting_\d+|movies_m0|[^_]+)")[0],
        n_arms=case.map(n_arms),
        law=case.str.rpartition("_")[2].where(~case.str.startswith("m0_"), "categorical"),
    )
