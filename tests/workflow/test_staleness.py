"""What an edit makes again, the reason that a dry run gives, and code that a job runs unseen."""

import json
import os
import re
from pathlib import Path

import pytest
import yaml

from config_helpers import ROOT
from penalized_replication.workflow.code import LISTS
from smoke_run import EXPERIMENTS, config_with
from tiny_sections import TINY_SCENARIOS
from workflow_helpers import PACKAGE, Project

pytestmark = [pytest.mark.slow, pytest.mark.sample]


def reasons(project: Project) -> dict[str, str]:
    """Return why each job would run, by its message."""
    text = project.snakemake(project.dry().arguments).text
    found = dict(re.findall(r"(?m)^Job \d+: (.*)\nReason: (.*)$", text))
    assert found or "Nothing to be done" in text, text
    return found


def test_the_reason_names_the_key_that_changed(smoke_run: Project, tmp_path: Path) -> None:
    project = smoke_run.copy(tmp_path / "project")
    project.configure({"setting_4": {"horizon": 301}})
    by_job = reasons(project)
    change = "before: [{'setting_4.horizon': 300}] now: [{'setting_4.horizon': 301}]"
    assert change in by_job["Simulate setting_4 (part 1 of 1)"]
    assert max(len(reason) for reason in by_job.values() if "Params" in reason) <= 600
    simulations = {job for job in by_job if job.startswith("Simulate")}
    assert simulations == {"Simulate setting_4 (part 1 of 1)"}


SIMULATED_AGAIN = [
    f"Simulate {name} "
    for name in EXPERIMENTS
    if "explore_then_commit" in getattr(config_with({}).section(name), "policies", ())
]
PAGES = ("Write the reproduction page", "Write what the run was made with")
BEHIND_CLAIMS = ("Measure", "Decide", "Draw", *PAGES)
PLAYGROUND = "Write the playground"
EDITS: dict[str, tuple[int, tuple[str, ...]]] = {
    "penalized_bandits/statistics/summaries.py": (26, ("Summarise", "Draw", *PAGES)),
    "summaries/columns.py": (26, ("Summarise", "Draw", *PAGES)),
    "figures/style.py": (15, ("Draw", PLAYGROUND, *PAGES)),
    "figures/captions/figure_4.md.j2": (3, ("Draw figure_4", *PAGES)),
    "figures/figure_4.py": (3, ("Draw figure_4", *PAGES)),
    "claims/ledger/rules.csv": (4, ("Decide", PLAYGROUND, *PAGES)),
    "claims/paper/figure_4.py": (5, BEHIND_CLAIMS),
    "claims/joined/verdicts.py": (3, ("Draw sensitivity", *PAGES)),
    "experiments/extended/drawn_bandits.py": (0, ()),
    "experiments/paper/setting_4.py": (
        9,
        ("Simulate setting_4 ", "Summarise setting_4", PLAYGROUND, *BEHIND_CLAIMS),
    ),
    "penalized_bandits/policies/explore_then_commit.py": (
        19,
        (*SIMULATED_AGAIN, "Summarise", PLAYGROUND, *BEHIND_CLAIMS),
    ),
}
"""How many jobs follow an edit of a file of the package at most, and how their messages begin."""


@pytest.mark.parametrize("file", EDITS)
def test_what_an_edit_makes_again(smoke_run: Project, tmp_path: Path, file: str) -> None:
    project = smoke_run.copy(tmp_path / "project")
    folder = "src/library" if file.startswith("penalized_bandits/") else PACKAGE
    project.append(f"{folder}/{file}", "\n" if file.endswith(("csv", "j2")) else "# An edit.\n")
    # The times of scripts say nothing.
    for script in (project.folder / "workflow/scripts").glob("*.py"):
        os.utime(script)
    by_job, (most, begins) = reasons(project), EDITS[file]
    by_job.pop("Everything is made", None)
    assert len(by_job) <= most, by_job
    assert [job for job in by_job if not job.startswith(begins)] == []
    assert [words for words in begins if not any(job.startswith(words) for job in by_job)] == []
    changed = [why for why in by_job.values() if "Params have changed" in why]
    assert bool(changed) == bool(most)
    for why in changed:
        assert re.search(rf"before: \[?'code\.{file} \w+'\]? now: \[?'code\.{file} \w+'", why), why


