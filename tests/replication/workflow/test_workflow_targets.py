"""Targets and their files, lint, the report, what a run leaves; errors of users before any job."""

import json
import re
import subprocess
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from config_helpers import ROOT
from penalized_replication.config.files import read
from penalized_replication.figures import EVERY_FIGURE
from penalized_replication.workflow.paths import RATINGS, claims_files, figure_files
from programs import printed_by
from smoke_run import EXPERIMENTS, FILES
from workflow_helpers import Outcome, Project, contents, environment, made_in, several

FIGURE_4 = {*FILES.replicates("setting_4"), *FILES.summaries("setting_4")}
FIGURE_4 |= {*FILES.measured("setting_4"), *figure_files("figure_4")}
LOG_LAWS = {*FILES.replicates("log_laws", "deterministic"), *FILES.summaries("log_laws")}
LOG_LAWS |= {*FILES.measured("log_laws")}
EVERYTHING = {*FILES.default(), "results/provenance.json", "results/checksums.txt"}
TARGETS = {
    "all": EVERYTHING,
    "get_ratings": {*RATINGS},
    "setting_4": FIGURE_4,
    "figure_4": FIGURE_4,
    "log_laws": LOG_LAWS,
    "claims": EVERYTHING & {*FILES.replicates(*EXPERIMENTS), *RATINGS, *claims_files()}
    | {file for file in EVERYTHING if "/measured/" in file},
}
"""Files that a run for a target makes."""
SETS = read(ROOT / "config/scenarios.yaml").keys()


@pytest.fixture(scope="module")
def outputs(fresh: Project) -> dict[str, Outcome]:
    """Return the planned files of each target in a copy without results, and lists of rules."""
    requests = {target: fresh.planned(target) for target in TARGETS}
    for option in ("--list-rules", "--lint"):
        requests[option] = fresh.request(options=[option])
    return several(requests, fresh.kernels)


@pytest.mark.parametrize("target", TARGETS)
def test_a_target_makes_its_files_alone(outputs: dict[str, Outcome], target: str) -> None:
    assert made_in(outputs[target]) == TARGETS[target]


def test_targets_are_explained(outputs: dict[str, Outcome]) -> None:
    listed = dict(re.findall(r"(?m)^(\w+)(?: \((.*)\))?$", outputs["--list-rules"].text))
    wanted = {*EXPERIMENTS, *EVERY_FIGURE, *TARGETS, *SETS}
    assert wanted <= set(listed)
    for rule in (*TARGETS, *SETS, *EVERY_FIGURE):
        assert len(listed[rule]) > 20, rule


def test_lint_asks_only_for_an_environment_per_rule(outputs: dict[str, Outcome]) -> None:
    # One environment serves all rules: see docs/design.md.
    complaints = set(re.findall(r"(?m)^ +\* (.*)$", outputs["--lint"].text))
    assert complaints == {"Specify a conda environment or container for each rule.:"}


