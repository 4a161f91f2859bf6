"""What a pull costs, as the benchmark ``costs`` measured it (``costs.csv``).

Policies that came later were timed beside the hard threshold alone (``cost_ratios.csv``,
made by ``python -m benchmarks.cost_ratios``).
"""

import csv
import math
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from penalized_bandits.policies import PAPER_POLICY, POLICIES

COSTS = Path(__file__).parent / "costs.csv"
"""Columns policy, rewards, arms, horizon, ns_per_pull."""
RATIOS = COSTS.with_name("cost_ratios.csv")
"""Columns policy, arms, times: how many times as much as the reference a pull costs."""
PLAIN_NS = (20_000.0, 1_000.0)
"""A round in plain Python, and each arm of it: the order of magnitude."""
COSTS_LIKE = {"categorical": "gaussian", "deterministic": "bernoulli"}
"""Reward families that were not timed, and those that cost the same (docs/performance.md)."""
LANES_TIMED = 128
"""Replicates with which runs in lanes were timed."""
ROUND_COST = 20
"""What a round costs apart from its replicates, in replicates: few of them cost more each."""
FEWEST = 8
"""Replicates below which each costs no more than with so many."""
MANY_ARMS_FROM = 700
"""Arms from which on replicates are played one by one: the engine's MANY_ARMS."""


def _extended(x: float, points: Sequence[tuple[float, float]]) -> float:
    """Interpolate between points on logarithmic axes, and go on beyond the last one."""
    if len(points) == 1 or x <= points[0][0]:
        return points[0][1]
    above = next((i for i, point in enumerate(points) if point[0] >= x), len(points) - 1)
    (x0, y0), (x1, y1) = points[above - 1], points[above]
    return y0 * (y1 / y0) ** (math.log(x / x0) / math.log(x1 / x0))


@cache
def _costs() -> dict[tuple[str, str], dict[int, list[tuple[float, float]]]]:
    """Read what was measured: (horizon, ns) by number of arms, by policy and rewards."""
    costs: dict[tuple[str, str], dict[int, list[tuple[float, float]]]] = {}
    with COSTS.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            by_arms = costs.setdefault((row["policy"], row["rewards"]), {})
            by_arms.setdefault(int(row["arms"]), []).append(
                (float(row["horizon"]), float(row["ns_per_pull"]))
            )
    return costs


@cache
def _ratios() -> dict[str, list[tuple[float, float]]]:
    """Read (arms, times) by policy."""
    ratios: dict[str, list[tuple[float, float]]] = {}
    with RATIOS.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            ratios.setdefault(row["policy"], []).append((float(row["arms"]), float(row["times"])))
    return ratios


def _is_plain(policy: str) -> bool:
    """Say whether a policy chooses by itself in plain Python."""
    rule = POLICIES.get(policy)
    if rule is None or rule.choose is None:
        return False
    return not rule.compiles and not hasattr(rule.choose, "py_func")


@cache
def nanoseconds(policy: str, rewards: str, n_arms: int, horizon: int) -> float:
    """Return what a pull costs on one core, in nanoseconds.

    A policy or family that was never timed costs as much as the costliest that was, or as much
    as plain Python if it is that.
    """
    if _is_plain(policy):
        return PLAIN_NS[0] + PLAIN_NS[1] * n_arms
    if policy in _ratios():
        times = _extended(n_arms, _ratios()[policy])
        return times * nanoseconds(PAPER_POLICY, rewards, n_arms, horizon)
    family = COSTS_LIKE.get(rewards, rewards)
    costs = _costs()
    known = [costs[policy, family]] if (policy, family) in costs else list(costs.values())
    return max(
        _extended(n_arms, [(arms, _extended(horizon, by_t)) for arms, by_t in by_arms.items()])
        for by_arms in known
    )


def cost_of_few(replicates: float, n_arms: int) -> float:
    """Return how many times as much a pull costs with so many replicates in a job."""
    if n_arms >= MANY_ARMS_FROM:
        return 1.0
    return (1 + ROUND_COST / max(replicates, FEWEST)) / (1 + ROUND_COST / LANES_TIMED)
