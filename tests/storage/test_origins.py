"""Results say where they come from, and whoever reads them finds out if they changed."""

import json
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pandas as pd
import pytest
from typer.testing import CliRunner

from config_helpers import ROOT
from fault_helpers import cut_short, flip_bit
from penalized_bandits.cli import app
from penalized_bandits.common.errors import OriginError, SummaryError
from penalized_bandits.config import BaseConfig, load_config, parse_config
from penalized_bandits.datasets.counts_csv import read_counts_csv
from penalized_bandits.storage.origins import (
    check,
    check_made_with,
    origin_path,
    ratings_behind,
    read_json,
    read_origin,
    write_origin,
)
from penalized_bandits.storage.replicates import (
    Outcome,
    read_metadata,
    read_replicates,
    write_replicates,
)
from penalized_bandits.storage.summaries import read_table, write_csv
from penalized_bandits.storage.verify import check_all, check_folder, checksums_of
from penalized_bandits.workflow.made_with import MadeWith
from penalized_bandits.workflow.plan import BUNDLED_COUNTS

MADE_WITH: dict[str, Any] = {
    "seed": 3,
    "config": "c" * 64,
    "code": "d" * 64,
    "experiments": {"setting_1": "one"},
}
RATINGS = {"dataset": "movielens_1m", "source": "bundled", "md5": None, "counts_sha256": "e" * 64}


def a_table(folder: Path, name: str = "table.csv", **changes: Any) -> Path:
    """Write a table with its origin."""
    path = folder / name
    write_csv(pd.DataFrame({"x": np.arange(50) / 7}), str(path))
    write_origin(origin_path(path), {**MADE_WITH, **changes}, [path])
    return path


def some_replicates(folder: Path) -> Path:
    """Write a small table of replicates with its origin."""
    random = np.random.default_rng(1)
    path = folder / "all.1of1.parquet"
    outcomes = [
        Outcome(
            case=case,
            policy="ucb1",
            scale=None,
            tuning=0.5,
            horizon=100,
            first_replicate=0,
            pulls=random.multinomial(100, [0.25] * 4, size=6).astype(np.int32),
            max_deficit=random.random((6, 4)),
            means=random.random((6, 4)),
            fairness=np.full(4, 0.1),
            penalties=random.random((6, 4)),
        )
        for case in ("a", "b")
    ]
    write_replicates(path, outcomes, {"seed": 3, "setting": "setting_1"})
    write_origin(origin_path(path), MADE_WITH, [path])
    return path


def test_what_an_origin_says(tmp_path: Path) -> None:
    path = a_table(tmp_path)
    assert origin_path(path) == tmp_path / "table.origin.json"
    origin = read_origin(origin_path(path))
    assert list(origin["files"]) == ["table.csv"]
    assert origin["package"].startswith("penalized-bandits ")
    assert origin["ratings"] is None
    assert {name: origin[name] for name in MADE_WITH} == MADE_WITH
    # The same results have the same origins: no time, no path.
    text = origin_path(path).read_text(encoding="utf-8")
    assert str(tmp_path) not in text
    origin_path(path).unlink()
    assert origin_path(a_table(tmp_path)).read_text(encoding="utf-8") == text
    assert len(read_table(path)) == 50


def test_one_origin_for_all_forms_of_a_result(tmp_path: Path) -> None:
    files = [tmp_path / f"figure_1.{suffix}" for suffix in ("pdf", "svg")]
    for file in files:
        file.write_text(file.name)
    write_origin(tmp_path / "figure_1.origin.json", MADE_WITH, files)
    files[1].write_text("other")
    check(files[0])
    with pytest.raises(OriginError, match=r"figure_1\.svg is not what was written.*delete"):
        check(files[1])
    # A file that is not in it, or that has none, is taken as it is.
    (tmp_path / "figure_1.txt").write_text("")
    (tmp_path / "other.csv").write_text("x\n1\n")
    check(tmp_path / "figure_1.txt")
    assert len(read_table(tmp_path / "other.csv")) == 1


