"""Where the ratings come from when the whole workflow asks for them."""

import contextlib
import json
import os
import re
from pathlib import Path

import pandas as pd
import pytest
import yaml

from datasets_helpers import body, closed_port, loopback, md5_of
from penalized_bandits.errors import OriginError
from penalized_bandits.storage.verify import check_folder
from releases import by_pandas, ratings_like, write_release
from workflow_helpers import (
    Outcome,
    Project,
    fresh_fixture,  # noqa: F401
)

pytestmark = pytest.mark.slow


@pytest.fixture
def project(fresh: Project, tmp_path: Path) -> Project:
    return fresh.copy(tmp_path / "project")


def _ratings(project: Project, **movielens: object) -> Outcome:
    settings = {"retries": 0, "timeout_seconds": 5, **movielens}
    project.configure({"movielens": settings}, "ratings.yaml")
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


def test_an_older_file_in_the_place_of_ones_own_ratings_is_noticed(project: Project) -> None:
    def write(path: Path, stars: int) -> None:
        rows = [f"{user},{film},{stars - film % 2}" for user in range(9) for film in range(4)]
        path.write_text("\n".join(["user,item,rating", *rows]) + "\n")

    def counts() -> str:
        return (project.folder / "results/movielens/rating_counts.csv").read_text("utf-8")

    table, other = project.folder / "ratings.csv", project.folder / "other.csv"
    write(table, 5)
    write(other, 3)
    os.utime(other, (10**9, 10**9))  # as `cp -p`, `mv`, `rsync -a` and unzip leave it
    wanted = {"source": "table", "table": {"path": table.name}}
    project.configure({"movielens": wanted, "setting_3": {"m0": [8]}}, "ratings.yaml")
    assert project.run("movielens", config="ratings.yaml").status == 0
    before = counts()

    # Nor does a time alone make them new.
    table.touch()
    assert "Nothing to be done" in project.run("movielens", config="ratings.yaml").text
    other.replace(table)
    with contextlib.chdir(project.folder), pytest.raises(OriginError, match=r"^ratings\.csv: "):
        check_folder("results")
    assert project.run("movielens", config="ratings.yaml").status == 0
    assert counts() != before
    with contextlib.chdir(project.folder):
        assert check_folder("results") > 0


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


def _small_20m(project: Project) -> Path:
    """Make an archive in the layout of MovieLens 20M, and have the copy's manifest know it."""
    frame = ratings_like("movielens_20m", n_users=40)
    archive = write_release(project.folder / "my copy.zip", "movielens_20m", frame)
    manifest = project.folder / "src/penalized_bandits/datasets/manifest.yaml"
    known = yaml.safe_load(manifest.read_text("utf-8"))
    del known["movielens_20m"]["published"]
    known["movielens_20m"]["md5"] = md5_of(archive.read_bytes())
    manifest.write_text(yaml.safe_dump(known, allow_unicode=True), encoding="utf-8")
    return archive


def test_figure_3_of_another_release(project: Project) -> None:
    archive = _small_20m(project)
    wanted = {"dataset": "movielens_20m", "source": "archive", "archive": archive.name}
    # One threshold is too high for the data, that of the study which the figure does without.
    project.configure({"movielens": wanted, "setting_3": {"m0": [20, 24]}}, "ratings.yaml")
    outcome = project.run("figure_3", config="ratings.yaml")
    assert outcome.status == 0, outcome.text
    log = (project.folder / "results/logs/get_ratings/movielens.log").read_text("utf-8")
    assert "m0 = 2500: fewer than 2 items of MovieLens 20M have more ratings" in log
    caption = (project.folder / "results/figures/figure_3.md").read_text("utf-8")
    assert "on MovieLens 20M (Setting 3)" in caption
    assert "Ratings: archive of MovieLens 20M" in caption
    record = json.loads((project.folder / "results/movielens/provenance.json").read_text("utf-8"))
    assert (record["dataset"], record["title"]) == ("movielens_20m", "MovieLens 20M")
    assert record["md5_matches_published"]
    # Rewards of half stars, from counts made without the package.
    counts = by_pandas("movielens_20m", ratings_like("movielens_20m", n_users=40))
    kept = counts[counts.sum(axis=1) > 24]
    rewards = (kept.columns.to_numpy() - 0.5) / 4.5
    means = (kept.to_numpy() @ rewards / kept.sum(axis=1).to_numpy()).tolist()
    replicates = project.folder / "results/replicates/setting_3/m0_24.1of1.parquet"
    arms = pd.read_parquet(replicates).groupby("arm")["mean_reward"].unique()
    assert sorted(float(mean) for (mean,) in arms) == pytest.approx(sorted(means))
    # The plan of what cannot be run is no reason to stop.
    again = project.snakemake(project.dry("figure_3", config="ratings.yaml").arguments)
    assert "Nothing to be done" in again.text
    # But it cannot be run, and says so.
    failed = project.run("results/summaries/movie_crossover.csv", config="ratings.yaml")
    assert failed.status == 1
    assert "m0 = 2500: 0 of the items of movielens_20m have more ratings" in failed.text
    assert re.search(r"\d items have more than \d+ ratings", failed.text)
    assert "Traceback" not in failed.text


def test_another_release_from_the_network(project: Project) -> None:
    archive = _small_20m(project)
    with loopback() as server:
        url = server.serve("/ml-20m.zip", body(archive.read_bytes()))
        outcome = _ratings(project, dataset="movielens_20m", source="auto", url=url)
        # No threshold of the default leaves arms: the error names some that would.
        assert outcome.status == 1
        assert re.search(
            r"m0 = \d+: 0 of the items of MovieLens 20M .* \d items have more than \d+ ratings",
            outcome.text,
        )
    # Nothing bundled is taken in the place of another data set.
    url = f"http://127.0.0.1:{closed_port()}/ml-20m.zip"
    (project.folder / "results/movielens/archive/ml-20m.zip").unlink()
    outcome = _ratings(project, dataset="movielens_20m", source="auto", url=url)
    assert outcome.status == 1
    assert "no counts of MovieLens 20M are bundled: get ml-20m.zip in another way" in outcome.text
    assert "USING THE BUNDLED COUNTS" not in outcome.text
    assert not (project.folder / "results/movielens/rating_counts.csv").exists()
