"""Snakemake on this workflow and on one with a single rule, in the current folder."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from benchmarks.cases import ROOT, Case

PROJECT, ONE_RULE = Path("project"), Path("one_rule")
SINGLE = """rule all:
    output: "done.txt"
    shell: "echo done > {output}"
"""


def _snakemake(folder: Path, case: Case, *options: str) -> str:
    """Return the output of Snakemake in a folder; raise RuntimeError if it fails."""
    # A folder of its own for compiled kernels: none is there when the first run begins.
    kernels = str(Path("kernels").resolve())
    done = subprocess.run(  # noqa: S603
        [sys.executable, "-m", "snakemake", "--cores", str(case.threads), *options],
        cwd=folder,
        env=os.environ | {"PENALIZED_BANDITS_CACHE": kernels, "NUMBA_CACHE_DIR": kernels},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        raise RuntimeError(f"snakemake {' '.join(options)} failed:\n{done.stdout[-2000:]}")
    return done.stdout


def _finished(folder: Path, case: Case, *options: str) -> None:
    """Make a dry run; raise RuntimeError if a job is left to do."""
    output = _snakemake(folder, case, "--dry-run", *options)
    if "Nothing to be done" not in output:
        raise RuntimeError(f"the run in {folder} is not finished:\n{output[-2000:]}")


def _options(case: Case) -> tuple[str, ...]:
    config = ("--configfile", str(ROOT / case.config), "--config", "movielens={source: bundled}")
    return (case.target, "-s", case.snakefile, *config)


def first_run(case: Case) -> None:
    """Run the workflow in a new copy of the project, with no kernel compiled."""
    for folder in (PROJECT, Path("kernels")):
        shutil.rmtree(folder, ignore_errors=True)
    PROJECT.mkdir()
    shutil.copy(ROOT / "Snakefile", PROJECT)
    for name in ("workflow", "config", "profiles", "docs", "research"):
        shutil.copytree(ROOT / name, PROJECT / name)
    _snakemake(PROJECT, case, *_options(case))


def dry_run(case: Case) -> None:
    """Make a dry run after ``first_run``; raise RuntimeError if a job is left to do."""
    _finished(PROJECT, case, *_options(case))


def one_rule(case: Case) -> None:
    """Make a dry run of a finished workflow with one rule."""
    ONE_RULE.mkdir(exist_ok=True)
    (ONE_RULE / "Snakefile").write_text(SINGLE, encoding="utf-8")
    (ONE_RULE / "done.txt").touch()
    _finished(ONE_RULE, case)
