"""Factories of evidence on arms that keep their levels: Settings 2 and 3, penalty rates, LFG."""

from collections.abc import Callable

import numpy as np

from config_helpers import PAPER
from outcome_factories import Runs, cells, outcome, study
from penalized_bandits.common.typing import FloatArray
from penalized_bandits.policies import PAPER_POLICY
from penalized_bandits.theory.fluid import break_points
from rule_helpers import alternating, first

N, T = 60, 10_000


def equal(*lacks: FloatArray | float) -> Runs:
    """Return runs at the last penalty rates whose arms 2 and 3 lack pulls, (2, N) or alike.

    The rates cover gaps of 0, 0.2, 0.4: one arm, two and three.  A level is 1000 pulls.
    """
    means, rates = (0.9, 0.7, 0.5), (0.1, 0.3, 0.5)[-len(lacks) :]
    runs = [
        outcome(1000 - np.broadcast_to(lack, (2, N)).T, T, means, (0.1,) * 3, rate, tuning=rate)
        for rate, lack in zip(rates, lacks, strict=True)
    ]
    cases = {"case_1": {"means": list(means), "fairness": [0.1] * 3}}
    return study("equal_penalties", runs, horizons=[1000, T], cases=cases)


MEANS, TAU, GAPS = (0.9, 0.7, 0.6, 0.4), (0.1, 0.1, 0.1, 0.05), (0.2, 0.3, 0.5)
GRID = np.arange(21) / 20
FLEARN, LFG = "fair_learn", "lfg"


def setting_2(
    lacks: FloatArray,
    policy: str = PAPER_POLICY,
    *,
    tuned: float | None = None,
    grid: FloatArray = GRID,
    means: tuple[float, ...] = MEANS,
    remainder: float = 0.0,
) -> Runs:
    """Return runs along a grid of m values whose arms 2 to 4 lack pulls, shape (m, R, 3).

    With ``tuned`` the policy has a parameter of its own: that at eta = 0, and 0 at eta = 1.
    Levels have a ``remainder`` beside whole pulls.
    """
    level, tau = np.array(TAU[1:]) * T, np.array(TAU) + remainder / T
    tuning = grid if tuned is None else tuned * (1 - grid)
    runs = [
        outcome(level - row, T, means, tau, None, policy=policy, scale=eta, tuning=own)
        for row, eta, own in zip(lacks, grid, tuning, strict=True)
    ]
    return Runs({"setting_2": runs})


def breaking(places: object, n: int = N, grid: FloatArray = GRID) -> FloatArray:
    """Return what arms lack that are unfair below their places, (3,), (n, 1) or (n, 3)."""
    unfair = grid[:, None, None] < np.broadcast_to(np.asarray(places) - 1e-9, (n, 3))
    return np.where(unfair, 100.0, 0.0)


ALL_BELOW_1 = breaking((1, 1, 1))


def at(
    step: int, arms: int | slice, values: FloatArray | float, lacks: FloatArray | None = None
) -> FloatArray:
    """Return what arms lack, by default up to their gaps, with other values at one step."""
    changed = breaking(GAPS, np.size(values)) if lacks is None else lacks.copy()
    changed[step, :, arms] = values
    return changed


def together(*evidence: Runs) -> Runs:
    return Runs({"setting_2": [run for one in evidence for run in one.made["setting_2"]]})


def broken_at(offset: float) -> Runs:
    """Arm 2 breaks on average at an offset from its prediction: between two steps of the grid."""
    target = break_points(MEANS, TAU, float(T))[1] + offset
    below = np.floor(20 * (target - 0.025)) / 20
    k = round((target - 0.025 - below) / 0.05 * N)
    places = np.where(first(k, N), below + 0.1, below + 0.05)
    return setting_2(breaking(np.column_stack([places, np.full((N, 2), 0.5)])))


def rivals(lfg: FloatArray, tuned: float = 1e4) -> Runs:
    """Flearn has all arms unfair below eta = 1."""
    return together(
        setting_2(ALL_BELOW_1, FLEARN, tuned=1e3), setting_2(lfg, LFG, tuned=tuned)
    )  # fmt: skip


def ranges(k: int, longer: float = 0.55, shorter: float = 0.45, n: int = N) -> Runs:
    """The hard threshold keeps arms fair longer than its rivals in k of n replicates."""
    places = np.where(first(k, n)[:, None], longer, shorter)
    theirs = (setting_2(breaking(places, n), policy, tuned=1e3) for policy in (FLEARN, LFG))
    return together(setting_2(breaking((0.5, 0.5, 0.5), n)), *theirs)


def turning(k: int, *, others: bool) -> FloatArray:
    """Return 100 pulls lacking in k replicates, or in the others, of each of three arms."""
    return np.where(first(k, N) ^ others, 100.0, 0.0)


def lfg(
    lacks: Callable[[float, int], FloatArray], horizons: tuple[int, ...] = (1000, 10_000)
) -> Runs:
    """Return LFG whose arms 2 and 3 lack pulls in each replicate, by tuning and horizon."""
    bandit, runs = ((0.9, 0.5, 0.4), (0.1,) * 3, 1.0), []
    for horizon in horizons:
        full = np.full((N, 2), horizon / 10)
        runs.append(outcome(full, horizon, *bandit))
        for eta in PAPER["lfg_fairness"]["eta_0"]:
            short = full - lacks(eta, horizon)[:, None]
            runs.append(outcome(short, horizon, *bandit, policy="lfg", tuning=eta))
    return study("lfg_fairness", runs, horizons=list(horizons))


def lacking(last: float, spread: float, before: float = 0.0) -> Runs:
    """Both arms lack so many pulls at the last horizon, and at the horizon before."""
    return lfg(lambda _, t: alternating(last, spread, N) if t > 1000 else np.full(N, before))


def soft(k: int, rate: float = 0.8) -> Runs:
    """The soft threshold has the critical arm's pulls in k replicates, the hard one in all."""
    bandit, runs = ((0.9, 0.7), (0.1, 0.1), rate), []
    for policy, short in ((PAPER_POLICY, 0.0), ("soft_threshold_ucb", 1.0)):
        pulls = np.where(first(k, N), 10_000, 10_000 - short)[:, None]
        runs.append(outcome(pulls, 100_000, *bandit, case="a", policy=policy))
    return Runs(cells(runs))
