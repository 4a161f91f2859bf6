"""Table ``startup``: the first call of a new process, compiled kernels there or not.

``python -m benchmarks.startup_table`` prints instead what the jobs of the workflow import.
"""

import re
import sys
import tempfile
from pathlib import Path

from benchmarks.children import fresh_spread
from benchmarks.effort import Effort
from benchmarks.tables import Goal, Row, Table, headed, markdown_table
from benchmarks.timing import one_core, say
from benchmarks.workflow_table import snakemake

NOTE = """
Seconds in a new process, medians [quartiles] over {repetitions} processes ({cold} cold ones), one
core: importing the package, the first call of `simulate` (K = 20, T = 100), and the second. Warm:
the kernels were compiled by an earlier process; cold: nothing was. What is compiled is one policy's
loop, lanes or blocks.
"""
COLD_REPETITIONS = 3
WARM_LIMIT, COLD_LIMIT = 0.5, 8.0
HEADINGS = {
    "state": "",
    "policy": "policy",
    "loop": "loop",
    "import_s": "import",
    "first_s": "first call",
    "second_s": "second call",
}
KERNELS = (
    ("hard_threshold_ucb", "lanes"),
    ("hard_threshold_ucb", "blocks"),
    ("fair_learn", "lanes"),
    ("lfg", "lanes"),
)


def make(effort: Effort) -> Table:
    """Start new processes, warm and cold."""
    rows: list[Row] = []
    goals: list[Goal] = []
    cold_repetitions = effort.repeat(COLD_REPETITIONS)
    with one_core():
        for cold in (False, True):
            state = "cold" if cold else "warm"
            for policy, engine in KERNELS if effort.repetitions > 1 else KERNELS[:1]:
                say(f"startup: {state}, {policy}, {engine}")
                job: dict[str, int | str] = {
                    "policy": policy,
                    "n_arms": 20,
                    "horizon": 100,
                    "replicates": 8,
                    "engine": engine,
                }
                found = fresh_spread(
                    job, cold_repetitions if cold else effort.repetitions, cold=cold
                )
                row: Row = {"state": state, "policy": policy, "loop": engine}
                rows.append(row | {name: found[name] for name in HEADINGS if name in found})
                limit = COLD_LIMIT if cold else WARM_LIMIT
                text = f"seconds of the first call, {state}, {policy} ({engine})"
                first = found["first_s"]
                goals.append(Goal(text, limit, first.median, str(first), at_least=False))
    note = NOTE.format(repetitions=effort.repetitions, cold=cold_repetitions)
    return Table("startup", "The first call", note, rows, headed(rows, HEADINGS), goals)


def imports_by_rule(said: str) -> dict[str, tuple[int, float]]:
    """Return the jobs of each rule, and the seconds of imports of all of them.

    ``said`` is what Snakemake and its jobs wrote, one job at a time, under
    ``PYTHONPROFILEIMPORTTIME``.  What is said before the first job counts as ``snakemake``.
    """
    found, rule = {"snakemake": (1, 0.0)}, "snakemake"
    for line in said.splitlines():
        if begins := re.match(r"Job \d+: rule (\w+)", line):
            rule = begins[1]
            jobs, seconds = found.get(rule, (0, 0.0))
            found[rule] = (jobs + 1, seconds)
        elif imported := re.match(r"import time: +(\d+) \|", line):
            jobs, seconds = found[rule]
            found[rule] = (jobs, seconds + float(imported[1]) * 1e-6)
    return found


def main() -> None:
    """Run the workflow in miniature, a job at a time, and print what its jobs import."""
    with tempfile.TemporaryDirectory() as folder:
        said = snakemake(
            Path(folder),
            "config/quick.yaml",
            {"PYTHONPROFILEIMPORTTIME": "1"},
            "1",
            "simulation={jobs: group}",
        )
    found = imports_by_rule(said)
    own = found.pop("snakemake")[1]
    total, number = sum(s for _, s in found.values()), sum(n for n, _ in found.values())
    rows: list[Row] = [
        {"rule": rule, "jobs": jobs, "seconds a job": f"{seconds / jobs:.2f}"}
        for rule, (jobs, seconds) in sorted(found.items(), key=lambda item: -item[1][1])
    ]
    rows.append({"rule": "all", "jobs": number, "seconds a job": f"{total / number:.2f}"})
    sys.stdout.write(markdown_table(rows) + f"\nSnakemake itself: {own:.2f} s, once.\n")


if __name__ == "__main__":
    main()