def test_the_smoke_run_makes_every_file_and_logs_no_warning(smoke_run: Project) -> None:
    logs = {file for file in smoke_run.files() if "/logs/" in file}
    assert smoke_run.files() - logs == EVERYTHING
    assert all((smoke_run.folder / file).stat().st_size for file in smoke_run.files())
    for log in logs:
        text = (smoke_run.folder / log).read_text(encoding="utf-8")
        assert re.match(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d,\d+ INFO ", text), log
        assert not re.search("WARNING|ERROR", text), log
        if "/simulate/" in log:
            # The bound on any job; the smoke run's jobs are mostly imports and compilation.
            peak = re.search(r"peak memory (\d+) MiB", text)
            assert peak is not None, log
            assert 50 < int(peak[1]) <= 1024, log


def test_second_run_finds_nothing_to_do(smoke_run: Project) -> None:
    before = contents(smoke_run)
    again = smoke_run.run()
    assert again.status == 0
    assert "Nothing to be done" in again.text
    assert contents(smoke_run) == before


@pytest.mark.sample
def test_one_figure_on_one_core(smoke_run: Project, one_figure: Project) -> None:
    made = {file for file in one_figure.files() if "/logs/" not in file}
    assert made == FIGURE_4
    for file in made:
        here, there = (project.folder / file for project in (one_figure, smoke_run))
        assert here.read_bytes() == there.read_bytes(), file


def test_provenance_and_checksums(smoke_run: Project) -> None:
    provenance = json.loads((smoke_run.folder / "results/provenance.json").read_text("utf-8"))
    assert provenance["seed"] == provenance["config"]["seed"] == 7
    assert re.fullmatch(r"[0-9a-f]{12}", provenance["code"])
    ratings = provenance["ratings"]
    assert (ratings["source_used"], bool(ratings["retrieved_at"])) == ("bundled", True)
    assert "MovieLens" in ratings["citation"]
    assert provenance["versions"]["numpy"] == np.__version__
    assert provenance["versions"]["pandas"] == pd.__version__
    lines = (smoke_run.folder / "results/checksums.txt").read_text("utf-8").splitlines()
    assert {line.partition("  ")[2] for line in lines} == set(FILES.same())
    command = ["sha256sum", "--check", "--quiet", "--strict", "results/checksums.txt"]
    subprocess.run(command, cwd=smoke_run.folder, check=True)


OFFLINE = """
import sys
from snakemake.cli import main
sys.addaudithook(lambda event, _: 1 / (event not in ("socket.connect", "socket.getaddrinfo")))
main()
"""


@pytest.mark.slow
def test_report_has_the_figures_and_needs_no_network(smoke_run: Project, tmp_path: Path) -> None:
    project = smoke_run.copy(tmp_path / "run")
    how = {"cwd": project.folder, "env": environment(project.folder, project.kernels)}
    options = ["--report", "report.html", "--configfile", "tiny.yaml"]
    printed_by(OFFLINE, *options, **how)
    page = (project.folder / "report.html").read_text(encoding="utf-8")
    assert not re.search('(src|href)="(http|//)', page)
    assert "<p>A replication of Fang, Li and Samorodnitsky" in page
    results = json.loads(re.findall(r"(?s)var results = ({.*?});?\s*</script>", page)[0])
    for name in FILES.figures():
        shown = results[f"results/figures/{name}.png"]
        assert shown["labels"] == EVERY_FIGURE[name].labels
        assert shown["data_uri"].startswith("data:image/png;")
        assert shown["caption"].startswith("<p><strong>")


# Snakemake's own reader of YAML comes first.
TEXTS = {
    "a case with a command": (
        'setting_2: {cases: {"a; touch RAN": {means: [0.5, 0.4], fairness: [0.1, 0.1]}}}',
        "setting_2.cases.'a; touch RAN': String should match pattern",
    ),
    "code": ('seed: !!python/object/apply:os.system ["touch RAN"]', "not valid JSON or YAML"),
    "no such archive": ("movielens: {source: archive, archive: no/a.zip}", "no/a.zip"),
    "an octal": ("seed: 010", "an octal.yaml, line 1: seed: 010 is 8 in YAML 1.1"),
}
PARTS = ("3of2", "0of2", "1of0", "5of9")
RESERVED = ("all", "default", "figure_1", "setting_1", "simulate")
WORDS = {
    **{name: [words] for name, (_, words) in TEXTS.items()},
    **{name: ["copy that into config/"] for name in ("no config", "no base")},
    "seed=010": ["--config seed=010: write numbers in decimal digits"],
    "sede=8": ["sede: unknown key"],
    **{f"{p}.parquet": [f"setting_1 has no part {p[0]} of {p[3]}: parts"] for p in PARTS},
    "figure_9": ["there is no target figure_9: known are all, claims, ", ", figure_4, "],
    "sets": ["config/scenarios.yaml: all, default, figure_1, setting_1, simulate is the name of a"],
}


@pytest.fixture(scope="module")
def said(fresh: Project, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Outcome]:
    """Return the outcome of a run with each config; no dry run, so that jobs could start."""
    project = fresh.copy(tmp_path_factory.mktemp("errors") / "project")
    requests = {}
    for name, (text, _) in TEXTS.items():
        (project.folder / f"{name}.yaml").write_text(text + "\n", encoding="utf-8")
        # Should it be taken, one job and not twenty.
        requests[name] = project.request("get_ratings", config=f"{name}.yaml")
    bare = project.copy(tmp_path_factory.mktemp("bare") / "project")
    (bare.folder / "config/config.yaml").unlink()
    requests["no config"] = bare.request("get_ratings", config=None)
    requests["no base"] = bare.request("get_ratings")
    for entry in ("seed=010", "sede=8"):
        requests[entry] = project.request("get_ratings", options=["--config", entry])
    requests["figure_9"] = project.request("figure_9")
    for part in PARTS:
        file = f"results/replicates/setting_1/{part}.parquet"
        requests[f"{part}.parquet"] = project.request(file, options=["--dry-run"])
    named = project.copy(tmp_path_factory.mktemp("named") / "project")
    named.set_scenarios({name: {f"my_{name}": {"seed": 3}} for name in (*RESERVED, "own")})
    requests["sets"] = named.request("get_ratings")
    outcomes = several(requests, project.kernels)
    assert not list(project.folder.rglob("RAN*"))
    assert not list(project.folder.glob("results/movielens/rating_counts.csv"))
    return outcomes


@pytest.mark.sample
@pytest.mark.parametrize("name", WORDS)
def test_refused_before_any_job(said: dict[str, Outcome], name: str) -> None:
    status, text = said[name]
    assert status == 1
    for words in WORDS[name]:
        assert words in text, text
    # Snakemake's own, where an input function ends in an error.
    assert "Traceback (most recent call last)" not in text
    assert len(text) < 20_000
    assert "Get the ratings" not in text
    assert "this key is required" not in text
