"""A table of ratings in the whole workflow: its changes, and its absence."""

import os
from pathlib import Path

import pytest

from workflow_helpers import Outcome, Project

pytestmark = pytest.mark.slow
CONFIG = "ratings.yaml"


def get_ratings(project: Project, columns: dict[str, str]) -> Outcome:
    movielens = {"source": "table", "table": columns}
    project.configure({"movielens": movielens, "setting_3": {"m0": [8]}}, CONFIG)
    return project.run("movielens", config=CONFIG)


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
