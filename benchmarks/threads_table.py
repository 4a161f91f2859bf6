"""Table ``threads``: one thread against two."""

import os
from functools import partial

from benchmarks.effort import Effort
from benchmarks.instances import linear_instance
from benchmarks.policies_table import contender
from benchmarks.rivals.two_cores import STEPS, two_loops
from benchmarks.tables import Goal, Row, Table, headed
from benchmarks.timing import Contender, alternate, say, spread

NOTE = """
Hard threshold, Gaussian rewards, {replicates:,} replicates of T = {horizon:,}, {repetitions}
repetitions in turn, all cores. `of the fastest` is the ratio of the fastest repetitions, which
other work on the machine disturbs least. With blocks (K = 2,000) there are {few} replicates.
`ceiling` is what two threads bring a loop of multiplications, which needs no memory and waits for
nothing, between the same repetitions: what the machine's second core was worth at the time.
"""
HORIZON = 10_000
LIMIT = 1.9
FEW = 64
HEADINGS = {
    "arms": "K",
    "ns_per_pull_1": "1 thread, ns per pull",
    "ns_per_pull_2": "2 threads, ns per pull",
    "times_faster": "times faster",
    "times_faster_fastest": "of the fastest",
    "ceiling": "ceiling",
}


def make(effort: Effort) -> Table:
    """Time one thread and two in turn."""
    many = effort.pulls(2_048, 128)
    steps = effort.pulls(STEPS)
    rows: list[Row] = []
    goals: list[Goal] = []
    for n_arms, replicates in (
        *((n_arms, many) for n_arms in effort.peer_arms),
        *((n_arms, FEW) for n_arms in effort.loop_arms if n_arms == 2_000),
    ):
        say(f"threads: K = {n_arms:,}")
        instance = linear_instance(n_arms, "gaussian")
        horizon = effort.pulls(HORIZON, min(n_arms, HORIZON))
        times = alternate(
            [
                contender(
                    "hard_threshold_ucb",
                    instance,
                    horizon,
                    replicates,
                    str(threads),
                    threads=threads,
                )
                for threads in (1, 2)
            ]
            + [
                Contender(f"ceiling {threads}", 2 * steps, partial(two_loops, threads, steps))
                for threads in (1, 2)
            ],
            effort.repetitions,
        )
        ratio = spread(times["1"] / times["2"])
        ceiling = spread(times["ceiling 1"] / times["ceiling 2"])
        fastest = times["1"].min() / times["2"].min()
        rows.append(
            {
                "arms": n_arms,
                "replicates": replicates,
                "ns_per_pull_1": spread(times["1"]),
                "ns_per_pull_2": spread(times["2"]),
                "times_faster": ratio,
                "times_faster_fastest": round(float(fastest), 3),
                "ceiling": ceiling,
            }
        )
        # One core cannot show what a second thread brings.
        if (os.cpu_count() or 1) > 1:
            text = f"times faster with two threads than with one, K = {n_arms:,}"
            goals.append(Goal(text, LIMIT, ratio.median, str(ratio)))
    note = NOTE.format(
        replicates=many, horizon=effort.pulls(HORIZON), repetitions=effort.repetitions, few=FEW
    )
    return Table("threads", "Threads", note, rows, headed(rows, HEADINGS), goals)
