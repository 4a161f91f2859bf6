"""What a user gets wrong is said before any job starts, in words."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from workflow_helpers import (
    PACKAGE,
    ROOT,
    Outcome,
    Project,
    environment,
    forked,
    fresh_fixture,  # noqa: F401
    made_in,
    miniature_fixture,  # noqa: F401
    one_figure_fixture,  # noqa: F401
    with_origins,
)

pytestmark = pytest.mark.slow

LISTS = {"means": [0.5, 0.4], "fairness": [0.1, 0.1]}
WRONG: dict[str, tuple[dict[str, Any], list[str]]] = {
    "unknown key": (
        {"setting_1": {"replicate": 50}},
        ["setting_1.replicate: unknown key", "50", "replicates", "policies", "horizons"],
    ),
    "unknown section": ({"setting_6": {}}, ["setting_6: unknown key", "setting_5"]),
    "wrong type": ({"setting_2": {"horizon": "long"}}, ["setting_2.horizon:", "'long'"]),
    "fractions sum to one": (
        {"setting_2": {"cases": {"case_1": {**LISTS, "fairness": [0.6, 0.4]}}}},
        ["setting_2.cases.case_1:", "sum to 1", "below 1"],
    ),
    "fractions sum to more": ({"setting_4": {"fairness": 0.2}}, ["setting_4:", "1.8", "below 1"]),
    "empty grid": ({"setting_1": {"horizons": []}}, ["setting_1.horizons:", "[]", "at least 1"]),
    "one tuning value": (
        {"setting_5": {"tuning_values": 1}},
        ["setting_5.tuning_values:", "got 1", "2"],
    ),
    "unknown policy": (
        {"setting_3": {"policies": ["thomson"]}},
        ["setting_3.policies.0:", "'thomson'", "hard_threshold_ucb", "fair_learn"],
    ),
    "no rule for its tuning": (
        {"setting_2": {"policies": ["explore_then_commit"]}},
        ["setting_2.policies:", "explore_then_commit"],
    ),
    "archive without path": (
        {"movielens": {"source": "archive"}},
        ["movielens:", "movielens.archive", "ml-1m.zip"],
    ),
    "more chunks than replicates": (
        {"simulation": {"chunks": 5}},
        ["simulation.chunks is 5", "3 replicates of setting_1"],
    ),
    "penalties that do not fit the means": (
        {"log_laws": {"instances": {"two_arms": {"penalties": [1.0]}}}},
        ["log_laws.instances.two_arms:", "2 means but 1 penalties"],
    ),
    "a tuned policy where none is allowed": (
        {"equal_penalties": {"policies": ["lfg"]}},
        ["equal_penalties.policies:", "lfg", "without a tuning"],
    ),
    "too few replicates for an interval": (
        {"sensitivity": {"replicates": 1}},
        ["sensitivity.replicates:", "got 1", "2"],
    ),
    # Case names become file names.
    "case name": (
        {"setting_2": {"cases": {"case/3": LISTS}}},
        ["setting_2.cases", "case/3"],
    ),
}


@pytest.fixture(scope="module")
def said(
    miniature: Project, fresh: Project, tmp_path_factory: pytest.TempPathFactory
) -> dict[str, Outcome]:
    """Return what Snakemake says to each wrong config; not a dry run, so jobs could start."""
    project = fresh.copy(tmp_path_factory.mktemp("errors") / "project")
    requests = {}
    for number, (name, (changes, _)) in enumerate(WRONG.items()):
        project.configure(changes, f"wrong_{number}.yaml")
        # Should it be taken, one job and not twenty.
        requests[name] = project.request("movielens", config=f"wrong_{number}.yaml")
    project.configure({"seed": -1, "setting_1": {"arms": []}, "colour": 1}, "several.yaml")
    requests["several"] = project.request("movielens", config="several.yaml")
    missing = {"movielens": {"source": "archive", "archive": "no/such/ml-1m.zip"}}
    project.configure(missing, "missing.yaml")
    requests["missing"] = project.request("movielens", config="missing.yaml")
    bare = project.copy(tmp_path_factory.mktemp("bare") / "project")
    (bare.folder / "config/config.yaml").unlink()
    requests["no config"] = bare.request("movielens", config=None)
    requests["no base"] = bare.request("movielens")
    (project.folder / "twice.yaml").write_text("setting_1:\n  arms: [5]\n  arms: [7]\n", "utf-8")
    requests["twice"] = project.request("movielens", config="twice.yaml")
    for words in ("seed=8", "sede=8"):
        requests[words] = miniature.request(options=["--dry-run", "--config", words])
    return forked(requests, project.kernels)


@pytest.mark.sample
@pytest.mark.parametrize("name", WRONG)
def test_wrong_config_stops_before_any_job(said: dict[str, Outcome], name: str) -> None:
    status, text = said[name]
    assert status == 1
    assert "the config is wrong:" in text
    for words in WRONG[name][1]:
        assert words in text, text
    assert "Traceback" not in text
    assert "rule get_ratings" not in text


def test_several_errors_at_once(said: dict[str, Outcome]) -> None:
    status, text = said["several"]
    assert status == 1
    for key in ("seed: ", "setting_1.arms: ", "colour: "):
        assert f"\n  {key}" in text


@pytest.mark.parametrize("name", ["no config", "no base"])
def test_a_missing_config_file_is_one_sentence(said: dict[str, Outcome], name: str) -> None:
    status, text = said[name]
    assert status == 1
    (line,) = [line for line in text.splitlines() if "the config lacks" in line]
    assert "copy that into config/" in line
    assert "this key is required" not in text


def test_sources_that_do_not_run_are_named(fresh: Project) -> None:
    def said_with(sources: Path) -> str:
        done = subprocess.run(
            [sys.executable, "-m", "snakemake", "--list-rules"],
            cwd=fresh.folder,
            env=environment(sources, fresh.kernels),
            capture_output=True,
            text=True,
            check=True,
        )
        return done.stderr

    warned = f"Edits in {fresh.folder / PACKAGE} do nothing: the package that runs is installed in"
    (line,) = [line for line in said_with(ROOT).splitlines() if warned in line]
    assert line.endswith(f"pip install -e {fresh.folder}")
    assert warned not in said_with(fresh.folder)


def test_a_key_that_stands_twice(said: dict[str, Outcome]) -> None:
    status, text = said["twice"]
    assert status == 1
    assert "twice.yaml, line 3: the key 'arms' is already in line 2: keep one of them" in text
    assert "Traceback" not in text


def test_missing_archive(said: dict[str, Outcome]) -> None:
    status, text = said["missing"]
    assert status == 1
    assert "no/such/ml-1m.zip" in text
    assert "Traceback" not in text
    assert "rule get_ratings:" not in text


def test_config_on_the_command_line(said: dict[str, Outcome]) -> None:
    made = made_in(said["seed=8"])
    assert any("/replicates/" in file for file in made)
    assert not any("/movielens/" in file for file in made)
    assert said["sede=8"].status == 1
    assert "sede: unknown key" in said["sede=8"].text


def test_replicates_truncated_before_a_run(one_figure: Project, tmp_path: Path) -> None:
    project = one_figure.copy(tmp_path / "project")
    table = project.folder / "results/replicates/setting_4/all.1of1.parquet"
    whole = table.read_bytes()
    table.write_bytes(whole[: len(whole) // 2])
    outcome = project.run("setting_4")
    assert outcome.status == 0, outcome.text
    assert f"{table.relative_to(project.folder)} is not what was written" in outcome.text
    assert table.read_bytes() == whole


def test_everything_asks_for_intermediate_files_too(miniature: Project, tmp_path: Path) -> None:
    project = miniature.copy(tmp_path / "project")
    lost = with_origins({"results/replicates/setting_4/all.1of1.parquet"})
    for file in lost:
        (project.folder / file).unlink()
    assert lost <= made_in(project.snakemake(project.dry().arguments))


def test_truncated_replicates(one_figure: Project) -> None:
    project = one_figure
    table = Path("results/replicates/setting_4/all.1of1.parquet")
    summary = Path("results/summaries/setting_4.csv")
    before = (project.folder / summary).read_bytes()
    whole = (project.folder / table).read_bytes()
    (project.folder / table).write_bytes(whole[: len(whole) // 2])
    # Not younger than its origin: the run itself sees nothing.
    os.utime(project.folder / table, (1e9, 1e9))
    (project.folder / summary).unlink()
    outcome = project.run(str(summary))
    assert outcome.status == 1
    log = (project.folder / "results/logs/summarize/setting_4.log").read_text("utf-8")
    # Said on the terminal as well as in the log: which file, and what to do.
    for text in (outcome.text, log):
        (line,) = (line for line in text.splitlines() if " ERROR " in line)
        assert table.name in line
        assert "delete" in line
        assert "run again" in line
    assert "Traceback" not in log
    # Never a summary of half a table.
    assert not (project.folder / summary).exists()
    # Then the remedy; the copy is left as it was.
    (project.folder / table).unlink()
    again = project.run(str(summary))
    assert again.status == 0, again.text
    assert (project.folder / table).read_bytes() == whole
    assert (project.folder / summary).read_bytes() == before
