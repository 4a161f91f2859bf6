"""The sets of the research in runs: what they make, and what makes them again."""

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest
from research.publish import PAGES

from golden_claims import about, committed, measured_in
from tiny_sections import CLAIMS_OF, DRAWN, SEEDS, TINY, TINY_EXTENDED, TINY_SETS
from trace_helpers import traced
from workflow_helpers import RESEARCH, Made, Project, contents, made_after, simulations

pytestmark = pytest.mark.slow

SNAKEFILE = "research/Snakefile"
SCENARIOS = f"{RESEARCH}/scenarios.yaml"
MEASURED = tuple(CLAIMS_OF)
COMMITTED = {claim: run for run in MEASURED for claim in committed(run)}


@pytest.fixture(scope="module", name="made")
def made_fixture(smoke_run: Project, tmp_path_factory: pytest.TempPathFactory) -> Made:
    """Return the smoke run with the sets, which are the default target."""
    folder = tmp_path_factory.mktemp("research") / "project"
    project = replace(smoke_run.copy(folder), snakefile=SNAKEFILE)
    project.set_scenarios(TINY_SETS, SCENARIOS)
    return made_after(project)


@pytest.mark.sample
def test_nothing_of_the_paper_is_touched(made: Made) -> None:
    assert contents(made.project) == made.paper
    assert replace(made.project, snakefile="").stale() == set()
    # Run by the research, the page is made with keys, and all with scripts, that it has besides.
    besides = {"index.html", "preview.png", "provenance.json", "checksums.txt"}
    assert made.project.stale("all") <= {f"results/{name}" for name in besides}


@pytest.mark.sample
def test_each_set_simulates_its_experiments_alone(made: Made) -> None:
    expected = {name: [*TINY_SETS[name][name]] for name in MEASURED}
    expected |= {f"confirm_{seed}": ["heterogeneous_penalties"] for seed in SEEDS}
    named = [f"scenarios/{name}/{e}" for name, several in expected.items() for e in several]
    assert simulations(made.text) == sorted(named)


@pytest.mark.sample
@pytest.mark.parametrize("claim", COMMITTED)
def test_measured_as_committed(made: Made, claim: str) -> None:
    run = COMMITTED[claim]
    assert measured_in(made.project.folder, run)[claim] == about(committed(run)[claim])


@pytest.mark.sample
def test_figures_and_their_captions(made: Made) -> None:
    results = made.project.folder / "results/scenarios"
    for run, (_, figures) in PAGES.items():
        assert list(measured_in(made.project.folder, run)) == CLAIMS_OF[run]
        for figure in figures:
            for suffix in ("pdf", "svg", "png"):
                assert (results / f"{run}/figures/{figure.id}.{suffix}").stat().st_size > 500
            caption = (results / f"{run}/figures/{figure.id}.md").read_text(encoding="utf-8")
            assert caption.startswith("**")
            assert "replicates" in caption
        assert f"Made: results/scenarios/{run}/claims/claims.md\n" in made.text
    assert (results / "extended/comparison.md").read_text("utf-8").count("| Hard-threshold") == 2


def test_a_claim_is_confirmed_on_the_seeds_together(made: Made) -> None:
    path = made.project.folder / "results/scenarios/confirm.json"
    (row,) = json.loads(path.read_text(encoding="utf-8"))
    assert row["id"] == "E06"
    assert len(row["facts"]["by_seed"]) == len(SEEDS)
    names = {one["label"].partition(",")[0] for one in row["comparisons"]}
    assert names == {f"seed {seed}" for seed in SEEDS}


def test_again_there_is_nothing_to_do_but_what_changed(made: Made, tmp_path: Path) -> None:
    project = made.project.copy(tmp_path / "project")
    assert project.stale() == set()
    section = {**TINY_EXTENDED["heavy_tails"], "replicates": 7}
    changed = {"extended": {"extended": {**TINY_EXTENDED, "heavy_tails": section}}}
    project.set_scenarios({**TINY_SETS, **changed}, SCENARIOS)
    text = project.run(options=["--dry-run"]).text
    assert simulations(text) == ["scenarios/extended/heavy_tails"]
    assert ": Decide the claims" in text
    project.set_scenarios(TINY_SETS, SCENARIOS)
    project.append(f"{RESEARCH}/claims/laws.py", "# An edit.\n")
    text = project.run(options=["--dry-run"]).text
    assert {*re.findall(r"(?m)^Job \d+: (\w+)", text)} <= {"Measure", "Decide", "The"}


def test_targets_are_explained_and_lint_asks_for_no_more(fresh: Project) -> None:
    project = replace(fresh, snakefile=SNAKEFILE)
    text = project.run(options=["--list-rules"]).text
    listed = dict(re.findall(r"(?m)^(\w+)(?: \((.*)\))?$", text))
    assert listed.keys() >= {*TINY, *DRAWN, *TINY_SETS, "all"}
    for rule in (*DRAWN, *TINY_SETS, "research", "article"):
        assert len(listed[rule]) > 20, rule
    complaints = set(re.findall(r"(?m)^ +\* (.*)$", project.run(options=["--lint"]).text))
    assert complaints == {"Specify a conda environment or container for each rule.:"}


def test_all_that_a_job_runs_is_hashed(made: Made, tmp_path: Path) -> None:
    project = made.project.copy(tmp_path / "project")
    again = ["results/scenarios/sharp/replicates/floors/1of1.parquet"]
    rules = traced(project, again=["compare_policies", "confirm_claims", *again])
    assert rules >= {"simulate", "summarize", "draw_figure", "measure_claims", "decide_claims"}
    assert rules >= {"compare_policies", "confirm_claims"}
