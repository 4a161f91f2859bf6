"""``penalized-bandits figure``: the workflow's figures, one at a time."""

import re
from pathlib import Path

import pandas as pd
import pytest
from typer.testing import CliRunner, Result

from config_helpers import CONFIG
from penalized_bandits.cli import app
from penalized_bandits.cli.values import FORMATS
from penalized_bandits.experiments.base import Readings
from penalized_bandits.figures import ALL_FIGURES
from penalized_bandits.figures.base import CaptionContext, save_figure
from penalized_bandits.figures.tables import tables_of
from penalized_bandits.storage.summaries import COLUMNS, write_csv


def run(results: Path, *arguments: str) -> Result:
    return CliRunner().invoke(app, ["figure", *arguments, "--results", str(results)])


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return results with the one table of Figure 1."""
    rows = [
        {
            "setting": "setting_1",
            "case": case,
            "policy": policy,
            "horizon": horizon,
            "metric": "penalized_regret",
            "mean": place * horizon**0.5,
            "se": 0.5,
            "ci_low": place * horizon**0.5 - 1,
            "ci_high": place * horizon**0.5 + 1,
            "n_replicates": 20,
        }
        for case in ("K5_tau0.2", "K20_tau0.2")
        for place, policy in enumerate(("hard_threshold_ucb", "lfg"), start=1)
        for horizon in (500, 1000, 2000)
    ]
    folder = tmp_path_factory.mktemp("results")
    write_csv(pd.DataFrame(rows, columns=list(COLUMNS)), str(folder / "summaries/setting_1.csv"))
    return folder


def test_the_figure_is_the_workflows(results: Path, tmp_path: Path) -> None:
    section = CONFIG.section("setting_1").model_dump()
    tables = {"summary": str(results / "summaries/setting_1.csv")}
    target, folder = tmp_path / "figure_1", tmp_path / "a folder"
    context = CaptionContext(section, Readings())
    save_figure(ALL_FIGURES["figure_1"], tables, context, target)
    assert {path.suffix for path in tmp_path.iterdir()} == {*FORMATS, ".md"}
    folder.mkdir()
    for name, suffix in zip(("1", "figure_1", "1"), FORMATS, strict=True):
        made = folder / f"mine{suffix}"
        result = run(results, name, "--output", str(made))
        assert result.exit_code == 0, result.stderr
        assert (result.stdout, result.stderr) == ("", f"{made} written\n")
        assert made.read_bytes() == target.with_suffix(suffix).read_bytes()
    # Nothing but the files asked for.
    assert len(list(folder.iterdir())) == len(FORMATS)


def test_missing_tables_are_named(tmp_path: Path) -> None:
    for name, figure in ALL_FIGURES.items():
        result = run(tmp_path, name, "--output", str(tmp_path / "a.png"))
        assert (result.exit_code, result.stdout) == (1, "")
        assert result.stderr.count("\n") == 1
        assert all(str(tmp_path / path) in result.stderr for path in tables_of(figure).values())
        assert result.stderr.endswith(f" with 'snakemake --cores all {name}'\n")
    assert not (tmp_path / "a.png").exists()


def test_only_what_is_missing_is_named(results: Path, tmp_path: Path) -> None:
    (tmp_path / "summaries").mkdir()
    (tmp_path / "summaries/setting_3.csv").touch()
    result = run(tmp_path, "3", "--output", str(tmp_path / "a.png"))
    assert "summaries/setting_3.csv" not in result.stderr
    assert "summaries/setting_3_frontier.csv" in result.stderr
    assert "which are missing" in result.stderr


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "No columns to parse"),
        (b"\xff\xfe\x00", "codec can't decode"),
        (b"policy,mean\nlfg,1\n", "lacks the columns"),
        (b"," * (len(COLUMNS) - 1) + b"\n", "lacks the columns"),
    ],
)
def test_damaged_tables(tmp_path: Path, content: bytes, said: str) -> None:
    (tmp_path / "summaries").mkdir()
    (tmp_path / "summaries/setting_1.csv").write_bytes(content)
    result = run(tmp_path, "1", "--output", str(tmp_path / "a.png"))
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.count("\n") == 1
    assert said in result.stderr
    assert not (tmp_path / "a.png").exists()


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["9", "--output", "a.png"], 1, "there is no figure '9': known are figure_1, "),
        (["1", "--output", "a.gif"], 2, "'a.gif' must end in .pdf, .png or .svg"),
        (["1", "--output", "a"], 2, "'a' must end in .pdf, .png or .svg"),
        (["1"], 2, "Missing option '--output'"),
    ],
)
def test_bad_use(results: Path, arguments: list[str], code: int, said: str) -> None:
    result = run(results, *arguments)
    assert (result.exit_code, result.stdout) == (code, "")
    assert said in result.stderr
    assert result.stderr.count("\n") == 1


def test_help_names_every_figure() -> None:
    result = CliRunner().invoke(app, ["figure", "--help"])
    words = re.findall(r"\w+", result.stdout)
    assert {name for name in ALL_FIGURES if not name.startswith("figure_")} <= set(words)
