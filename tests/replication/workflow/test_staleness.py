"""What an edit makes again, the reason that a dry run gives, and code that a job runs unseen."""

import os
import re
from pathlib import Path

import pandas as pd
import pytest
import yaml

from config_helpers import ROOT
from penalized_replication.workflow.paths import figure_files
from smoke_run import EXPERIMENTS, FILES, config_with
from trace_helpers import traced
from workflow_helpers import PACKAGE, Project

pytestmark = pytest.mark.slow


def reasons(project: Project) -> dict[str, str]:
    """Return why each job would run, by its message."""
    text = project.run(options=["--dry-run"]).text
    found = dict(re.findall(r"(?m)^Job \d+: (.*)\nReason: (.*)$", text))
    assert found or "Nothing to be done" in text, text
    found.pop("Everything is made", None)
    return found


@pytest.mark.sample
def test_the_reason_names_the_key_that_changed(smoke_run: Project, tmp_path: Path) -> None:
    project = smoke_run.copy(tmp_path / "project")
    project.configure({"setting_4": {"horizon": 301}})
    by_job = reasons(project)
    change = "before: {'setting_4.horizon': 300} now: {'setting_4.horizon': 301}"
    assert change in by_job["Simulate setting_4 (part 1 of 1)"]
    for reason in by_job.values():
        assert len(reason.partition("Params have changed")[2]) <= 600
    assert [job for job in by_job if job.startswith("Simulate")] == [
        "Simulate setting_4 (part 1 of 1)"
    ]


SIMULATED_AGAIN = [
    f"Simulate {name} "
    for name in EXPERIMENTS
    if "explore_then_commit" in getattr(config_with({}).section(name), "policies", ())
]
PAGES = ("Write the reproduction page", "Write what the run was made with")
BEHIND = ("Measure", "Decide", "Draw", *PAGES)
PLAYGROUND = "Write the playground"
LIBRARY = "penalized_bandits/"
EDITS: dict[str, tuple[int, tuple[str, ...]]] = {
    f"{LIBRARY}statistics/summaries.py": (26, ("Summarise", "Draw", *PAGES)),
    "figures/style.py": (15, ("Draw", PLAYGROUND, *PAGES)),
    "figures/captions/figure_4.md.j2": (3, ("Draw figure_4", *PAGES)),
    "figures/figure_4.py": (3, ("Draw figure_4", *PAGES)),
    "claims/rules.csv": (4, ("Decide", PLAYGROUND, *PAGES)),
    "claims/paper/figure_4.py": (5, BEHIND),
    "claims/table/scenarios.py": (1, PAGES[1:]),
    "experiments/paper/setting_4.py": (9, ("Simulate setting_4 ", "Summarise setting_4", *BEHIND)),
    f"{LIBRARY}policies/paper/explore_then_commit.py": (
        19,
        (*SIMULATED_AGAIN, "Summarise", PLAYGROUND, *BEHIND),
    ),
    f"{LIBRARY}theory/bounds.py": (5, ("Measure", "Decide", *PAGES)),
    f"{LIBRARY}engine/play.py": (47, ("Simulate", "Summarise", *BEHIND)),
    # Files that an editor or a user adds.
    f"{LIBRARY}policies/my_policy.py": (0, ()),
    "experiments/paper/setting_6.py": (0, ()),
    "experiments/paper/.setting_4.py.swp": (0, ()),
}
"""How many jobs follow an edit of a file of the packages at most, and how their messages begin."""


@pytest.mark.sample
@pytest.mark.parametrize("file", EDITS)
def test_what_an_edit_makes_again(smoke_run: Project, tmp_path: Path, file: str) -> None:
    project = smoke_run.copy(tmp_path / "project")
    path = f"{'src/library' if file.startswith(LIBRARY) else PACKAGE}/{file}"
    with (project.folder / path).open("a", encoding="utf-8") as opened:
        opened.write("# An edit.\n" if file.endswith(".py") else "\n")
    # The times of scripts say nothing.
    for script in (project.folder / "workflow/scripts").glob("*.py"):
        os.utime(script)
    by_job, (most, begins) = reasons(project), EDITS[file]
    assert len(by_job) <= most, by_job
    assert [job for job in by_job if not job.startswith(begins)] == []
    assert [words for words in begins if not any(job.startswith(words) for job in by_job)] == []
    changed = [why for why in by_job.values() if f"Updated input files: {path}" in why]
    assert bool(changed) == bool(most)


