"""Table ``workflow``: where the time of the main job goes."""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from benchmarks.effort import Effort
from benchmarks.machine import ROOT
from benchmarks.tables import Row, Table
from benchmarks.timing import number, say

NOTE = """
`snakemake --cores all --configfile {config}` in a copy of the project, bundled ratings, {cores}
cores, one run each: cold with no kernel compiled, warm with all of them. Job-seconds are summed
over jobs, which run side by side; a job's start-up is the time until its first line of log (known
for simulations only; in the other jobs it is part of what is shown), and a kernel that is missing
is compiled while simulating.
"""
STAGES = {
    "get_ratings": "ratings",
    "simulate_group": "simulation",
    "summarize": "summaries",
    "summarize_all": "summaries",
    "summarize_and_trace": "summaries",
    "draw_figure": "figures",
    "draw_figure_and_column": "figures",
    "run_notebook": "notebooks",
}
_DONE = re.compile(r"done: .* in ([0-9.]+) s")


@dataclass(frozen=True)
class Job:
    """A job that Snakemake ran."""

    rule: str
    log: str
    start: float
    end: float


def stage_of(rule: str) -> str:
    """Return the row of the table that a rule's jobs are in."""
    if rule.startswith("simulate_") and rule != "simulate_group":
        return "readings flipped"
    return STAGES.get(rule, "claims and pages")


def _jobs(folder: Path) -> list[Job]:
    """Read what Snakemake keeps of each output: when its job began and ended."""
    found: dict[str, Job] = {}
    for path in (folder / ".snakemake" / "metadata").iterdir():
        record = json.loads(path.read_text(encoding="utf-8"))
        log = record["log"][0]
        times = (record["starttime"], record["endtime"])
        found[log] = Job(record["rule"], log, *times)
    return sorted(found.values(), key=lambda job: job.start)


def _inside(folder: Path, job: Job) -> tuple[float, float]:
    """Return the seconds of a simulation job until its first line of log, and simulating."""
    lines = (folder / job.log).read_text(encoding="utf-8").splitlines()
    began = datetime.strptime(lines[0][:23], "%Y-%m-%d %H:%M:%S,%f").astimezone().timestamp()
    done = (_DONE.search(line) for line in lines)
    return began - job.start, sum(float(match[1]) for match in done if match)


def snakemake(
    folder: Path, config_file: str, environment: Mapping[str, str], cores: str, *config: str
) -> str:
    """Run the whole workflow in a folder, with a copy of the project; return what it says."""
    shutil.copy(ROOT / "Snakefile", folder)
    for name in ("workflow", "config", "profiles", "docs"):
        shutil.copytree(ROOT / name, folder / name)
    shutil.copy((ROOT / config_file).resolve(), folder / "timed.yaml")
    command = [sys.executable, "-m", "snakemake", "--cores", cores, "--configfile", "timed.yaml"]
    command += ["--config", "movielens={source: bundled}", *config]
    done = subprocess.run(  # noqa: S603
        command,
        cwd=folder,
        env={**os.environ, **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        raise RuntimeError(f"the workflow failed:\n{done.stdout[-4000:]}")
    return done.stdout


def run(config_file: str, kernels: str) -> dict[str, float]:
    """Run the whole workflow in a copy of the project, with a folder of compiled kernels.

    Returns wall-clock seconds, and job-seconds of every stage.
    """
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        began, start = time.time(), time.perf_counter()
        snakemake(folder, config_file, {"PENALIZED_BANDITS_CACHE": kernels}, cores="all")
        wall = time.perf_counter() - start
        jobs = _jobs(folder)
        seconds: dict[str, float] = defaultdict(float)
        for job in jobs:
            stage = stage_of(job.rule)
            if stage != "simulation":
                seconds[stage] += job.end - job.start
                continue
            startup, simulating = _inside(folder, job)
            seconds["simulation: start-up of jobs"] += startup
            seconds["simulation: simulating"] += simulating
            seconds["simulation: tables"] += job.end - job.start - startup - simulating
        busy = sum(seconds.values())
        return {
            "wall clock": wall,
            "before the first job": jobs[0].start - began,
            "after the last job": wall - (max(job.end for job in jobs) - began),
            **dict(sorted(seconds.items())),
            "all jobs": busy,
        }


def make(effort: Effort) -> Table:
    """Run the workflow cold, then warm, with the kernels that the cold run compiled."""
    with tempfile.TemporaryDirectory() as kernels:
        runs: dict[str, dict[str, float]] = {}
        for state in ("cold", "warm"):
            say(f"workflow: {effort.config_file}, {state}")
            runs[state] = run(effort.config_file, kernels)
    rows: list[Row] = []
    view: list[Row] = []
    whole = ("wall clock", "before the first job", "after the last job")
    for stage in runs["cold"]:
        row: Row = {"stage": stage}
        shown: Row = {"": stage if stage in whole else f"jobs: {stage}"}
        for state, seconds in runs.items():
            share = seconds[stage] / seconds["wall clock" if stage in whole else "all jobs"]
            row |= {f"{state}_s": round(seconds[stage], 2), f"{state}_share": round(share, 4)}
            shown |= {f"{state}, s": number(seconds[stage]), f"{state}, share": f"{share:.0%}"}
        rows.append(row)
        view.append(shown)
    note = NOTE.format(config=effort.config_file, cores=os.cpu_count())
    return Table("workflow", "The whole main job", note, rows, view)
