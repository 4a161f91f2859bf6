"""What the jobs of a run execute and read, beside what the workflow hashes for them."""

import json
import os
from collections.abc import Sequence

from penalized_replication.extensions import _LISTS
from workflow_helpers import LIBRARY, PACKAGE, RESEARCH, Project

TRACE = """
import atexit, json, os, sys, threading
from pathlib import Path

PROJECT = Path(__file__).parents[2]
HOUSES = ("src/library", "src/replication", "research")
PACKAGES = tuple(str(PROJECT / house / "penalized_") for house in HOUSES)
FOLDER = PROJECT / "traced"
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


def traced(project: Project, *targets: str, again: Sequence[str]) -> set[str]:
    """Make targets, some rules or files again; return the rules, all of whose code is hashed."""
    (project.folder / "src/library/sitecustomize.py").write_text(TRACE, encoding="utf-8")
    (project.folder / "traced").mkdir()
    project.make(*targets, options=["--forcerun", *again])
    # The list of claims says where they are, too.
    lists = {f"{home}/{name}" for home in (LIBRARY, PACKAGE, RESEARCH) for name in _LISTS}
    lists |= {f"{PACKAGE}/claims/claims.yaml", f"{RESEARCH}/claims/claims.yaml"}
    rules = set[str]()
    for file in (project.folder / "traced").iterdir():
        found = json.loads(file.read_text(encoding="utf-8"))
        hashed = {os.path.relpath(path, project.folder) for path in found["hashed"]}
        ran = {os.path.relpath(path, project.folder) for path in found["ran"]} - lists
        assert ran - hashed == set(), file.name
        assert ran & hashed
        rules.add(file.stem.split(" ")[1])
    return rules
