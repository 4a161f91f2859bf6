"""The default target on a config that is cut down in every way that check calls right."""

import json
from collections.abc import Mapping
from typing import Any

import pandas as pd
import pytest

from docs_pages import write_files
from penalized_bandits.experiments.names import in_words
from workflow_helpers import (
    Outcome,
    Project,
)

pytestmark = pytest.mark.slow

HARD, UCB1 = ["hard_threshold_ucb"], ["ucb1"]
REDUCED: Mapping[str, Any] = {
    "setting_1": {"replicates": 1, "policies": HARD, "horizons": [300]},
    "setting_2": {"replicates": 1, "policies": HARD},
    "setting_3": {"replicates": 1, "policies": UCB1},
    "setting_4": {"policies": UCB1},
    "setting_5": {"policies": HARD},
    "log_laws": {"replicates": 1, "horizons": [1000]},
    "crossover": {"policies": HARD, "horizons": [300], "tuned_horizons": [300]},
    "movie_crossover": {"replicates": 1, "policies": UCB1},
    "worst_case": {"replicates": 1, "policies": UCB1, "horizons": [300]},
    "deterministic": {"policies": UCB1, "horizons": [1000]},
    "two_instances": {"replicates": 1, "policies": UCB1, "horizons": [100]},
    "equal_penalties": {"replicates": 1, "horizons": [100]},
    "lfg_fairness": {"replicates": 1, "horizons": [100]},
    "setting_6": {"replicates": 2, "arms": [5], "horizons": [100]},
}
MEASURED = [
    *("C01", "C04", "C05", "C06", "C06P", "C09", "C10", "C12", "C13", "C18", "C21", "C22", "C23"),
    *("C26", "C26P", "C32", "C33", "C33R", "C38", "C39", "C40", "C41", "C42", "C45"),
]
COMPUTED = {"C01", "C39", "C40", "C41"}
"""Claims that no experiment bears on."""


@pytest.fixture(scope="module", name="made")
def made_fixture(
    fresh: Project, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Project, Outcome]:
    """Return a copy with a study that no claim stands on, and how everything was made."""
    project = fresh.copy(tmp_path_factory.mktemp("reduced") / "project")
    write_files("how-to/add-a-setting.md", project.folder)
    project.configure(REDUCED)
    return project, project.run("all", "results/notebooks/intermediate_results.html")


def test_everything_is_made(made: tuple[Project, Outcome]) -> None:
    _, outcome = made
    assert outcome.status == 0, outcome.text


def test_the_ledger_says_what_was_not_measured(made: tuple[Project, Outcome]) -> None:
    claims = pd.read_csv(made[0].folder / "results/claims/claims.csv", index_col="id")
    found = claims.index[claims["verdict"] != "not measured"]
    assert found.to_list() == MEASURED
    notes = claims.drop(index=MEASURED)["note"]
    assert notes.str.startswith("Not measured under this config: ").all()
    page = (made[0].folder / "results/index.html").read_text(encoding="utf-8")
    assert [note for note in notes if in_words(note) not in page] == []


def test_flipped_readings_measure_no_more(made: tuple[Project, Outcome]) -> None:
    table = pd.read_csv(made[0].folder / "results/claims/sensitivity.csv")
    assert set(table.loc[table["verdict"] != "not measured", "id"]) == set(MEASURED) - COMPUTED
    assert not table["changed"].any()


def test_an_experiment_without_a_claim_is_not_flipped(made: tuple[Project, Outcome]) -> None:
    assert "results/summaries/setting_6.csv" in made[0].files()
    flipped = [file for file in made[0].files("results/sensitivity") if "setting_6" in file]
    assert flipped == []


def test_the_notebook_of_the_results_runs(made: tuple[Project, Outcome]) -> None:
    file = made[0].folder / "results/notebooks/intermediate_results.ipynb"
    assert len(json.loads(file.read_text(encoding="utf-8"))["cells"]) > 15
