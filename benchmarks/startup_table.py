"""Table ``startup``: the first call of a new process, compiled kernels there or not."""

from benchmarks.children import fresh_spread
from benchmarks.effort import Effort
from benchmarks.tables import Goal, Row, Table, Value
from benchmarks.timing import one_core, say

NOTE = """
Seconds in a new process, medians [quartiles] over {repetitions} processes ({cold} cold ones), one
core: importing the package, the first call of `simulate` (K = 20, T = 100), and the second. Warm:
the kernels were compiled by an earlier process; cold: nothing was. What is compiled is one policy's
loop, lanes or blocks.
"""
COLD_REPETITIONS = 3
WARM_LIMIT, COLD_LIMIT = 0.5, 8.0
KERNELS = (
    ("hard_threshold_ucb", "lanes"),
    ("hard_threshold_ucb", "blocks"),
    ("fair_learn", "lanes"),
    ("lfg", "lanes"),
)


def make(effort: Effort) -> Table:
    """Start new processes, warm and cold."""
    rows: list[Row] = []
    view: list[Row] = []
    goals: list[Goal] = []
    cold_repetitions = effort.repeat(COLD_REPETITIONS)
    with one_core():
        for cold in (False, True):
            state = "cold" if cold else "warm"
            for policy, engine in KERNELS if effort.repetitions > 1 else KERNELS[:1]:
                say(f"startup: {state}, {policy}, {engine}")
                job: dict[str, Value] = {
                    "policy": policy,
                    "n_arms": 20,
                    "family": "gaussian",
                    "horizon": 100,
                    "replicates": 8,
                    "engine": engine,
                }
                found = fresh_spread(
                    job, cold_repetitions if cold else effort.repetitions, cold=cold
                )
                rows.append(
                    {
                        "state": state,
                        "policy": policy,
                        "loop": engine,
                        **found["import_s"].fields("import_s"),
                        **found["first_s"].fields("first_s"),
                        **found["second_s"].fields("second_s"),
                    }
                )
                view.append(
                    {
                        "": state,
                        "policy": policy,
                        "loop": engine,
                        "import": str(found["import_s"]),
                        "first call": str(found["first_s"]),
                        "second call": str(found["second_s"]),
                    }
                )
                limit = COLD_LIMIT if cold else WARM_LIMIT
                text = f"seconds of the first call, {state}, {policy} ({engine})"
                first = found["first_s"]
                goals.append(Goal(text, limit, first.median, str(first), at_least=False))
    note = NOTE.format(repetitions=effort.repetitions, cold=cold_repetitions)
    return Table("startup", "The first call", note, rows, view, goals)