@pytest.mark.sample
def test_an_edit_that_is_older_than_the_result(smoke_run: Project, tmp_path: Path) -> None:
    project = smoke_run.copy(tmp_path / "project")
    path = f"{PACKAGE}/figures/figure_4.py"
    # A time alone says nothing, nor one ahead.
    os.utime(project.folder / path, (4e9, 4e9))
    assert reasons(project) == {}
    project.append(path, "# An edit.\n")
    os.utime(project.folder / path, (1e9, 1e9))
    by_job = reasons(project)
    assert [job for job in by_job if not job.startswith(("Draw figure_4", *PAGES))] == []
    assert re.search(r"before: 'code \w+' now: 'code \w+'", by_job["Draw figure_4"])


@pytest.mark.sample
def test_times_of_scripts_are_no_trigger() -> None:
    """Snakemake takes them for code; hashes of what scripts stand on are params."""
    for profile in (ROOT / "profiles").glob("*/config.yaml"):
        triggers = yaml.safe_load(profile.read_text("utf-8"))["rerun-triggers"]
        assert set(triggers) == {"mtime", "params", "input", "software-env"}, profile


@pytest.mark.sample
def test_all_that_a_job_runs_is_hashed(smoke_run: Project, tmp_path: Path) -> None:
    project = smoke_run.copy(tmp_path / "project")
    again = ["get_ratings", "playground", "run_notebook"]
    again += ["results/replicates/setting_4/1of1.parquet"]
    project.set_scenarios({"interpretations": {"longer": {"setting_4": {"horizon": 301}}}})
    targets = ["all", "results/notebooks/intermediate_results.html"]
    rules = traced(project, *targets, "results/scenarios/interpretations.csv", again=again)
    assert rules >= {"simulate", "summarize", "draw_figure", "measure_claims", "write_index"}
    assert rules >= {"compare_verdicts", "decide_claims"}


OWN = """
from my_helpers import HALF, bonus
from penalized_bandits import Policy
policy = Policy("whatever", index=lambda arm: arm.mean + HALF * bonus(arm.radius))
"""
HELPERS = """
from my_constants import HALF
def bonus(radius):
    return 0.5 * radius
"""
SETTING_1 = {*FILES.replicates("setting_1"), *FILES.summaries("setting_1")}
SETTING_1 |= {*figure_files("figure_1")}

MODULES = {"my_policies": OWN, "my_helpers": HELPERS, "my_constants": "HALF = 0.5\n"}


@pytest.fixture(scope="module", name="made")
def made_fixture(fresh: Project, tmp_path_factory: pytest.TempPathFactory) -> Project:
    """Return a copy in which Figures 1 and 4 were made with a policy of the user's."""
    project = fresh.copy(tmp_path_factory.mktemp("own") / "project")
    for module, text in MODULES.items():
        (project.folder / f"{module}.py").write_text(text, encoding="utf-8")
    section = {"policies": ["hard_threshold_ucb", "mine"]}
    project.configure({"policies": {"mine": "my_policies:policy"}, "setting_1": section})
    return project.make("figure_1", "figure_4")


def test_the_policy_is_in_the_results(made: Project) -> None:
    table = pd.read_csv(made.folder / "results/summaries/setting_1.csv", dtype=str)
    means = {policy: rows.to_list() for policy, rows in table.groupby("policy")["mean"]}
    assert set(means) == {"hard_threshold_ucb", "mine"}
    assert means["mine"] != means["hard_threshold_ucb"]
    assert "<!-- mine -->" in (made.folder / "results/figures/figure_1.svg").read_text("utf-8")


@pytest.mark.parametrize(
    ("module", "old", "new", "stale"),
    [
        ("my_policies", "policy = ", "# A comment.\npolicy = ", set()),
        ("my_policies", "arm.mean +", "1.5 * arm.mean +", SETTING_1),
        ("my_helpers", "0.5 *", "1.5 *", SETTING_1),
        ("my_constants", "0.5", "5", SETTING_1),
    ],
)
def test_an_edit_makes_the_results_of_the_policy_stale(
    made: Project, tmp_path: Path, module: str, old: str, new: str, stale: set[str]
) -> None:
    project = made.copy(tmp_path / "project")
    text = MODULES[module].replace(old, new)
    (project.folder / f"{module}.py").write_text(text, encoding="utf-8")
    assert project.stale("figure_1", "figure_4") == stale
