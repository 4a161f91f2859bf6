"""Table ``loops``: lanes against blocks of arms, and where they cross."""

import math
from itertools import pairwise

import numpy as np

from benchmarks.effort import Effort
from benchmarks.instances import linear_instance
from benchmarks.policies_table import contender
from benchmarks.tables import Row, Table, headed
from benchmarks.timing import alternate, number, one_core, say, spread
from penalized_bandits.engine.simulate import MANY_ARMS, Engine

NOTE = """
Hard threshold, Gaussian rewards, {repetitions} repetitions in turn, one core. Lanes are played with
as many replicates as the column says, blocks with {blocks}, one after the other. Interpolated on
logarithmic axes they cross at {crossing}; the engine takes blocks from K = {limit:,} on.
"""
REPETITIONS = 3
BLOCK_REPLICATES = 4
HEADINGS = {
    "arms": "K",
    "horizon": "T",
    "lanes_replicates": "lanes",
    "lanes_ns_per_pull": "lanes, ns per pull",
    "blocks_ns_per_pull": "blocks, ns per pull",
    "lanes_over_blocks": "lanes / blocks",
}


def _size(n_arms: int, effort: Effort) -> tuple[int, int]:
    """Return the horizon, and the replicates played as lanes."""
    horizon = effort.pulls(max(10_000, 4 * n_arms), 2 * n_arms)
    return horizon, effort.pulls(128 if n_arms <= 2_000 else 32, 8)


def make(effort: Effort) -> Table:
    """Time both loops for a range of numbers of arms."""
    rows: list[Row] = []
    medians: list[tuple[int, float]] = []
    repetitions = effort.repeat(REPETITIONS)
    with one_core():
        for n_arms in effort.loop_arms:
            say(f"loops: K = {n_arms:,}")
            instance = linear_instance(n_arms, "gaussian")
            horizon, lanes = _size(n_arms, effort)
            sizes: dict[Engine, int] = {"lanes": lanes, "blocks": BLOCK_REPLICATES}
            times = alternate(
                [
                    contender("hard_threshold_ucb", instance, horizon, size, engine, engine)
                    for engine, size in sizes.items()
                ],
                repetitions,
            )
            ratio = spread(times["lanes"] / times["blocks"])
            medians.append((n_arms, ratio.median))
            row: Row = {"arms": n_arms, "horizon": horizon, "lanes_replicates": lanes}
            row |= {f"{name}_ns_per_pull": spread(ns) for name, ns in times.items()}
            rows.append({**row, "lanes_over_blocks": ratio})
    note = NOTE.format(
        repetitions=repetitions,
        blocks=BLOCK_REPLICATES,
        crossing=_crossing(medians),
        limit=MANY_ARMS,
    )
    return Table("loops", "Lanes against blocks of arms", note, rows, headed(rows, HEADINGS))


def _crossing(medians: list[tuple[int, float]]) -> str:
    """Say at how many arms the ratio of the two loops passes 1."""
    for (few, low), (many, high) in pairwise(medians):
        if low < 1 <= high:
            share = -math.log(low) / (math.log(high) - math.log(low))
            return f"about K = {number(float(np.round(few * (many / few) ** share, -1)))}"
    return "no number of arms measured"
