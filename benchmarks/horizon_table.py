"""Table ``horizon``: longer runs, of one replicate and of 128."""

from benchmarks.children import fresh_spread
from benchmarks.effort import Effort
from benchmarks.instances import linear_instance
from benchmarks.policies_table import contender
from benchmarks.tables import Goal, Row, Table, headed
from benchmarks.timing import alternate, one_core, say, spread

NOTE = """
Hard threshold, K = {arms}, Gaussian rewards, medians [quartiles] over {repetitions} repetitions
({fewer} from 10^8 pulls on), one core. `peak MB` is the largest memory of a new process that
simulates one replicate, of which importing the package takes {imported}.
"""
ARMS = 20
FEWER = 3
LONGEST, SECONDS, MEGABYTES = 10_000_000, 1.5, 300
HEADINGS = {
    "horizon": "T",
    "ns_per_pull_1": "1 replicate, ns per pull",
    "seconds_1": "1 replicate, seconds",
    "ns_per_pull_128": "128 replicates, ns per pull",
    "peak_mb": "peak MB",
}


def make(effort: Effort) -> Table:
    """Time horizons one after the other, then measure the memory of new processes."""
    rows: list[Row] = []
    goals: list[Goal] = []
    instance = linear_instance(ARMS, "gaussian")
    imported = ""
    with one_core():
        for horizon in effort.horizons:
            row: Row = {"horizon": horizon}
            for replicates in (1, 128):
                say(f"horizon: T = {horizon:,}, {replicates} replicates")
                long = horizon * replicates >= 10**8
                run = contender("hard_threshold_ucb", instance, horizon, replicates)
                times = alternate([run], effort.repeat(FEWER if long else None))[run.name]
                row[f"ns_per_pull_{replicates}"] = spread(times)
                if replicates == 1:
                    row["seconds_1"] = spread(times * horizon / 1e9)
            job = {"n_arms": ARMS, "horizon": horizon, "replicates": 1}
            new = fresh_spread(job, effort.repeat(FEWER))
            imported = f"{new['import_mb'].median:.0f}"
            rows.append({**row, "peak_mb": new["peak_mb"]})
            if horizon == LONGEST:
                what = f"of one replicate of T = {horizon:,}, K = {ARMS}, in a new process"
                for name, limit, text in (
                    ("first_s", SECONDS, "seconds"),
                    ("peak_mb", MEGABYTES, "megabytes"),
                ):
                    found = new[name]
                    goals.append(
                        Goal(f"{text} {what}", limit, found.median, str(found), at_least=False)
                    )
    note = NOTE.format(
        arms=ARMS,
        repetitions=effort.repetitions,
        fewer=effort.repeat(FEWER),
        imported=imported,
    )
    return Table("horizon", "Longer runs", note, rows, headed(rows, HEADINGS), goals)
