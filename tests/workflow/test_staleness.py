"""What an edit makes again, the reason that a dry run gives, and code that a job runs unseen."""

import json
import os
import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
import yaml

from config_helpers import ROOT
from penalized_replication.workflow.code import LISTS
from smoke_run import EXPERIMENTS, config_with
from tiny_sections import TINY_SCENARIOS
from workflow_helpers import PACKAGE, Project, wait_for

pytestmark = [pytest.mark.slow, pytest.mark.sample]


def reasons(project: Project) -> dict[str, str]:
    """Return why each job would run, by its message."""
    text = project.snakemake(project.dry().arguments).text
    found = dict(re.findall(r"(?m)^Job \d+: (.*)\nReason: (.*)$", text))
    assert found or "Nothing to be done" in text, text
    found.pop("Everything is made", None)
    return found


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
BEHIND_CLAIMS = ("Measure", "Decide", "Draw", *PAGES)
PLAYGROUND = "Write the playground"
LIBRARY = "penalized_bandits/"
EDITS: dict[str, tuple[int, tuple[str, ...]]] = {
    f"{LIBRARY}statistics/summaries.py": (26, ("Summarise", "Draw", *PAGES)),
    "summaries/columns.py": (26, ("Summarise", "Draw", *PAGES)),
    "figures/style.py": (15, ("Draw", PLAYGROUND, *PAGES)),
    "figures/captions/figure_4.md.j2": (3, ("Draw figure_4", *PAGES)),
    "figures/figure_4.py": (3, ("Draw figure_4", *PAGES)),
    "claims/ledger/rules.csv": (4, ("Decide", PLAYGROUND, *PAGES)),
    "claims/paper/figure_4.py": (5, BEHIND_CLAIMS),
    "claims/joined/verdicts.py": (1, PAGES[1:]),
    "experiments/extended/drawn_bandits.py": (0, ()),
    "experiments/paper/setting_4.py": (
        9,
        ("Simulate setting_4 ", "Summarise setting_4", *BEHIND_CLAIMS),
    ),
    f"{LIBRARY}policies/explore_then_commit.py": (
        19,
        (*SIMULATED_AGAIN, "Summarise", PLAYGROUND, *BEHIND_CLAIMS),
    ),
    f"{LIBRARY}theory/bounds.py": (5, ("Measure", "Decide", *PAGES)),
    f"{LIBRARY}engine/play.py": (46, ("Simulate", "Summarise", *BEHIND_CLAIMS)),
    # Files that an editor or a user adds.
    f"{LIBRARY}policies/my_policy.py": (0, ()),
    "experiments/paper/setting_6.py": (0, ()),
    "experiments/paper/.setting_4.py.swp": (0, ()),
    "pages/templates/.index.html.j2.swp": (0, ()),
}
"""How many jobs follow an edit of a file of the packages at most, and how their messages begin."""


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


def test_an_edit_in_the_middle_of_a_run(one_figure: Project, tmp_path: Path) -> None:
    project = one_figure.copy(tmp_path / "project")
    log = project.folder / "results/logs/simulate/setting_4/1of1.log"
    log.unlink()
    with ThreadPoolExecutor(1) as pool:
        run = pool.submit(project.run, "figure_4", options=["--forcerun", "simulate"])
        assert wait_for(log.exists)
        project.append(f"{PACKAGE}/figures/style.py", "# An edit.\n")
    outcome = run.result()
    assert outcome.status == 1
    said = f"{PACKAGE}/figures/style.py changed while the run was at work: run the same command"
    assert said in outcome.text


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
        hashed = [os.path.abspath(path) for path in job.input.get("code", ())]
        found = {"ran": [*ran, *read], "hashed": hashed}
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
        hashed = {os.path.relpath(path, project.folder) for path in found["hashed"]}
        ran = {os.path.relpath(path, project.folder) for path in found["ran"]} - lists
        assert ran - hashed == set(), file.name
        assert ran & hashed
        rules.add(file.stem.split(" ")[1])
    assert rules >= {"simulate", "summarize", "draw_figure", "measure_claims", "write_index"}
    assert rules >= {"compare_verdicts", "confirm_claims", "compare_policies", "decide_claims"}
