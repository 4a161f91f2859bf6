"""Table ``lanes``: many replicates side by side against one after the other."""

from benchmarks.effort import Effort
from benchmarks.instances import linear_instance
from benchmarks.policies_table import contender
from benchmarks.tables import Row, Table
from benchmarks.timing import alternate, one_core, say, spread
from penalized_bandits.engine.simulate import Engine, few_replicates

NOTE = """
Hard threshold, Gaussian rewards, nanoseconds per pull, medians [quartiles] over {repetitions}
repetitions in turn, one core, T = {horizon:,}. `blocks` plays replicates one after the other; the
engine takes it for fewer replicates than `from` says. `gain` is its time over that of the most
lanes.
"""
LANES = (1, 2, 3, 4, 8, 32, 128, 256)


def make(effort: Effort) -> Table:
    """Time one replicate after the other, and 1 to 256 side by side."""
    horizon = effort.pulls(50_000, 50)
    rows: list[Row] = []
    view: list[Row] = []
    runs: list[tuple[str, Engine, int]] = [("blocks", "blocks", 4)]
    for n in LANES:
        runs.append((f"{n} lane{'s' if n > 1 else ''}", "lanes", n))  # noqa: PERF401
    with one_core():
        for n_arms in effort.peer_arms:
            say(f"lanes: K = {n_arms}")
            instance = linear_instance(n_arms, "gaussian")
            times = alternate(
                [
                    contender("hard_threshold_ucb", instance, horizon, replicates, name, engine)
                    for name, engine, replicates in runs
                ],
                effort.repetitions,
            )
            rows += [
                {"arms": n_arms, "how": name, "ns_per_pull": spread(ns)}
                for name, ns in times.items()
            ]
            shown: Row = {"K": str(n_arms), "from": str(few_replicates(n_arms))}
            shown |= {name: str(spread(ns)) for name, ns in times.items()}
            gain = spread(times["blocks"] / times[runs[-1][0]])
            view.append({**shown, "gain": str(gain)})
    note = NOTE.format(repetitions=effort.repetitions, horizon=horizon)
    return Table("lanes", "Replicates side by side", note, rows, view)
