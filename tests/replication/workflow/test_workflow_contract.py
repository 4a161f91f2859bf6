"""The smoke run's tables, which others read, and its claims: as committed, of another config."""

import json
from dataclasses import replace
from pathlib import Path
from typing import get_args

import pandas as pd
import pytest
from typer.testing import CliRunner

from config_helpers import ROOT, load_config
from golden_claims import about, committed, measured_in
from penalized_replication.claims.base import Verdict
from penalized_replication.claims.results import PAPERS as OWN_CONFIG
from penalized_replication.claims.results import config_name, read_results, warning
from penalized_replication.claims.table.tables import to_markdown
from penalized_replication.command import app
from penalized_replication.config.model import changed_keys, read_papers
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


def test_every_metric_and_column_is_explained(smoke_run: Project) -> None:
    text = (ROOT / "results/README.md").read_text(encoding="utf-8")
    columns = pd.read_csv(ROOT / "docs/columns.csv").groupby("table")["column"].agg(set)
    summary = table_in(smoke_run, "summaries/setting_1")
    for metric in set(summary["metric"]):
        assert f"| `{metric}` |" in text, metric
    replicates = pd.read_parquet(smoke_run.folder / "results/replicates/setting_4/1of1.parquet")
    cases = columns["summaries and frontiers"]
    assert {*summary.columns} == columns["summaries"] | cases
    frontier = table_in(smoke_run, "summaries/setting_3_frontier")
    assert {*frontier.columns} == columns["frontiers"] | cases
    assert {*replicates.columns} == columns["replicates"]
    for name in ("claims", "comparisons"):
        assert {*table_in(smoke_run, f"claims/{name}").columns} == columns[name]
    beside = pd.read_csv(ROOT / "docs/published/interpretations.csv")
    assert {*beside.columns} == columns["scenarios"]


OWN = ROOT / "config/config.yaml"
SAID = "Not the paper's config, but config/config.yaml with other values of seed,"


@pytest.mark.parametrize(
    ("text", "keys"),
    [
        ("{}", []),
        ("seed: 1", ["seed"]),
        ("setting_1: {replicates: 999}", ["setting_1.replicates"]),
        ("interpretations: {lfg: original}", ["interpretations.lfg"]),
        ("movielens: {source: bundled}", ["movielens.source"]),
        ("movielens: {source: table, table: {path: mine.csv}}", ["movielens.source"]),
        ("movielens: {source: archive, archive: ml-1m.zip}", []),
        ("new_bandits: true", ["new_bandits"]),
        # How the work is done, and what else is: no verdict of the ledger stands on these.
        ("simulation: {chunks: 2}", []),
        ("pages: {notebooks: false}", []),
        # Written out, the same.
        ("interpretations: {lfg: paper}", []),
    ],
)
def test_what_makes_it_another(tmp_path: Path, text: str, keys: list[str]) -> None:
    (tmp_path / "mine.yaml").write_text(text, encoding="utf-8")
    config = load_config(OWN, tmp_path / "mine.yaml")
    assert changed_keys(config, read_papers(OWN)) == keys


def test_keys_are_named_a_few_and_counted() -> None:
    assert config_name([]) == OWN_CONFIG
    assert config_name(["seed"]) == f"{OWN_CONFIG} with other values of seed"
    named = f"{OWN_CONFIG} with other values of a, b, c and 2 keys more"
    assert config_name(list("abcde")) == named


def test_all_that_a_smoke_run_makes_says_so(smoke_run: Project) -> None:
    results = smoke_run.folder / "results"
    text = (results / "claims/claims.md").read_text(encoding="utf-8")
    assert text.replace("&#39;", "'").count(SAID) == 1
    table = pd.read_csv(results / "claims/claims.csv")
    assert [*table.columns[-2:]] == ["config", "confirmed"]
    assert {warning(name)[: len(SAID)] for name in table["config"]} == {SAID}
    for arguments in ([], ["C07"]):
        result = CliRunner().invoke(app, ["claims", *arguments, "--results", str(results)])
        assert result.exit_code == 0, result.stderr
        assert " ".join(result.stdout.split()).startswith(SAID)
    # Of the paper's config only its name is shown.
    papers = [replace(r, config=OWN_CONFIG) for r in read_results(results / "claims/claims.json")]
    assert to_markdown(papers).splitlines()[2] == f"Config: `{OWN_CONFIG}`, the paper's."
    assert "Not the paper's" not in to_markdown(papers)
    assert warning(papers[0].config) == ""


COMMITTED = committed("paper")


@pytest.mark.parametrize("claim", COMMITTED)
def test_measured_as_committed(smoke_run: Project, claim: str) -> None:
    assert measured_in(smoke_run.folder, "paper")[claim] == about(COMMITTED[claim])
