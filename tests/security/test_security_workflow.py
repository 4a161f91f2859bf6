"""The workflow in a folder and with a table of unsafe names: no shell acts on them."""

import json
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
    return project, project.run("movielens", REPLICATES, config=config)


@pytest.mark.sample
def test_a_python_that_starts_no_job_is_refused(fresh: Project, tmp_path: Path) -> None:
    (tmp_path / "my project").symlink_to(sys.prefix, target_is_directory=True)
    python = tmp_path / "my project" / Path(sys.executable).relative_to(sys.prefix)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "executable", str(python))
        outcome = fresh.run("movielens", options=["--dry-run"])
    assert outcome.status == 1
    assert "my project/bin/python: Snakemake starts no job with a space or a" in outcome.text


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
