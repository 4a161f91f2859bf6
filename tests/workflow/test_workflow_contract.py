"""What others read in the results of the miniature: columns and rows."""

import json
from typing import get_args

import pandas as pd
import pytest

from config_helpers import ROOT
from miniature import EXPERIMENTS, READINGS, STUDIES, config_with
from penalized_bandits.claims import CLAIMS
from penalized_bandits.claims.base import Verdict
from workflow_helpers import Project

# Columns may be added, never renamed.
SUMMARY_COLUMNS = [
    "setting", "case", "policy", "scale", "tuning", "horizon", "arm", "metric",
    "mean", "se", "ci_low", "ci_high", "n_replicates",
]  # fmt: skip
WHOLE_RUN = {"penalized_regret", "expected_reward", "unfairness"}
PER_ARM = {"pulls", "arm_unfairness", "max_deficit"}
PAPER = {"hard_threshold_ucb", "lfg", "fair_learn"}
SETTINGS = {
    "setting_1": ({"K5_tau0.2", "K5_tau0.8"}, {*PAPER, "ucb1", "soft_threshold_ucb"}, {100, 300}),
    "setting_2": ({"case_1", "case_2"}, PAPER, {300}),
    "setting_3": ({"m0_2500"}, {*PAPER, "lfg_original"}, {300}),
    "setting_4": (
        {f"{row}_{n}" for row in ("noncritical", "critical") for n in (1, 2, 3)},
        {"hard_threshold_ucb"},
        {300},
    ),
    "setting_5": (
        {f"K5_tau0.5_{law}" for law in ("gaussian", "beta", "bernoulli")},
        {*PAPER, "lfg_original"},
        {300},
    ),
}
"""Cases, policies and horizons of each setting."""


def table_of(project: Project, name: str) -> pd.DataFrame:
    return pd.read_csv(project.folder / f"results/{name}.csv")


@pytest.mark.parametrize("experiment", EXPERIMENTS)
def test_summaries(miniature: Project, experiment: str) -> None:
    table = table_of(miniature, f"summaries/{experiment}")
    assert table.columns[: len(SUMMARY_COLUMNS)].to_list() == SUMMARY_COLUMNS
    assert set(table["setting"]) == {experiment}
    assert set(table["n_replicates"]) == {config_with({}).section(experiment).replicates}
    # Settings 3 and 5 define a penalty rate for the hard threshold only.
    assert set(table["metric"]) >= WHOLE_RUN | PER_ARM
    about_arms = table["metric"].isin(PER_ARM)
    assert (table["arm"].notna() == about_arms).all()
    assert table.loc[about_arms, "arm"].min() == 1
    assert not table.duplicated(SUMMARY_COLUMNS[: SUMMARY_COLUMNS.index("mean")]).any()
    assert (table["ci_low"] <= table["mean"]).all()
    assert (table["mean"] <= table["ci_high"]).all()
    pulls = table[table["metric"] == "pulls"]
    run = ["case", "policy", "scale", "tuning", "horizon"]
    totals = pulls.groupby(run, dropna=False)["mean"].sum().reset_index()
    assert totals["mean"].to_numpy() == pytest.approx(totals["horizon"].to_numpy())
    if experiment in STUDIES:
        # Theory is about penalized regret: all policies of a study have it.
        regret = table[table["metric"] == "penalized_regret"]
        assert set(regret["policy"]) == set(table["policy"])
        assert set(regret["case"]) == set(table["case"])
    if experiment in SETTINGS:
        found = tuple(set(table[column]) for column in ("case", "policy", "horizon"))
        assert found == SETTINGS[experiment]
        scales = {0.0, 0.5, 1.0} if experiment == "setting_2" else set()
        assert set(table["scale"].dropna()) == scales