@pytest.mark.parametrize("damage", [cut_short, flip_bit])
@pytest.mark.parametrize("seed", range(4))
def test_a_damaged_table_is_not_read(tmp_path: Path, damage: Any, seed: int) -> None:
    path = a_table(tmp_path)
    damage(path, Random(seed))
    with pytest.raises(OriginError, match=rf"{path} is not what was written.*delete {path}"):
        read_table(path)
    with pytest.raises(OriginError):
        read_json(path)
    with pytest.raises(OriginError):
        check_folder(tmp_path)


@pytest.mark.parametrize("damage", [cut_short, flip_bit])
@pytest.mark.parametrize("seed", range(8))
def test_a_damaged_origin_is_not_believed(tmp_path: Path, damage: Any, seed: int) -> None:
    path = a_table(tmp_path)
    before = json.loads(origin_path(path).read_bytes())
    damage(origin_path(path), Random(seed))
    try:
        after = json.loads(origin_path(path).read_bytes())
    except ValueError:
        after = None
    if after == before:  # white space
        return
    with pytest.raises(OriginError, match=r"table\.origin\.json is not what was written: delete"):
        read_table(path)


def test_a_bit_of_the_replicates(tmp_path: Path) -> None:
    # Parquet's own checksums do not cover the footer: pulls changed without an error.
    path = some_replicates(tmp_path)
    whole = path.read_bytes()
    for seed in range(8):
        flip_bit(path, Random(seed))
        with pytest.raises(OriginError, match=r"all\.1of1\.parquet is not what was written"):
            list(read_replicates([path]))
        with pytest.raises(OriginError):
            read_metadata(path)
        path.write_bytes(whole)


def test_what_is_no_table(tmp_path: Path) -> None:
    (tmp_path / "table.csv").write_bytes(b'a,b\n1,2,3\n"')
    with pytest.raises(SummaryError, match=r"table\.csv is no table .*delete it and run again"):
        read_table(tmp_path / "table.csv")
    (tmp_path / "rows.json").write_text("[{")
    with pytest.raises(OriginError, match=r"rows\.json is not JSON .*delete it and run again"):
        read_json(tmp_path / "rows.json")


def test_rating_counts_are_checked(tmp_path: Path) -> None:
    path = tmp_path / "rating_counts.csv"
    path.write_bytes(BUNDLED_COUNTS.read_bytes())
    write_origin(origin_path(path), MADE_WITH, [path], ratings=RATINGS)
    assert len(read_counts_csv(path).table) == 1053
    # Still a good table, but not the one that was written.
    path.write_text(path.read_text("utf-8").replace("American", "Amerikan"), encoding="utf-8")
    with pytest.raises(OriginError, match=r"rating_counts\.csv is not what was written"):
        read_counts_csv(path)


def test_results_of_two_configs_are_not_mixed(tmp_path: Path) -> None:
    ours, theirs = a_table(tmp_path, "ours.csv"), a_table(tmp_path, "x.csv", experiments={"e": "2"})
    assert check_made_with(ours, {"setting_1": "one", "setting_2": "two"})["seed"] == 3
    with pytest.raises(OriginError, match=r"x\.csv: made with another config.*\(e\); delete"):
        write_origin(tmp_path / "n.json", {**MADE_WITH, "experiments": {"e": "1"}}, [], [theirs])
    assert not (tmp_path / "n.json").exists()


def test_ratings_are_handed_on_and_not_mixed(tmp_path: Path) -> None:
    tables = [tmp_path / f"{name}.csv" for name in "abc"]
    for table, ratings in zip(tables, (RATINGS, None, {**RATINGS, "source": "table"}), strict=True):
        table.write_text("x\n")
        write_origin(origin_path(table), MADE_WITH, [table], ratings=ratings)
    assert ratings_behind(tables[:2], MADE_WITH["experiments"]) == RATINGS
    write_origin(tmp_path / "d.origin.json", MADE_WITH, [], tables[:2])
    assert read_origin(tmp_path / "d.origin.json")["ratings"] == RATINGS
    with pytest.raises(OriginError, match=r"c\.csv and .*a\.csv stand on different ratings"):
        ratings_behind(tables, MADE_WITH["experiments"])


