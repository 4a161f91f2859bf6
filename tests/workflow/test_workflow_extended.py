"""The targets ``extended``, ``sharp`` and ``confirm``: files, claims, and what a change remakes."""

import json
from pathlib import Path

import pandas as pd
import pytest

from extended_helpers import TINY_EXTENDED
from golden_claims import assert_as_committed, committed, measured_in
from penalized_bandits.claims import EXTENDED_CLAIMS, SHARP_CLAIMS
from penalized_bandits.experiments.extended import EXTENSIONS
from penalized_bandits.figures import EXTENDED_FIGURES, SHARP_FIGURES
from penalized_bandits.storage.summaries import read_summary
from sharp_helpers import TINY_SHARP
from workflow_helpers import Project

pytestmark = pytest.mark.slow

CONFIG = "extended.yaml"
COMMITTED = committed("extended")


@pytest.fixture(scope="module", name="made")
def made_fixture(fresh: Project, tmp_path_factory: pytest.TempPathFactory) -> Project:
    """Return a copy in which a table of the paper and all extended results were made."""
    project = fresh.copy(tmp_path_factory.mktemp("extended") / "project")
    project.make("results/summaries/setting_4.csv")
    project.configure({"extended": TINY_EXTENDED}, CONFIG)
    return project.make("extended", config=CONFIG)


def results(project: Project) -> Path:
    return project.folder / "results/extended"


@pytest.mark.sample
def test_tables_and_figures(made: Project) -> None:
    folder = made.folder / "results/summaries"
    for name in EXTENSIONS:
        table = read_summary(str(folder / f"{name}.csv"))
        assert set(table["policy"]) == set(TINY_EXTENDED[name]["policies"]), name
    for name in ("extended_3", "extended_5"):
        assert len(pd.read_csv(folder / f"{name}_frontier.csv"))
    for name in EXTENDED_FIGURES:
        for suffix in ("pdf", "svg", "png"):
            assert (made.folder / f"results/figures/{name}.{suffix}").stat().st_size > 500
        caption = (made.folder / f"results/figures/{name}.md").read_text(encoding="utf-8")
        assert "replicates" in caption


def test_again_there_is_nothing_to_do(made: Project) -> None:
    again = made.snakemake(made.dry("extended", config=CONFIG).arguments)
    assert "Nothing to be done" in again.text
    for config in (CONFIG, "tiny.yaml"):
        dry = made.dry("results/summaries/setting_4.csv", config=config)
        usual = made.snakemake(dry.arguments)
        assert "Nothing to be done" in usual.text, usual.text


@pytest.mark.sample
@pytest.mark.parametrize("claim", COMMITTED)
def test_measured_as_committed(made: Project, claim: str) -> None:
    assert_as_committed(measured_in(made.folder, "extended")[claim], COMMITTED[claim])


def test_every_claim_is_decided(made: Project) -> None:
    rows = json.loads((results(made) / "claims.json").read_text(encoding="utf-8"))
    assert [row["id"] for row in rows] == list(EXTENDED_CLAIMS)
    for row in rows:
        counts = (row[s] for s in ("hold", "fail", "negligible", "undecided", "vacuous"))
        assert len(row["parts"]) == sum(counts) > 0
        assert row["id"] in (results(made) / "claims.md").read_text(encoding="utf-8")


def test_without_its_section(made: Project) -> None:
    outcome = made.run("extended")
    assert outcome.status == 1
    assert "Missing input files for rule extended" in outcome.text
    assert "the section extended of the config: add --configfile config/ext" in outcome.text
    assert "Traceback" not in outcome.text


def test_a_changed_section_makes_only_its_own_experiment_stale(made: Project) -> None:
    section = {**TINY_EXTENDED["heavy_tails"], "replicates": 7}
    made.configure({"extended": {**TINY_EXTENDED, "heavy_tails": section}}, "more.yaml")
    outcome = made.snakemake(made.dry("extended", config="more.yaml").arguments)
    assert outcome.status == 0, outcome.text
    assert outcome.text.count(": Simulate ") == 1
    assert ": Compare all policies" in outcome.text


def test_claims_are_confirmed_on_new_seeds(made: Project) -> None:
    # With other seeds than those that are frozen.
    made.configure({"extended": TINY_EXTENDED, "confirmation": {"seeds": [5, 6]}}, "confirm.yaml")
    file = "results/confirmation/E06.json"
    outcome = made.run(file, config="confirm.yaml")
    assert outcome.status == 0, outcome.text
    assert outcome.text.count(": Simulate ") == 2
    (row,) = json.loads((made.folder / file).read_text(encoding="utf-8"))
    assert row["id"] == "E06"
    assert len(row["facts"]["by_seed"]) == 2
    names = {part["label"].partition(",")[0] for part in row["parts"]}
    assert names == {"seed 5", "seed 6"}
    everything = made.snakemake(made.dry("confirm", config="confirm.yaml").arguments)
    assert "Write the ledger of the confirmation" in everything.text


@pytest.mark.sample
def test_the_sharp_constants(made: Project) -> None:
    made.configure({"sharp": TINY_SHARP}, "sharp.yaml")
    made.make("sharp", config="sharp.yaml")
    folder = made.folder / "results"
    rows = json.loads((folder / "sharp/claims.json").read_text(encoding="utf-8"))
    assert [row["id"] for row in rows] == list(SHARP_CLAIMS)
    assert all(row["parts"] for row in rows)
    assert_as_committed(measured_in(made.folder, "sharp"), committed("sharp"))
    for name in SHARP_FIGURES:
        for suffix in ("pdf", "svg", "png"):
            assert (folder / f"figures/{name}.{suffix}").stat().st_size > 500
        assert (folder / f"figures/{name}.md").read_text(encoding="utf-8").startswith("**")
    again = made.snakemake(made.dry("sharp", config="sharp.yaml").arguments)
    assert "Nothing to be done" in again.text
