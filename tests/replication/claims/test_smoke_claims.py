"""Claims of the smoke run: measured as committed, and shown as those of another config.

The research has the first for its own.
"""

from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest
from typer.testing import CliRunner

from config_helpers import ROOT, load_config
from golden_claims import about, committed, measured_in
from penalized_replication.claims.results import PAPERS, config_name, read_results, warning
from penalized_replication.claims.table.tables import to_markdown
from penalized_replication.command import app
from penalized_replication.config.differences import changed_keys, read_papers
from workflow_helpers import Project

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
    assert config_name([]) == PAPERS
    assert config_name(["seed"]) == f"{PAPERS} with other values of seed"
    assert config_name(list("abcde")) == f"{PAPERS} with other values of a, b, c and 2 keys more"


def test_all_that_a_smoke_run_makes_says_so(smoke_run: Project) -> None:
    results = smoke_run.folder / "results"
    text = (results / "claims/claims.md").read_text(encoding="utf-8")
    assert text.replace("&#39;", "'").count(SAID) == 1
    table = pd.read_csv(results / "claims/claims.csv")
    assert table.columns[-1] == "config"
    assert {warning(name)[: len(SAID)] for name in table["config"]} == {SAID}
    for arguments in ([], ["C07"]):
        result = CliRunner().invoke(app, ["claims", *arguments, "--results", str(results)])
        assert result.exit_code == 0, result.stderr
        assert " ".join(result.stdout.split()).startswith(SAID)
    # Of the paper's config only its name is shown.
    papers = [replace(r, config=PAPERS) for r in read_results(results / "claims/claims.json")]
    assert to_markdown(papers).splitlines()[2] == f"Config: `{PAPERS}`, the paper's."
    assert "Not the paper's" not in to_markdown(papers)
    assert warning(papers[0].config) == ""


COMMITTED = committed("paper")


@pytest.mark.parametrize("claim", COMMITTED)
def test_measured_as_committed(smoke_run: Project, claim: str) -> None:
    assert measured_in(smoke_run.folder, "paper")[claim] == about(COMMITTED[claim])
