"""Table ``costs``: what a pull costs in large runs, for their costs to be worked out.

The package keeps a copy of its CSV (``penalized_bandits/plan.py`` reads it).  Unlike the
other tables it looks at instances as Setting 1 draws them, and at long horizons where the
engine takes blocks of arms: the longer a run, the closer the indices of its arms, and the
more blocks have to be looked at.
"""

import time
from collections.abc import Callable
from functools import partial

import numpy as np

from benchmarks.effort import Effort
from benchmarks.instances import FAMILIES, tuning_of
from benchmarks.machine import ROOT
from benchmarks.tables import Row, Table, median, pivot
from benchmarks.timing import one_core, say
from penalized_bandits import Instance, simulate
from penalized_bandits.config import load_config
from penalized_bandits.engine.simulate import MANY_ARMS, Engine
from penalized_bandits.experiments.base import Context, Readings, drawn_means, half_spread
from penalized_bandits.experiments.catalogue import EXPERIMENTS
from penalized_bandits.policies import POLICIES

NOTE = """
Nanoseconds of processor time per pull, median over {repetitions} repetitions. Means are uniform on
[0, 1), drawn for each replicate, A is half their range and τ_k = 0.4/K, as in Setting 1. Lanes are
played with {lanes} replicates of T = 10,000: a longer run costs the same per pull. Where the engine
takes blocks of arms, replicate by replicate, it does not: there are several horizons, timed once.
"""
TOTAL_FAIRNESS = 0.4
FAMILIES_TIMED = ("gaussian", "bernoulli", "beta")
LANES, IN_BLOCKS = 128, 2
"""Replicates of runs in lanes and in blocks."""
_MAIN = load_config(ROOT / "config/config.yaml")
TIMED = tuple(dict.fromkeys(p for name in EXPERIMENTS for p in _MAIN.section(name).policies))
"""Policies of the main job.  Others are timed as multiples (``cost_ratios.py``)."""


def drawn_instance(n_arms: int, family: str, replicates: int) -> Instance:
    """Return a bandit of Setting 1, with these rewards."""
    means = drawn_means(Context(0, Readings(), 0, replicates), n_arms, "costs")
    fairness = np.full(n_arms, TOTAL_FAIRNESS / n_arms)
    return Instance(means, fairness, half_spread(means), FAMILIES[family](means[0]))


def _processor_seconds(run: Callable[[], object]) -> float:
    """Time a run by the time that the processor gives it, which other work disturbs less."""
    start = time.process_time()
    run()
    return time.process_time() - start


def _measured(policy: str, family: str, n_arms: int, effort: Effort) -> list[Row]:
    """Time a policy at one horizon, or at several where the engine takes blocks."""
    blocks = POLICIES[policy].rises and n_arms >= MANY_ARMS
    replicates = IN_BLOCKS if blocks else effort.pulls(LANES, 16)
    instance = drawn_instance(n_arms, family, replicates)
    engine: Engine = "blocks" if blocks else "lanes"
    tuning = tuning_of(policy, n_arms, 2 * n_arms)
    # Compiles.
    simulate(policy, instance, 2 * n_arms, replicates=replicates, tuning=tuning, engine=engine)
    rows: list[Row] = []
    for horizon in effort.cost_horizons if blocks else effort.cost_horizons[:1]:
        rounds = effort.pulls(horizon, 2 * n_arms)
        run = partial(
            simulate,
            policy,
            instance,
            rounds,
            replicates=replicates,
            tuning=tuning_of(policy, n_arms, rounds),
            engine=engine,
        )
        seconds = [_processor_seconds(run) for _ in range(effort.repeat(1 if blocks else None))]
        rows.append(
            {
                "policy": policy,
                "rewards": family,
                "arms": n_arms,
                "horizon": horizon,
                "ns_per_pull": float(f"{np.median(seconds) / rounds / replicates * 1e9:.3g}"),
            }
        )
    return rows


def make(effort: Effort) -> Table:
    """Time the main job's policies, for few arms and many."""
    rows: list[Row] = []
    with one_core():
        for n_arms in effort.cost_arms:
            for family in FAMILIES_TIMED:
                say(f"costs: K = {n_arms:,}, {family}")
                for policy in TIMED:
                    rows += _measured(policy, family, n_arms, effort)
    shown = [{**row, "K": f"K = {row['arms']:,}, T = {row['horizon']:,}"} for row in rows]
    return Table(
        "costs",
        "What a pull costs in large runs",
        NOTE.format(repetitions=effort.repetitions, lanes=LANES),
        rows,
        pivot(shown, ["policy", "rewards"], "K", lambda row: median(row["ns_per_pull"])),
    )
