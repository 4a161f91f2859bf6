"""Table ``replicates``: more replicates, in time and memory, each in a new process."""

from benchmarks.children import fresh_spread
from benchmarks.effort import Effort
from benchmarks.tables import Row, Table, headed
from benchmarks.timing import one_core, say

NOTE = """
Hard threshold, K = {arms}, T = {horizon:,}, Gaussian rewards, medians [quartiles] over
{repetitions} new processes, one core. `seconds` is the second call: without loading the compiled
kernel. `peak MB` is the largest memory of the process, of which importing the package takes
{imported}.
"""
ARMS = 20
REPETITIONS = 5
HEADINGS = {
    "replicates": "replicates",
    "seconds": "seconds",
    "ns_per_pull": "ns per pull",
    "peak_mb": "peak MB",
}


def make(effort: Effort) -> Table:
    """Simulate ever more replicates."""
    horizon, repetitions = effort.pulls(1_000, 20), effort.repeat(REPETITIONS)
    rows: list[Row] = []
    imported = ""
    with one_core():
        for replicates in effort.replicates:
            say(f"replicates: {replicates:,}")
            job = {"n_arms": ARMS, "horizon": horizon, "replicates": replicates}
            new = fresh_spread(job, repetitions)
            imported = f"{new['import_mb'].median:.0f}"
            rows.append(
                {
                    "replicates": replicates,
                    "seconds": new["second_s"],
                    "ns_per_pull": new["second_s"].median * 1e9 / (horizon * replicates),
                    "peak_mb": new["peak_mb"],
                }
            )
    note = NOTE.format(arms=ARMS, horizon=horizon, repetitions=repetitions, imported=imported)
    return Table("replicates", "More replicates", note, rows, headed(rows, HEADINGS))
