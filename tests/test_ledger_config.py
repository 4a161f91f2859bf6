"""Whatever shows verdicts says when they are not of the paper's config."""

import json
from pathlib import Path

import pandas as pd
import pytest
from typer.testing import CliRunner

from penalized_bandits.claims.ledger import PAPERS, config_name, to_markdown, warning
from penalized_bandits.cli import app
from penalized_bandits.config import load_config
from penalized_bandits.pages.origin import changed_keys
from workflow_helpers import (
    ROOT,
    Project,
    fresh_fixture,  # noqa: F401  (miniature is made from it)
    miniature_fixture,  # noqa: F401
)

OWN = ROOT / "config/config.yaml"
SAID = "Not the paper's config, but config/config.yaml with other values of seed,"


def changed(folder: Path, text: str) -> list[str]:
    (folder / "mine.yaml").write_text(text, encoding="utf-8")
    return changed_keys(load_config(OWN, folder / "mine.yaml"), str(OWN))


def test_the_config_as_shipped_is_the_papers() -> None:
    assert changed_keys(load_config(OWN), str(OWN)) == []
    assert config_name([]) == PAPERS


@pytest.mark.parametrize(
    ("text", "keys"),
    [
        ("seed: 1", ["seed"]),
        ("setting_1: {replicates: 999}", ["setting_1.replicates"]),
        ("readings: {lfg: original}", ["readings.lfg"]),
        ("movielens: {source: bundled}", ["movielens.source"]),
        # How the work is done, and what else is: no verdict of the ledger stands on these.
        ("simulation: {jobs: all}", []),
        ("movielens: {retries: 0}", []),
        ("sensitivity: {replicates: 8}", []),
        ("pages: {notebooks: false}", []),
        # Written out, the same.
        ("readings: {lfg: paper}", []),
    ],
)
def test_what_makes_it_another(tmp_path: Path, text: str, keys: list[str]) -> None:
    assert changed(tmp_path, text) == keys


def test_keys_are_named_a_few_and_counted() -> None:
    assert config_name(["seed"]) == f"{PAPERS} with other values of seed"
    assert config_name(list("abcde")) == f"{PAPERS} with other values of a, b, c and 2 keys more"


def rows(project: Project) -> list[dict[str, object]]:
    path = project.folder / "results/claims/claims.json"
    return json.loads(path.read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    "name", ["claims/claims.md", "claims/claims.html", "figures/sensitivity.md"]
)
def test_a_miniature_says_so(miniature: Project, name: str) -> None:
    text = (miniature.folder / "results" / name).read_text(encoding="utf-8")
    # Once, or at the head and on the page of each claim.
    times = 1 + len(rows(miniature)) if name == "claims/claims.md" else 1
    assert text.replace("&#39;", "'").count(SAID) == times


def test_tables_of_a_miniature_say_so(miniature: Project) -> None:
    table = pd.read_csv(miniature.folder / "results/claims/claims.csv")
    assert table.columns[-1] == "config"
    assert {warning({"config": name})[: len(SAID)] for name in table["config"]} == {SAID}


@pytest.mark.parametrize("arguments", [[], ["C07"]])
def test_the_command_says_so(miniature: Project, arguments: list[str]) -> None:
    words = ["claims", *arguments, "--results", str(miniature.folder / "results")]
    result = CliRunner().invoke(app, words)
    assert result.exit_code == 0, result.stderr
    assert SAID in " ".join(result.stdout.split())


def test_of_the_papers_config_only_its_name_is_said(miniature: Project) -> None:
    papers = [{**row, "config": PAPERS} for row in rows(miniature)]
    assert to_markdown(papers).splitlines()[2] == f"Config: `{PAPERS}`, the paper's."
    assert "Not the paper's" not in to_markdown(papers)
    assert warning(papers[0]) == ""