def test_times_of_scripts_are_no_trigger() -> None:
    """Snakemake takes them for code; hashes of what scripts stand on are params."""
    for profile in (ROOT / "profiles").glob("*/config.yaml"):
        triggers = yaml.safe_load(profile.read_text("utf-8"))["rerun-triggers"]
        assert set(triggers) == {"mtime", "params", "input", "software-env"}, profile


TRACE = """
import atexit, json, os, sys, threading
from pathlib import Path

SOURCES = Path(__file__).parents[1]
PACKAGES = str(SOURCES / "library/penalized_"), str(SOURCES / "replication/penalized_")
FOLDER = SOURCES.parent / "traced"
ran, read = set(), set()

def called(frame, event, argument):
    file, caller = frame.f_code.co_filename, frame.f_back
    # Bodies of classes and modules run when they are imported, which may be for a list.
    if event != "call" or file in ran or not file.startswith(PACKAGES):
        return
    if not frame.f_code.co_flags & 1:
        return
    while caller is not None:
        code, caller = caller.f_code, caller.f_back
        if code.co_name == "<module>" and code.co_filename.startswith(PACKAGES):
            return
    ran.add(file)

def audited(event, arguments):
    path = str(arguments[0]) if event == "open" else ""
    if path.startswith(PACKAGES) and "__pycache__" not in path and not path.endswith(".py"):
        read.add(path)

def write():
    job = getattr(sys.modules["__main__"], "snakemake", None)
    if job is not None:
        params = [p for each in job.params for p in (each if isinstance(each, list) else [each])]
        found = {"ran": [*ran, *read], "hashed": [p for p in params if str(p).startswith("code.")]}
        (FOLDER / f"{os.getpid()} {job.rule}.json").write_text(json.dumps(found))

sys.addaudithook(audited)
sys.setprofile(called)
threading.setprofile(called)
atexit.register(write)
"""
"""A `sitecustomize` that notes what of the package a job runs and reads, and what is hashed."""


def test_all_that_a_job_runs_is_hashed(smoke_run: Project, tmp_path: Path) -> None:
    project = smoke_run.copy(tmp_path / "project")
    (project.folder / "src/library/sitecustomize.py").write_text(TRACE, encoding="utf-8")
    (project.folder / "traced").mkdir()
    again = ["get_ratings", "playground", "run_notebook"]
    again += ["results/replicates/setting_4/1of1.parquet"]
    longer = {"longer": {"setting_4": {"horizon": 301}}}
    project.set_scenarios({**TINY_SCENARIOS, "readings": longer})
    joined = ("readings.csv", "confirm.json", "extended/comparison.csv")
    targets = ["all", "results/notebooks/intermediate_results.html"]
    targets += [f"results/scenarios/{path}" for path in joined]
    project.make(*targets, options=["--forcerun", *again])
    lists = {path.relative_to(ROOT).as_posix() for path in LISTS}
    lists.add(f"{PACKAGE}/claims/ledger/rules.csv")
    rules = set()
    for file in (project.folder / "traced").iterdir():
        found = json.loads(file.read_text(encoding="utf-8"))
        hashed = {param.removeprefix("code.").split(" ")[0] for param in found["hashed"]}
        ran = {os.path.relpath(path, project.folder) for path in found["ran"]} - lists
        ran = {re.sub(rf"^({PACKAGE}|src/library)/", "", path) for path in ran}
        assert ran - hashed == set(), file.name
        assert ran & hashed
        rules.add(file.stem.split(" ")[1])
    assert rules >= {"simulate", "summarize", "draw_figure", "measure_claims", "write_index"}
    assert rules >= {"compare_verdicts", "confirm_claims", "compare_policies", "decide_claims"}