def test_tunings_and_frontiers(miniature: Project) -> None:
    for setting in ("setting_3", "setting_5"):
        table = table_of(miniature, f"summaries/{setting}")
        assert (table.groupby(["case", "policy"])["tuning"].nunique() == 3).all()
        frontier = table_of(miniature, f"summaries/{setting}_frontier")
        columns = {"setting", "case", "horizon", "unfairness", "expected_reward"}
        assert columns <= set(frontier.columns)
        assert set(frontier["case"]) == SETTINGS[setting][0]
        for _, curve in frontier.groupby("case"):
            assert curve["unfairness"].is_monotonic_increasing
            assert curve["expected_reward"].is_monotonic_increasing
    penalty = table_of(miniature, "summaries/setting_4").groupby("case")["tuning"].unique()
    assert penalty["noncritical_2"].tolist() == [0.41]


def test_the_ledger(miniature: Project) -> None:
    folder = miniature.folder / "results/claims"
    table = table_of(miniature, "claims/claims")
    contract = ["id", "where", "statement", "rule", "estimate", "ci_low", "ci_high", "verdict"]
    assert table.columns[:9].to_list() == [*contract, "evidence"]
    assert table["id"].to_list() == list(CLAIMS)
    assert set(table["verdict"]) <= {*get_args(Verdict)}
    assert table[["where", "statement", "rule", "evidence"]].notna().all().all()
    assert (table["quantity"].notna() == (table["verdict"] != "not measured")).all()
    counted = table[["hold", "fail", "undecided", "vacuous"]].sum(axis=1)
    assert (counted == table["parts"]).all()
    parts = table_of(miniature, "claims/parts").groupby("id", sort=False).size()
    counted = table[table["parts"] > 0]
    assert parts.to_dict() == dict(zip(counted["id"], counted["parts"], strict=True))
    text = (folder / "claims.md").read_text(encoding="utf-8")
    made = miniature.files()
    for row in json.loads((folder / "claims.json").read_text(encoding="utf-8")):
        line = next(line for line in text.splitlines() if f">{row['id']} | {row['where']}" in line)
        assert f" | **{row['verdict']}** | " in line
        # What is said to be the evidence is there.
        assert any(file.startswith(row["evidence"]) for file in made), row["evidence"]


def test_the_sensitivity(miniature: Project) -> None:
    table = table_of(miniature, "claims/sensitivity")
    asked = {
        reading: [c.id for c in CLAIMS.values() if set(c.experiments) & set(touched)]
        for reading, touched in READINGS.items()
    }
    found = {name: rows["id"].to_list() for name, rows in table.groupby("reading", sort=False)}
    assert found == asked
    full = table_of(miniature, "claims/claims").set_index("id")["verdict"].loc[table["id"]]
    assert table["full_verdict"].to_list() == full.to_list()
    assert table["default_verdict"].to_list() == table["full_verdict"].to_list()
    assert (table["changed"] == (table["verdict"] != table["default_verdict"])).all()
    assert set(table["value"]) == {"n-1", "once", "fraction", "bernoulli", "original"}


def test_the_ratings(miniature: Project) -> None:
    table = table_of(miniature, "movielens/rating_counts")
    counts = [f"count_{n}" for n in range(1, 6)]
    assert table.columns[:8].to_list() == ["movie_id", "title", "n_ratings", *counts]
    assert table["n_ratings"].is_monotonic_decreasing
    assert table["n_ratings"].min() > 2500
    assert len(table) == 13
    path = miniature.folder / "results/movielens/provenance.json"
    record = json.loads(path.read_text(encoding="utf-8"))
    assert record["source_used"] == "bundled"
    assert record["retrieved_at"]
    assert "MovieLens" in record["citation"]


def test_results_readme_names_all_that_is_made(miniature: Project) -> None:
    text = (ROOT / "results/README.md").read_text(encoding="utf-8")
    tables = {name: table_of(miniature, f"summaries/{name}") for name in SETTINGS}
    for metric in {metric for table in tables.values() for metric in table["metric"]}:
        assert f"| `{metric}` |" in text, metric
    named = [tables["setting_1"]]
    named.append(pd.read_parquet(miniature.folder / "results/replicates/setting_4/1of1.parquet"))
    for name in ("claims", "parts", "sensitivity"):
        assert f"{name}.csv" in text
        named.append(table_of(miniature, f"claims/{name}"))
    for column in {column for table in named for column in table.columns}:
        assert f"`{column}`" in text, column
