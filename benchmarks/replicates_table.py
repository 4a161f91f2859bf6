"""Table ``replicates``: more replicates, in time and memory, each in a new process."""

from benchmarks.children import fresh_spread
from benchmarks.effort import Effort
from benchmarks.tables import Row, Table
from benchmarks.timing import one_core, say, spread

NOTE = """
Hard threshold, K = {arms}, T = {horizon:,}, Gaussian rewards, medians [quartiles] over
{repetitions} new processes, one core. `seconds` is the second call: without loading the compiled
kernel. `peak MB` is the largest memory of the process, of which importing the package takes
{imported}.
"""
ARMS = 20
REPETITIONS = 5


def make(effort: Effort) -> Table:
    """Simulate ever more replicates."""
    horizon, repetitions = effort.pulls(1_000, 20), effort.repeat(REPETITIONS)
    rows: list[Row] = []
    view: list[Row] = []
    imported = ""
    with one_core():
        for replicates in effort.replicates:
            say(f"replicates: {replicates:,}")
            job: Row = {
                "policy": "hard_threshold_ucb",
                "n_arms": ARMS,
                "family": "gaussian",
                "horizon": horizon,
                "replicates": replicates,
            }
            new = fresh_spread(job, repetitions)
            seconds, peak = new["second_s"], new["peak_mb"]
            scale = 1e9 / (horizon * replicates)
            ns = spread([seconds.low * scale, seconds.median * scale, seconds.high * scale])
            imported = f"{new['import_mb'].median:.0f}"
            rows.append(
                {
                    "replicates": replicates,
                    **seconds.fields("seconds"),
                    "ns_per_pull": ns.median,
                    **peak.fields("peak_mb"),
                }
            )
            view.append(
                {
                    "replicates": f"{replicates:,}",
                    "seconds": str(seconds),
                    "ns per pull": f"{ns.median:.1f}",
                    "peak MB": str(peak),
                }
            )
    note = NOTE.format(arms=ARMS, horizon=horizon, repetitions=repetitions, imported=imported)
    return Table("replicates", "More replicates", note, rows, view)
