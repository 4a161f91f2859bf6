"""Columns and rows of the smoke run's tables, which others read."""

import json
from typing import get_args

import pandas as pd
import pytest

from config_helpers import ROOT
from penalized_replication.claims.base import Verdict
from penalized_replication.experiments.catalogue import EXPERIMENTS, STUDIES
from smoke_run import PAPERS, config_with
from workflow_helpers import Project

CONFIG = config_with({})
# Columns may be added, never renamed.
RUN = ["setting", "case", "policy", "scale", "tuning", "horizon"]
SUMMARY_COLUMNS = [*RUN, "arm", "metric", "mean", "se", "ci_low", "ci_high", "n_replicates"]
WHOLE_RUN = {"penalized_regret", "expected_reward", "unfairness"}
PER_ARM = {"pulls", "arm_unfairness", "max_deficit"}


def table_in(project: Project, name: str) -> pd.DataFrame:
    return pd.read_csv(project.folder / f"results/{name}.csv")


@pytest.mark.parametrize("experiment", EXPERIMENTS)
def test_summaries(smoke_run: Project, experiment: str) -> None:
    section = CONFIG.section(experiment)
    table = table_in(smoke_run, f"summaries/{experiment}")
    assert [name for name in table.columns if name in SUMMARY_COLUMNS] == SUMMARY_COLUMNS
    assert set(table["setting"]) == {experiment}
    assert set(table["n_replicates"]) == {section.replicates}
    assert set(table["metric"]) >= WHOLE_RUN | PER_ARM
    about_arms = table["metric"].isin(PER_ARM)
    assert (table["arm"].notna() == about_arms).all()
    assert table.loc[about_arms, "arm"].min() == 1
    assert not table.duplicated([*RUN, "arm", "metric"]).any()
    pulls = table[table["metric"] == "pulls"]
    totals = pulls.groupby(RUN, dropna=False)["mean"].sum().reset_index()
    assert totals["mean"].to_numpy() == pytest.approx(totals["horizon"].to_numpy())
    if hasattr(section, "tuning_values"):
        n_tunings = table.groupby(["case", "policy"])["tuning"].nunique()
        assert set(n_tunings) == {section.tuning_values}
    if hasattr(section, "policies"):
        assert set(table["policy"]) == set(section.policies)
    if hasattr(section, "horizon"):
        assert set(table["horizon"]) == {section.horizon}
    if experiment in STUDIES:
        # Theory is about penalized regret: all policies of a study have it.
        regret = table[table["metric"] == "penalized_regret"]
        assert set(regret["policy"]) == set(table["policy"])
        assert set(regret["case"]) == set(table["case"])


def test_the_claims_table(smoke_run: Project) -> None:
    folder = smoke_run.folder / "results/claims"
    table = table_in(smoke_run, "claims/claims")
    contract = ["id", "where", "statement", "rule", "estimate", "ci_low", "ci_high", "verdict"]
    assert table.columns[:9].to_list() == [*contract, "evidence"]
    assert table["id"].to_list() == PAPERS
    assert set(table["verdict"]) <= {*get_args(Verdict)}
    assert table[["where", "statement", "rule", "evidence"]].notna().all().all()
    assert (table["quantity"].notna() == (table["verdict"] != "not measured")).all()
    counted = table[["hold", "fail", "negligible", "undecided", "vacuous"]].sum(axis=1)
    assert (counted == table["comparisons"]).all()
    comparisons = table_in(smoke_run, "claims/comparisons").groupby("id", sort=False).size()
    counted = table[table["comparisons"] > 0]
    assert comparisons.to_dict() == dict(zip(counted["id"], counted["comparisons"], strict=True))
    text = (folder / "claims.md").read_text(encoding="utf-8")
    made = smoke_run.files()
    for row in json.loads((folder / "claims.json").read_text(encoding="utf-8")):
        said = f" | {row['where']} | {row['statement']} | **{row['verdict']}** | "
        if row["verdict"] == "holds by algebra":
            said = f" ({row['where']}): {row['statement']}"
        assert f"</a>{row['id']}{said}" in text
        # What is said to be the evidence is there.
        assert any(file.startswith(row["evidence"]) for file in made), row["evidence"]


def test_results_readme_names_all_that_is_made(smoke_run: Project) -> None:
    text = (ROOT / "results/README.md").read_text(encoding="utf-8")
    summary = table_in(smoke_run, "summaries/setting_1")
    for metric in set(summary["metric"]):
        assert f"| `{metric}` |" in text, metric
    replicates = pd.read_parquet(smoke_run.folder / "results/replicates/setting_4/1of1.parquet")
    claims = [table_in(smoke_run, f"claims/{name}") for name in ("claims", "comparisons")]
    beside = pd.read_csv(ROOT / "docs/published/interpretations.csv")
    for table in (summary, replicates, *claims, beside):
        for column in table.columns:
            assert f"`{column}`" in text, column
