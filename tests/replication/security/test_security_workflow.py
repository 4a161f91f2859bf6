"""The workflow with unsafe names, on which no shell acts, and with a table of ratings."""

import json
import os
import sys
from pathlib import Path

import pytest

from workflow_helpers import Outcome, Project

pytestmark = pytest.mark.slow

FOLDER = 'it\'s a "project"; $(touch RAN) {setting}\n & > RAN'
"""A name that a shell, or Snakemake, would take for something else."""
TABLE = "my 'own' \"ratings\"; touch RAN $(touch RAN) & | > RAN * ? ~ # %s <img src=x>.csv"
REPLICATES = "results/replicates/setting_4/1of1.parquet"


@pytest.fixture(scope="module", name="ran")
def ran_fixture(
    fresh: Project, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Project, Outcome]:
    """Return a run in a folder, and with a table of ratings, that have unsafe names."""
    project = fresh.copy(tmp_path_factory.mktemp("unsafe") / FOLDER)
    rows = [f"{user},{film},{1 + (user * film) % 5}" for user in range(9) for film in range(4)]
    (project.folder / TABLE).write_text("\n".join(["who,film{x},stars", *rows]) + "\n", "utf-8")
    table = {"path": TABLE, "user": "who", "item": "film{x}", "rating": "stars"}
    changes = {"movielens": {"source": "table", "table": table}, "setting_3": {"m0": [8]}}
    project.configure({**changes, "movie_crossover": {"m0": [8]}}, "unsafe; touch RAN.yaml")
    config = "unsafe; touch RAN.yaml"
    return project, project.run("get_ratings", REPLICATES, config=config)


@pytest.mark.sample
def test_a_python_that_starts_no_job_is_refused(fresh: Project, tmp_path: Path) -> None:
    (tmp_path / "my project").symlink_to(sys.prefix, target_is_directory=True)
    python = tmp_path / "my project" / Path(sys.executable).relative_to(sys.prefix)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "executable", str(python))
        outcome = fresh.run("get_ratings", options=["--dry-run"])
    assert outcome.status == 1
    assert "my project/bin/python: Snakemake takes no path with any of" in outcome.text


@pytest.mark.sample
def test_braces_in_the_path_from_elsewhere_are_refused(fresh: Project, tmp_path: Path) -> None:
    project = fresh.copy(tmp_path / "p{a}b/project")
    where = ["--snakefile", str(project.folder / "Snakefile"), "--directory", str(tmp_path)]
    outcome = project.snakemake([*where, "--list-rules", "--configfile", "config/config.yaml"])
    assert outcome.status == 1
    assert f"{'/p{a}b/project'}: Snakemake takes no path with any of '{{}}'" in outcome.text


@pytest.mark.sample
def test_hostile_names(ran: tuple[Project, Outcome]) -> None:
    project, outcome = ran
    assert outcome.status == 0, outcome.text
    assert (project.folder / REPLICATES).is_file()
    ratings = json.loads((project.folder / "results/movielens/provenance.json").read_text("utf-8"))
    assert (ratings["dataset"], ratings["n_ratings_total"]) == (TABLE, 36)
    base = project.folder.parent
    assert not [path for path in base.rglob("*") if path.name.startswith("RAN")]
    assert [path.name for path in base.iterdir()] == [FOLDER]


def test_braces_in_the_folder_are_no_wildcards_of_any_rule(ran: tuple[Project, Outcome]) -> None:
    project, _ = ran
    project.make("all", config="unsafe; touch RAN.yaml", options=["--dry-run", "--quiet", "all"])


CONFIG = "ratings.yaml"


def get_ratings(project: Project, columns: dict[str, str]) -> Outcome:
    movielens = {"source": "table", "table": columns}
    project.configure({"movielens": movielens, "setting_3": {"m0": [8]}}, CONFIG)
    return project.run("get_ratings", config=CONFIG)


def test_a_table_of_ratings(fresh: Project, tmp_path: Path) -> None:
    project = fresh.copy(tmp_path / "project")

    def write(path: Path, stars: int) -> None:
        rows = [f"{user},{film},{stars - film % 2}" for user in range(9) for film in range(4)]
        path.write_text("\n".join(["who,film,stars", *rows]) + "\n")

    counts = project.folder / "results/movielens/rating_counts.csv"
    table, other = project.folder / "my ratings.csv", project.folder / "other.csv"
    columns = {"path": table.name, "user": "who", "item": "film", "rating": "stars"}
    write(table, 5)
    assert get_ratings(project, columns).status == 0
    project.make("figure_3", config=CONFIG)
    caption = (project.folder / "results/figures/figure_3.md").read_text("utf-8")
    assert "my ratings.csv" in caption
    assert "on MovieLens" not in caption
    before = counts.read_text("utf-8")
    assert len(before.splitlines()) == 1 + 4

    # A new time is no change, and an older file in its place is one.
    table.touch()
    assert "Nothing to be done" in get_ratings(project, columns).text
    write(other, 3)
    os.utime(other, (10**9, 10**9))  # as `cp -p`, `mv`, `rsync -a` and unzip leave it
    other.replace(table)
    assert get_ratings(project, columns).status == 0
    assert counts.read_text("utf-8") != before

    # Counts of an earlier run do not stand in for a missing file.
    columns["path"] = "no/such.csv"
    outcome = get_ratings(project, columns)
    assert outcome.status == 1
    assert "movielens.table.path: there is no file 'no/such.csv'" in outcome.text