def test_checking_everything(tmp_path: Path) -> None:
    tables = [a_table(tmp_path, f"{name}.csv") for name in "abcd"]
    expected = {
        str(origin_path(table)): [MADE_WITH["config"], MADE_WITH["code"]] for table in tables
    }
    assert check_all(expected) == check_folder(tmp_path) == 4
    with pytest.raises(OriginError, match=r"a\.csv: made with another config, seed or code"):
        check_all({**expected, str(origin_path(tables[0])): ["other", MADE_WITH["code"]]})
    tables[1].write_text("x\n")
    tables[2].unlink()
    origin_path(tables[3]).write_text("{}")
    with pytest.raises(OriginError) as error:
        check_all(expected)
    said = str(error.value).splitlines()
    assert [line.split("/")[-1].split(":")[0] for line in said] != []
    assert len(said) == 3
    for line, name in zip(said, ("b.csv", "c.csv", "d.origin.json"), strict=True):
        assert name in line
        assert "delete" in line


def test_list_of_checksums(tmp_path: Path) -> None:
    tables = [str(a_table(tmp_path, f"{name}.csv")) for name in "ba"]
    text = checksums_of(tables)
    assert [line.split("  ")[1] for line in text.splitlines()] == sorted(tables)
    Path(tables[0]).write_text("x\n")
    assert [line[:64] for line in checksums_of(tables).splitlines()] != [
        line[:64] for line in text.splitlines()
    ]


def test_verify_on_the_command_line(tmp_path: Path) -> None:
    path = a_table(tmp_path)
    verify = ["verify", "--results", str(tmp_path)]
    result = CliRunner().invoke(app, verify)
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout == f"1 files in {tmp_path} are what was written\n"
    flip_bit(path, Random(1))
    result = CliRunner().invoke(app, verify)
    assert (result.exit_code, result.stdout) == (1, "")
    assert f"{path}: not what was written" in result.stderr
    result = CliRunner().invoke(app, ["verify", "--results", str(tmp_path / "none")])
    assert result.exit_code == 1
    assert "there are no results" in result.stderr


@pytest.fixture(scope="module", name="config")
def config_fixture() -> BaseConfig:
    return load_config(ROOT / "config/config.yaml")


def changed(config: BaseConfig, **changes: Any) -> MadeWith:
    return MadeWith(parse_config({**config.model_dump(exclude_none=True), **changes}))


def test_what_identifies_an_experiment(config: BaseConfig) -> None:
    unchanged = MadeWith(config)
    ours = unchanged.identity("setting_1")
    assert len(ours) == 64
    assert MadeWith(config).identity("setting_1") == ours
    # How the work is split does not come in; seed, section and readings that matter do.
    split = changed(config, simulation={"chunks": 3})
    assert split.replicates("setting_1") == unchanged.replicates("setting_1")
    assert changed(config, seed=1).identity("setting_1") != ours
    section = config.section("setting_1").model_dump() | {"replicates": 77}
    assert changed(config, setting_1=section).identity("setting_1") != ours
    assert changed(config, setting_1=section).identity("setting_2") == unchanged.identity(
        "setting_2"
    )
    readings = changed(config, readings={"setting_4_rewards": "bernoulli"})
    assert readings.identity("setting_1") == ours
    assert readings.identity("setting_4") != unchanged.identity("setting_4")
    flipped = unchanged.identity("setting_4", {"readings": {"setting_4_rewards": "bernoulli"}})
    assert flipped == readings.identity("setting_4")
    assert unchanged.identity("setting_1", {"replicates": 5}) != ours


def test_the_code_is_part_of_an_origin(config: BaseConfig, tmp_path: Path) -> None:
    first, second = tmp_path / "first.py", tmp_path / "second.py"
    for path in (first, second):
        path.write_text(f"{path}\n")
    before, after = (MadeWith(config)._origin([path], ["setting_4"]) for path in (first, second))
    assert after["code"] != before["code"]
    assert after["config"] == before["config"]


def test_a_flipped_reading_is_part_of_an_origin(config: BaseConfig) -> None:
    made = MadeWith(config)
    flipped = made.flipped("setting_4_rewards", "setting_4")
    assert list(flipped["experiments"]) == ["setting_4 with setting_4_rewards flipped"]
    assert flipped["config"] != made.replicates("setting_4")["config"]
    assert flipped["seed"] == config.seed
