"""Sources of the ratings in the whole workflow: bundled counts, the archive, a table."""

import json
import os
from pathlib import Path

import pytest

from datasets_helpers import closed_port
from workflow_helpers import Outcome, Project

pytestmark = pytest.mark.slow
CONFIG = "ratings.yaml"


@pytest.fixture
def project(fresh: Project, tmp_path: Path) -> Project:
    return fresh.copy(tmp_path / "project")


def get_ratings(project: Project, m0: int = 8, **movielens: object) -> Outcome:
    project.configure({"movielens": movielens, "setting_3": {"m0": [m0]}}, CONFIG)
    return project.run("movielens", config=CONFIG)


@pytest.mark.sample
def test_without_a_network_the_bundled_counts_are_used_with_a_warning(project: Project) -> None:
    url = f"http://127.0.0.1:{closed_port()}/ml-1m.zip"
    outcome = get_ratings(project, m0=2500, source="auto", url=url)
    assert outcome.status == 0, outcome.text
    log = (project.folder / "results/logs/get_ratings/movielens.log").read_text("utf-8")
    for text in (outcome.text, log):
        assert "USING THE BUNDLED COUNTS INSTEAD" in text
        assert url in text
    provenance = json.loads((project.folder / "results/movielens/provenance.json").read_text())
    assert (provenance["source_requested"], provenance["source_used"]) == ("auto", "bundled")
    assert url in provenance["reason"]


def test_a_table_of_ratings(project: Project) -> None:
    def write(path: Path, stars: int) -> None:
        rows = [f"{user},{film},{stars - film % 2}" for user in range(9) for film in range(4)]
        path.write_text("\n".join(["who,film,stars", *rows]) + "\n")

    counts = project.folder / "results/movielens/rating_counts.csv"
    table, other = project.folder / "my ratings.csv", project.folder / "other.csv"
    columns = {"path": table.name, "user": "who", "item": "film", "rating": "stars"}
    write(table, 5)
    assert get_ratings(project, source="table", table=columns).status == 0
    project.make("figure_3", config=CONFIG)
    caption = (project.folder / "results/figures/figure_3.md").read_text("utf-8")
    assert "my ratings.csv" in caption
    assert "on MovieLens" not in caption
    before = counts.read_text("utf-8")
    assert len(before.splitlines()) == 1 + 4

    # A new time is no change, and an older file in its place is one.
    table.touch()
    assert "Nothing to be done" in get_ratings(project, source="table", table=columns).text
    write(other, 3)
    os.utime(other, (10**9, 10**9))  # as `cp -p`, `mv`, `rsync -a` and unzip leave it
    other.replace(table)
    assert get_ratings(project, source="table", table=columns).status == 0
    assert counts.read_text("utf-8") != before

    # Counts of an earlier run do not stand in for a missing file.
    columns["path"] = "no/such.csv"
    outcome = get_ratings(project, source="table", table=columns)
    assert outcome.status == 1
    assert "movielens.table.path: there is no file 'no/such.csv'" in outcome.text
