"""Table ``limits``: the longest, widest and most replicated runs that one process should bear."""

from benchmarks.children import fresh
from benchmarks.effort import Effort
from benchmarks.tables import Goal, Row, Table
from benchmarks.timing import number, one_core, say

NOTE = """
Hard threshold, Gaussian rewards, one core, each in a new process, once. Where there are several
calls, each simulates its share of the replicates, and only sums are kept. `reports` is how often
the call said how far it was; `peak MB` is the largest memory of the process, of which importing the
package takes {imported}.
"""
LONGEST, WIDEST, MOST = "T = 10^8", "K = 100,000", "10^6 replicates"
RUNS: dict[str, tuple[int, int, int, int]] = {
    LONGEST: (20, 100_000_000, 1, 1),
    WIDEST: (100_000, 1_000_000, 1, 1),
    MOST: (20, 1_000, 10_000, 100),
}
"""K, T, replicates of a call, and calls."""
GOALS: dict[str, dict[str, float]] = {
    LONGEST: {"peak_mb": 200},
    WIDEST: {"peak_mb": 1_000, "first_s": 30},
    MOST: {"peak_mb": 200},
}
UNITS = {"peak_mb": "megabytes", "first_s": "seconds"}


def make(effort: Effort) -> Table:
    """Run each once."""
    rows: list[Row] = []
    view: list[Row] = []
    goals: list[Goal] = []
    imported = ""
    with one_core():
        for name, (n_arms, horizon, replicates, calls) in RUNS.items():
            say(f"limits: {name}")
            rounds, arms = effort.pulls(horizon), effort.pulls(n_arms, min(n_arms, 20))
            size: Row = {"arms": arms, "horizon": rounds, "replicates": replicates}
            found = fresh(
                {
                    "n_arms": arms,
                    "horizon": rounds,
                    "replicates": replicates,
                    "calls": effort.pulls(calls),
                    "twice": False,
                }
            )
            imported = f"{found['import_mb']:.0f}"
            rows.append({"run": name, **size, "calls": calls, **found})
            view.append(
                {
                    "K": f"{arms:,}",
                    "T": f"{rounds:,}",
                    "replicates": f"{replicates * effort.pulls(calls):,}",
                    "calls": effort.pulls(calls),
                    "seconds": number(found["first_s"]),
                    "peak MB": number(found["peak_mb"]),
                    "reports": f"{found['reports']:.0f}",
                }
            )
            goals += [
                Goal(f"{UNITS[key]} of {name}", limit, found[key], number(found[key]), False)
                for key, limit in GOALS[name].items()
            ]
    return Table("limits", "Long, wide, many", NOTE.format(imported=imported), rows, view, goals)
