"""The default target with a config that is cut down as far as the config's model allows."""

import json

import pandas as pd
import pytest

from docs_pages import write_files
from penalized_bandits.claims import CLAIMS
from smoke_run import EXPERIMENTS, config_with
from workflow_helpers import Project

pytestmark = pytest.mark.slow

UCB1 = ("setting_3", "setting_4", "movie_crossover", "worst_case", "deterministic", "two_instances")
"""Experiments without the paper's policy."""


def cut_down(experiment: str) -> dict[str, object]:
    """Return changes that leave an experiment one replicate, one policy and its first horizon."""
    section = config_with({}).section(experiment).model_dump()
    changes: dict[str, object] = {"replicates": 1}
    if "policies" in section:
        changes["policies"] = ["ucb1" if experiment in UCB1 else "hard_threshold_ucb"]
    for key in ("horizons", "tuned_horizons"):
        if key in section:
            changes[key] = section[key][-1:]
    return changes


@pytest.fixture(scope="module", name="made")
def made_fixture(fresh: Project, tmp_path_factory: pytest.TempPathFactory) -> Project:
    """Return a copy with a setting that has no claim, in which everything was made."""
    project = fresh.copy(tmp_path_factory.mktemp("reduced") / "project")
    write_files("how-to/add-a-setting.md", project.folder)
    sixth = {"setting_6": {"replicates": 1, "arms": [5], "horizons": [100]}}
    project.configure({name: cut_down(name) for name in EXPERIMENTS} | sixth)
    return project.make("all", "results/notebooks/intermediate_results.html")


def test_the_ledger_gives_the_reasons(made: Project) -> None:
    claims = pd.read_csv(made.folder / "results/claims/claims.csv", index_col="id")
    assert set(claims.index) >= set(CLAIMS)
    without = claims["verdict"] == "not measured"
    assert 0 < without.sum() < len(claims)
    notes = claims.loc[without, "note"]
    assert notes.str.startswith("Not measured under this config: ").all()
    page = (made.folder / "results/index.html").read_text(encoding="utf-8")
    assert [note for note in notes if note not in page] == []


def test_alternative_readings_measure_the_same_claims(made: Project) -> None:
    claims = pd.read_csv(made.folder / "results/claims/claims.csv", index_col="id")
    table = pd.read_csv(made.folder / "results/claims/sensitivity.csv")
    measured = (table["verdict"] != "not measured").to_numpy()
    expected = claims.loc[table["id"], "verdict"] != "not measured"
    assert (measured == expected.to_numpy()).all()
    assert not table["changed"].any()


def test_the_notebook_of_the_results_runs(made: Project) -> None:
    file = made.folder / "results/notebooks/intermediate_results.ipynb"
    assert len(json.loads(file.read_text(encoding="utf-8"))["cells"]) > 15
