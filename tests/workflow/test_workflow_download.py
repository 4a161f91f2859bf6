"""Where the ratings come from when the whole workflow asks for them."""

import json
import os
from pathlib import Path

import pytest

from datasets_helpers import body, closed_port, loopback
from workflow_helpers import (
    Outcome,
    Project,
)

pytestmark = pytest.mark.slow


@pytest.fixture
def project(fresh: Project, tmp_path: Path) -> Project:
    return fresh.copy(tmp_path / "project")


def _ratings(project: Project, **movielens: object) -> Outcome:
    project.configure({"movielens": movielens}, "ratings.yaml")
    return project.run("movielens", config="ratings.yaml")


@pytest.mark.sample
def test_unreachable_server_means_the_bundled_counts_said_loudly(project: Project) -> None:
    url = f"http://127.0.0.1:{closed_port()}/ml-1m.zip"
    outcome = _ratings(project, source="auto", url=url)
    assert outcome.status == 0, outcome.text
    log = (project.folder / "results/logs/get_ratings/movielens.log").read_text("utf-8")
    for text in (outcome.text, log):
        assert "USING THE BUNDLED COUNTS INSTEAD" in text
        assert url in text
    origin = json.loads((project.folder / "results/movielens/provenance.json").read_text())
    assert (origin["source_requested"], origin["source_used"]) == ("auto", "bundled")
    assert url in origin["reason"]


def test_wrong_checksum_is_an_error_never_a_fallback(project: Project) -> None:
    with loopback() as server:
        url = server.serve("/ml-1m.zip", body(b"not the archive"))
        outcome = _ratings(project, source="auto", url=url)
    assert outcome.status == 1
    assert "c4d9eecfca2ab87c1945afe126590906" in outcome.text
    assert "BUNDLED COUNTS" not in outcome.text
    assert not (project.folder / "results/movielens/rating_counts.csv").exists()
    assert not list((project.folder / "results/movielens").glob("archive/*.zip"))


def test_a_table_of_ones_own(project: Project) -> None:
    def write(path: Path, stars: int) -> None:
        rows = [f"{user},{film},{stars - film % 2}" for user in range(9) for film in range(4)]
        path.write_text("\n".join(["who,film,stars", *rows]) + "\n")

    def text(name: str) -> str:
        return (project.folder / "results" / name).read_text("utf-8")

    table, other = project.folder / "my ratings.csv", project.folder / "other.csv"
    columns = {"path": table.name, "user": "who", "item": "film", "rating": "stars"}
    wanted = {"source": "table", "table": columns}
    project.configure({"movielens": wanted, "setting_3": {"m0": [8]}}, "ratings.yaml")
    write(table, 5)
    project.make("figure_3", config="ratings.yaml")
    assert "my ratings.csv" in text("figures/figure_3.md")
    assert "on MovieLens" not in text("figures/figure_3.md")
    before = text("movielens/rating_counts.csv")
    assert len(before.splitlines()) == 1 + 4

    # A time alone makes it not new, and an older file in its place does.
    table.touch()
    assert "Nothing to be done" in project.run("movielens", config="ratings.yaml").text
    write(other, 3)
    os.utime(other, (10**9, 10**9))  # as `cp -p`, `mv`, `rsync -a` and unzip leave it
    other.replace(table)
    assert project.run("movielens", config="ratings.yaml").status == 0
    assert text("movielens/rating_counts.csv") != before

    # Nor are earlier counts taken for those of a file that is missing.
    columns["path"] = "no/such.csv"
    project.configure({"movielens": wanted, "setting_3": {"m0": [8]}}, "ratings.yaml")
    outcome = project.run("movielens", config="ratings.yaml")
    assert outcome.status == 1
    assert "movielens.table.path: there is no file 'no/such.csv'" in outcome.text
