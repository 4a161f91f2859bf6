"""Table ``policies``: nanoseconds per pull of every policy and reward family."""

from functools import partial

from benchmarks.effort import Effort
from benchmarks.instances import FAMILIES, linear_instance, tuning_of
from benchmarks.machine import ROOT
from benchmarks.rivals import naive_numba
from benchmarks.tables import Row, Table, median, pivot
from benchmarks.timing import Contender, alternate, one_core, say, spread
from penalized_bandits import Instance, simulate
from penalized_bandits.config import load_config
from penalized_bandits.engine.simulate import Engine
from penalized_bandits.experiments.catalogue import EXPERIMENTS
from penalized_bandits.policies import POLICIES

_MAIN = load_config(ROOT / "config/config.yaml")
TIMED = tuple(dict.fromkeys(p for name in EXPERIMENTS for p in _MAIN.section(name).policies))
"""Policies of the main job."""

NOTE = """
Nanoseconds per pull, median over {repetitions} repetitions ({fewer} from 1,000 arms on), and in
brackets how many times that of a compiled loop that draws the same number of rewards and does
nothing else (`draw only`). Policies beyond the main job with Gaussian rewards and few arms alone.
One core. The CSV has the quartiles, the horizon (10,000, or more with 10,000 arms) and the
replicates (128 side by side; 32 of policies beyond the main job, or 4 one after the other).
"""
MANY, FEWER = 1_000, 5
FEW_REPLICATES = 32, 4
"""Replicates of policies beyond the main job: side by side, and one after the other."""


def size_of(policy: str, n_arms: int, effort: Effort) -> tuple[int, int]:
    """Return (horizon, replicates) that make a run of some hundredths of a second."""
    if n_arms > 5_000:
        return effort.pulls(20 * n_arms, 2 * n_arms), 1
    replicates = 128 if policy in TIMED else FEW_REPLICATES[POLICIES[policy].choose is not None]
    return effort.pulls(10_000, 2 * n_arms), effort.pulls(replicates, 4)


def contender(
    policy: str,
    instance: Instance,
    horizon: int,
    replicates: int,
    name: str = "",
    engine: Engine | None = None,
    threads: int = 1,
) -> Contender:
    """Return a policy's simulation as something to be timed."""
    tuning = tuning_of(policy, instance.n_arms, horizon)
    options = {"replicates": replicates, "tuning": tuning, "engine": engine, "threads": threads}
    run = partial(simulate, policy, instance, horizon, **options)
    return Contender(name or policy, horizon * replicates, run)


def make(effort: Effort) -> Table:
    """Time every policy with every reward family, for few arms and many."""
    rows: list[Row] = []
    with one_core():
        for n_arms in effort.arms:
            sizes = {policy: size_of(policy, n_arms, effort) for policy in POLICIES}
            horizon, replicates = sizes["draw only"] = sizes["hard_threshold_ucb"]
            # Of many arms the choice takes the time, not the reward; of other policies, too.
            for family in list(FAMILIES)[: None if n_arms < MANY else 1]:
                say(f"policies: K = {n_arms:,}, {family}")
                names = POLICIES if family == "gaussian" and n_arms < MANY else TIMED
                instance = linear_instance(n_arms, family)
                draw = partial(naive_numba.draw_only, instance, horizon, replicates, seed=0)
                times = alternate(
                    [
                        Contender("draw only", horizon * replicates, draw),
                        *(contender(policy, instance, *sizes[policy]) for policy in names),
                    ],
                    effort.repeat(FEWER if n_arms >= MANY else None),
                )
                rows += [
                    {
                        "policy": name,
                        "rewards": family,
                        "arms": n_arms,
                        "horizon": sizes[name][0],
                        "replicates": sizes[name][1],
                        "ns_per_pull": spread(ns),
                        "times_draw_only": spread(ns / times["draw only"]),
                    }
                    for name, ns in times.items()
                ]
    note = NOTE.format(repetitions=effort.repetitions, fewer=effort.repeat(FEWER))
    return Table(
        "policies",
        "Every policy and reward family",
        note,
        rows,
        pivot(
            [{**row, "K": f"K = {row['arms']:,}"} for row in rows],
            ["policy", "rewards"],
            "K",
            lambda row: (
                median(row["ns_per_pull"])
                + ("" if row["policy"] == "draw only" else f" ({median(row['times_draw_only'])})")
            ),
        ),
    )
