"""Table ``peers``: the engine beside what a user would otherwise take."""

from collections.abc import Callable
from functools import partial

import numpy as np

from benchmarks.effort import Effort
from benchmarks.instances import linear_instance
from benchmarks.machine import compiled
from benchmarks.policies_table import contender
from benchmarks.rivals import mabwiser, naive_numba, numpy_replicates, plain_python, smpybandits
from benchmarks.tables import Goal, Row, Table, median, pivot
from benchmarks.timing import Contender, alternate, one_core, say, spread
from penalized_bandits import simulate
from penalized_bandits.common.typing import FloatArray

NOTE = """
Nanoseconds per pull, median over {repetitions} repetitions taken in turn in one process on one
core, and in brackets how many times as long as the engine takes for the same rule. All at T =
{horizon:,}: the engine with 1,000 replicates side by side, numpy with 1,000, the naive loop
{replicates} one after the other, the rest with one. The naive loop and the engine drew the same
rewards and made the same pulls in {same} of {compared} replicates. The quartiles are in the CSV.
"""
ENGINE_HARD, ENGINE_UCB = "this engine, hard threshold", "this engine, UCB1"
NAIVE = "naive numba loop, hard threshold"
NUMPY = "numpy over 1,000 replicates, UCB1"
PYTHON = "plain Python, UCB1"
SMPYBANDITS = "SMPyBandits 0.9.7, UCB"
MABWISER = "mabwiser 2.7.4, UCB1"
NAMES = (ENGINE_HARD, NAIVE, ENGINE_UCB, NUMPY, PYTHON, SMPYBANDITS, MABWISER)

GOALS: dict[str, dict[int, float]] = {
    NAIVE: {5: 5, 20: 10, 118: 18} if "avx512f" in compiled() else {5: 4, 20: 6, 118: 9},
    SMPYBANDITS: {5: 1_000, 20: 1_000},
    MABWISER: {5: 1_000, 20: 1_000},
    NUMPY: {5: 3, 20: 3, 118: 2.5},
}
"""How many times faster the engine should be, for each number of arms."""


def _peers() -> dict[str, Callable[..., object]]:
    """Return the loops in Python that can be run here."""
    loops: dict[str, Callable[..., object]] = {PYTHON: plain_python.play}
    if smpybandits.is_installed():
        loops[SMPYBANDITS] = smpybandits.play
    if mabwiser.is_installed():
        loops[MABWISER] = mabwiser.play
    return loops


def _ratio(name: str, times: dict[str, FloatArray]) -> FloatArray:
    """Return how many times as long as the engine a contender takes for the same rule."""
    return times[name] / times[ENGINE_HARD if name in (ENGINE_HARD, NAIVE) else ENGINE_UCB]


def make(effort: Effort) -> Table:
    """Time the engine and its peers in turn."""
    horizon, naive = effort.pulls(10_000, 20), effort.pulls(32, 2)
    # As many in a quick run: with fewer, numpy would only be calling functions.
    many = 1_000
    rows: list[Row] = []
    goals: list[Goal] = []
    same = compared = 0
    loops = _peers()
    with one_core():
        for n_arms in effort.peer_arms:
            for family in ("gaussian", "bernoulli"):
                say(f"peers: K = {n_arms}, {family}")
                instance = linear_instance(n_arms, family)
                times = alternate(
                    [
                        contender("hard_threshold_ucb", instance, horizon, many, ENGINE_HARD),
                        Contender(
                            NAIVE,
                            horizon * naive,
                            partial(naive_numba.play, instance, horizon, naive, seed=0),
                        ),
                        contender("ucb1", instance, horizon, many, ENGINE_UCB),
                        Contender(
                            NUMPY,
                            horizon * many,
                            partial(numpy_replicates.play, instance, horizon, many, seed=0),
                        ),
                        *(
                            Contender(
                                name, horizon, partial(play, instance, horizon, seed=0), warm=False
                            )
                            for name, play in loops.items()
                        ),
                    ],
                    effort.repetitions,
                )
                ours = simulate("hard_threshold_ucb", instance, horizon, replicates=naive)
                theirs = naive_numba.play(instance, horizon, naive, seed=0)
                same += int(np.all(ours.pulls[:, -1] == theirs, axis=1).sum())
                compared += naive
                for name in NAMES:
                    row: Row = {"what": name, "arms": n_arms, "rewards": family}
                    if name not in times:
                        rows.append({**row, "ns_per_pull": "not installed"})
                        continue
                    ns, ratio = spread(times[name]), spread(_ratio(name, times))
                    rows.append({**row, "ns_per_pull": ns, "times_engine": ratio})
                    if n_arms in GOALS.get(name, {}):
                        text = f"times faster than {name}, K = {n_arms}, {family}"
                        limit = GOALS[name][n_arms]
                        goals.append(Goal(text, limit, ratio.median, str(ratio)))
    note = NOTE.format(
        repetitions=effort.repetitions,
        horizon=horizon,
        replicates=naive,
        same=same,
        compared=compared,
    )
    view = pivot(
        [{**row, "column": f"K = {row['arms']}, {row['rewards']}"} for row in rows],
        ["what"],
        "column",
        _cell,
    )
    order = {name: i for i, name in enumerate(NAMES)}
    goals.sort(key=lambda goal: order[goal.text.removeprefix("times faster than ").split(", K")[0]])
    return Table("peers", "Beside other packages and hand-written loops", note, rows, view, goals)


def _cell(row: Row) -> str:
    if "times_engine" not in row:
        return "not installed"
    ns, ratio = median(row["ns_per_pull"]), median(row["times_engine"])
    return ns if row["what"] in (ENGINE_HARD, ENGINE_UCB) else f"{ns} ({ratio})"
