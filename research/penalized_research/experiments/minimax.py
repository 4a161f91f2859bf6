"""Regret over sqrt(K T): bandits whose gaps are chosen for each horizon, and random ones.

Gaps are multiples of sqrt(K log T/T), around 0 where no arm has a fraction, and around the penalty
rate of 0.3 where the fractions share a given part of 1.
"""

from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from math import log, sqrt
from typing import Annotated

import numpy as np
from pydantic import Field

from penalized_bandits.bandit.rewards import Bernoulli, Deterministic
from penalized_bandits.common.typing import FloatArray
from penalized_replication.experiments.base import Case, Context, at_horizon, declare
from penalized_replication.experiments.keys import RegretSection, Values

RATE = 0.3
BEST = 0.75
GAPS = (0.25, 0.5, 1.0)
"""Multiples of sqrt(K log T/T)."""
GROWTH = 0.5
"""The multiple at which regret is followed over horizons."""
WORST, RANDOM, FIXED, TOGETHER = "worst", "random", "fixed", "together"
"""Groups of bandits."""


class MinimaxSection(RegretSection):
    arms: Values[Annotated[int, Field(ge=2, le=1000)]]
    """Number of arms K, or a list."""
    free: Values[Annotated[float, Field(ge=0, lt=1)]]
    """Values of 1 − Σ τ_k, from 0."""


def without_fractions(arms: int, multiple: float) -> str:
    """Return the name of the bandit without fractions, its gaps a multiple of the detectable."""
    return f"K{arms}_free1_gap{multiple:g}"


def _worst(arms: int, free: list[float], horizon: int) -> Iterator[tuple[Case, FloatArray]]:
    """Yield bandits whose gaps are near the least that can be detected, and their rates."""
    for multiple in GAPS:
        gap, rates = multiple * sqrt(arms * log(horizon) / horizon), np.full(arms, RATE)
        means = np.r_[min(0.5 + gap, 1.0), np.full(arms - 1, 0.5)]
        name, label = without_fractions(arms, multiple), f"K = {arms}, τ = 0, gap × {multiple:g}"
        yield Case(name, means, np.zeros(arms), Bernoulli(), (), label=label, group=WORST), rates
        for share, kind in product(free, ("wide", "mixed")):
            # The gaps of all arms but the best deviate from A, upwards or both ways.
            signs = np.where(np.arange(arms - 1) % 2, -1.0 if kind == "mixed" else 1.0, 1.0)
            lower = np.maximum(BEST - RATE - signs * gap, 0.0)
            tau = np.full(arms, (1 - share) / arms)
            name = f"K{arms}_free{share:g}_gap{multiple:g}_{kind}"
            label = f"K = {arms}, Σ τ = {1 - share:g}, gap A + × {multiple:g}, {kind}"
            means = np.r_[BEST, lower]
            yield Case(name, means, tau, Bernoulli(), (), label=label, group=WORST), rates


def _random(
    arms: int, free: list[float], horizon: int, context: Context
) -> Iterator[tuple[Case, FloatArray]]:
    """Yield bandits with means and rates of their own for each replicate, (R, K) each."""
    from penalized_bandits.engine.streams import Stream

    weights = 1 / np.arange(1, arms + 1)
    for share in free:
        name = f"{RANDOM}_K{arms}_free{share:g}"
        stream = Stream(context.seed, ("minimax", name, str(horizon)), context.first_replicate)
        means, exponents = (
            stream.named(what).uniforms(context.replicates, arms) for what in ("means", "penalties")
        )
        tau = (1 - share) * weights / weights.sum()
        label = f"random, K = {arms}, Σ τ = {1 - share:g}"
        rates = 0.01 * (100 * sqrt(horizon)) ** exponents
        yield Case(name, means, tau, Bernoulli(), (), label=label, group=RANDOM), rates


def _others(horizon: int) -> Iterator[tuple[Case, FloatArray]]:
    """Yield the bandits of Proposition H, seen where two arms are due, and one of fixed gaps."""
    means, tau = np.array([0.9, 0.5, 0.5]), np.array([0.1, 0.3, 0.3])
    for name, scale in (("root", 1), ("large", 1000)):
        label = f"Proposition H, A = {scale:,} √T"
        case = Case(f"H_{name}", means, tau, Deterministic(), (), label=label, group=TOGETHER)
        yield case, np.full(3, scale * sqrt(horizon))
    means, tau = np.array([0.9, 0.6, 0.3]), np.array([0.1, 0.2, 0.2])
    case = Case(FIXED, means, tau, Bernoulli(), (), label="μ = (0.9, 0.6, 0.3)", group=FIXED)
    yield case, np.array([0.35, 0.5, 0.2])


@declare("log_of")
def minimax(section: MinimaxSection, context: Context) -> Iterator[Case]:
    """Regret over √(K T) on the worst gaps."""
    for horizon in section.horizons:
        bandits = list(_others(horizon))
        for arms in section.arms:
            bandits += _worst(arms, [x for x in section.free if x > 0], horizon)
            bandits += _random(arms, section.free, horizon, context)
        for bandit, rates in bandits:
            # Two arms of Proposition H are due in round 10 m + 4.
            end = horizon - horizon % 10 + 4 if bandit.group == TOGETHER else horizon
            yield at_horizon(bandit, end, section.policies, context, rates)


EXPERIMENTS = tuple(
    replace(minimax, id=name, title=f"{minimax.title}: {what}")
    for name, what in (
        ("minimax", "up to T = 10⁵"),
        ("minimax_long", "T = 10⁶"),
        ("minimax_policies", "policies of all kinds"),
    )
)
"""By the ids of their sections."""
