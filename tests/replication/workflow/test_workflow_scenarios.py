"""Scenarios in a run: sets, one of a user's own, a frozen seed, and what a change makes again."""

from pathlib import Path

import pandas as pd
import pytest

from penalized_replication.claims import CLAIMS
from penalized_replication.config.scenarios import Scenarios
from penalized_replication.workflow.paths import Files, figure_files
from smoke_run import PAPERS, values_with
from workflow_helpers import Made, Project, contents, made_after, simulations

pytestmark = pytest.mark.slow

INTERPRETATIONS = {
    "setting_4_rewards": {"interpretations": {"setting_4_rewards": "bernoulli"}},
    "movielens_rewards": {"interpretations": {"movielens_rewards": "fraction"}},
}
MINE = {"setting_3": {"m0": [2000]}, "only": ["setting_3"]}
SETS = {"interpretations": INTERPRETATIONS, "own": {"mine": MINE}}
TARGETS = ["interpretations", "results/scenarios/mine/figures/figure_3.png"]


@pytest.fixture(scope="module", name="made")
def made_fixture(smoke_run: Project, tmp_path_factory: pytest.TempPathFactory) -> Made:
    """Return the smoke run with scenarios of each set."""
    project = smoke_run.copy(tmp_path_factory.mktemp("scenarios") / "project")
    project.set_scenarios(SETS)
    return made_after(project, *TARGETS)


@pytest.mark.sample
def test_nothing_of_the_paper_is_touched(made: Made) -> None:
    assert contents(made.project) == made.paper


@pytest.mark.sample
def test_only_what_a_scenario_changes_is_simulated(made: Made) -> None:
    expected = {"mine": ["setting_3"], "setting_4_rewards": ["setting_4"]}
    expected |= {"movielens_rewards": ["movie_crossover", "setting_3"]}
    named = [f"scenarios/{name}/{e}" for name, several in expected.items() for e in several]
    assert simulations(made.text) == sorted(named)
    for name, experiments in expected.items():
        folder = made.project.folder / f"results/scenarios/{name}/replicates"
        assert {path.name for path in folder.iterdir()} == {*experiments}


@pytest.mark.sample
def test_verdicts_of_interpretations_are_beside_the_papers(made: Made) -> None:
    table = pd.read_csv(made.project.folder / "results/scenarios/interpretations.csv")
    ids = {name: rows["id"].to_list() for name, rows in table.groupby("scenario", sort=False)}
    files = Files(Scenarios(values_with({}), made.project.folder / "config/scenarios.yaml"))
    expected = {n: files.claims(f"scenarios/{n}/") for n in INTERPRETATIONS}
    assert ids == expected
    assert {*table["changes"]} == {
        f"interpretations.{name}: {value['interpretations'][name]}"
        for name, value in INTERPRETATIONS.items()
    }
    paper = pd.read_csv(made.project.folder / "results/claims/claims.csv", index_col="id")
    assert table["paper_verdict"].to_list() == paper.loc[table["id"], "verdict"].to_list()
    assert (table["changed"] == (table["verdict"] != table["paper_verdict"])).all()


def test_again_there_is_nothing_to_do(made: Made) -> None:
    again = made.project.run(*TARGETS, options=["--dry-run"])
    assert "Nothing to be done" in again.text, again.text
    assert made.project.stale() == set()


def test_the_interpretations_are_drawn_and_the_end_names_the_files(made: Made) -> None:
    assert {*figure_files("sensitivity")} <= made.project.files()
    caption = (made.project.folder / "results/figures/sensitivity.md").read_text("utf-8")
    assert "Not the paper's config" in caption
    assert "Made: results/scenarios/interpretations.csv\n" in made.text
    assert "results/index.html" not in made.text


@pytest.mark.sample
def test_a_seed_of_ones_own_decides_all_measured_claims(smoke_run: Project, tmp_path: Path) -> None:
    project = smoke_run.copy(tmp_path / "project")
    project.make("frozen", options=["--config", "frozen_seed=8"])
    results = project.folder / "results"
    frozen = pd.read_csv(results / "scenarios/frozen.csv")
    assert set(frozen["scenario"]) == {"frozen_seed_8"}
    # All that are measured: the others use no random number.
    assert sorted(frozen["id"]) == [name for name in PAPERS if CLAIMS[name].experiments]
    claims = pd.read_csv(results / "scenarios/frozen_seed_8/claims/claims.csv", index_col="id")
    assert dict(claims["verdict"]) == dict(frozen.set_index("id")["verdict"])
    # Bandits of the studies are others; those of figures are not.
    made, paper = (
        pd.read_csv(results / f"{folder}claims/comparisons.csv").query("id in ('C07', 'C29')")
        for folder in ("scenarios/frozen_seed_8/", "")
    )
    assert made["case"].tolist() == paper["case"].tolist()
    of_law = [table[table["id"] == "C07"]["predicted"] for table in (made, paper)]
    assert not set(of_law[0]) & set(of_law[1])
