"""Where the ratings come from when the whole workflow asks for them."""

import json
from pathlib import Path

import pytest

from datasets_helpers import body, closed_port, loopback
from workflow_helpers import (
    Outcome,
    Project,
    fresh_fixture,  # noqa: F401
)


@pytest.fixture
def project(fresh: Project, tmp_path: Path) -> Project:
    return fresh.copy(tmp_path / "project")


def _ratings(project: Project, **movielens: object) -> Outcome:
    settings = {"retries": 0, "timeout_seconds": 5, **movielens}
    project.configure({"movielens": settings}, "ratings.yaml")
    return project.run("movielens", config="ratings.yaml")


def test_unreachable_server_means_the_bundled_counts_said_loudly(project: Project) -> None:
    url = f"http://127.0.0.1:{closed_port()}/ml-1m.zip"
    outcome = _ratings(project, source="auto", url=url)
    assert outcome.status == 0, outcome.text
    log = (project.folder / "results/logs/get_ratings.log").read_text("utf-8")
    for text in (outcome.text, log):
        assert "USING THE BUNDLED COUNTS INSTEAD" in text
        assert url in text
    origin = json.loads((project.folder / "results/movielens/provenance.json").read_text())
    assert (origin["source_requested"], origin["source_used"]) == ("auto", "bundled")
    assert url in origin["reason"]


def test_unreachable_server_is_an_error_where_the_download_is_asked_for(
    project: Project,
) -> None:
    url = f"http://127.0.0.1:{closed_port()}/ml-1m.zip"
    outcome = _ratings(project, source="download", url=url)
    assert outcome.status == 1
    assert url in outcome.text
    assert not (project.folder / "results/movielens/rating_counts.csv").exists()


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
    rows = [f"{user},{film},{1 + (user * film) % 5}" for user in range(9) for film in range(4)]
    table = project.folder / "my ratings.csv"
    table.write_text("\n".join(["who,film,stars", *rows]) + "\n")
    columns = {"path": table.name, "user": "who", "item": "film", "rating": "stars"}
    project.configure(
        {"movielens": {"source": "table", "table": columns}, "setting_3": {"m0": [8]}},
        "ratings.yaml",
    )
    outcome = project.run("figure_3", config="ratings.yaml")
    assert outcome.status == 0, outcome.text
    caption = (project.folder / "results/figures/figure_3.md").read_text("utf-8")
    assert "my ratings.csv" in caption
    assert "on MovieLens" not in caption
    counts = (project.folder / "results/movielens/rating_counts.csv").read_text().splitlines()
    assert len(counts) == 1 + 4


@pytest.mark.parametrize("key", ["movielens.archive", "movielens.table.path"])
def test_a_missing_file_is_never_replaced_by_an_earlier_run(project: Project, key: str) -> None:
    assert _ratings(project, source="bundled").status == 0
    wanted = (
        {"source": "archive", "archive": "no/such.zip"}
        if key == "movielens.archive"
        else {"source": "table", "table": {"path": "no/such.zip"}}
    )
    outcome = _ratings(project, **wanted)
    assert outcome.status == 1
    assert f"{key}: there is no file 'no/such.zip'" in outcome.text
