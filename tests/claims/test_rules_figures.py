"""Rules of the claims on Setting 2 (Figure 2, sections 3 and 5): cases near each limit."""

import numpy as np
import pytest

from outcome_factories import Runs, outcome
from penalized_bandits.common.typing import FloatArray
from penalized_bandits.policies import PAPER_POLICY
from penalized_bandits.theory.fluid import break_points
from rule_helpers import Case, alternating, check, first, result_of, table

MEANS, TAU, T, N = (0.9, 0.7, 0.6, 0.4), (0.1, 0.1, 0.1, 0.05), 10_000, 60
GAPS = (0.2, 0.3, 0.5)
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
    """Return what arms lack that are unfair below their places, (3,) or (n, 3)."""
    unfair = grid[:, None, None] < np.broadcast_to(np.asarray(places) - 1e-9, (n, 3))
    return np.where(unfair, 100.0, 0.0)


def at(eta: float, arm: int, values: FloatArray, n: int = N) -> FloatArray:
    """Return what arms lack that turn unfair at their gaps, with other values at one place."""
    lacks = breaking(GAPS, n)
    lacks[round(20 * eta), :, arm - 2] = values
    return lacks


def together(*evidence: Runs) -> Runs:
    return Runs({"setting_2": [run for one in evidence for run in one.made["setting_2"]]})


# --- C26, C26P --------------------------------------------------------------------


def in_order(k: int) -> Runs:
    """The arm of gap 0.3 turns unfair before that of 0.2 in k replicates, else with it."""
    return setting_2(breaking(np.where(first(k, N)[:, None], (0.1, 0.3, 0.5), (0.3, 0.3, 0.5))))


def rising(rise: float, spread: float) -> Runs:
    """Arm 3 lacks pulls again at a large eta; 1 % of its level are 10 pulls."""
    return setting_2(at(0.8, 3, alternating(rise, spread, N)))


def broken_at(offset: float) -> Runs:
    """Arm 2 breaks on average at an offset from its prediction: between two steps of the grid."""
    target = break_points(MEANS, TAU, float(T))[1] + offset
    below = np.floor(20 * (target - 0.025)) / 20
    k = round((target - 0.025 - below) / 0.05 * N)
    places = np.where(first(k, N), below + 0.05, below)
    return setting_2(breaking(np.column_stack([places + 0.05, np.full((N, 2), 0.5)])))


ORDER, PATH = {"quantity": "order", "arm": 3}, {"quantity": "path", "arm": 3}
ARM_2 = {"arm": 2}
C26 = (
    # Above 0.9 with Wilson's interval.
    *(Case("C26", lambda k=k: in_order(k), s, parts=ORDER) for k, s in
      ((60, "h"), (57, "u"), (51, "u"), (49, "f"))),
    # Below 10 pulls: a standard error is an eighth of the spread.
    *(Case("C26", lambda x=x: rising(*x), s, parts=PATH) for x, s in
      (((9, 1), "h"), ((9, 8), "u"), ((11, 8), "u"), ((11, 1), "f"))),
    # Within half a step of the grid, 0.025.
    *(Case("C26P", lambda x=x: broken_at(x), s, parts=ARM_2) for x, s in
      ((-0.032, "f"), (-0.024, "u"), (-0.017, "h"), (0.017, "h"), (0.024, "u"), (0.032, "f"))),
    # Arms in order, wherever they break.
    Case("C26", lambda: setting_2(breaking((0.1, 0.2, 0.4))), "hhhhh"),
    # Equal gaps have no order of their own.
    Case("C26", lambda: setting_2(breaking((0.2, 0.2, 0.5)), means=(0.9, 0.7, 0.7, 0.4)), "hhhh"),
    Case("C26", lambda: setting_2(breaking((0, 0, 0))), "uuvvv", "neither changes on the grid"),
    Case("C26", lambda: setting_2(breaking(GAPS, n=1)), "u", "one replicate", PATH),
    Case("C26", lambda: setting_2(breaking(GAPS, grid=GRID[::5]), grid=GRID[::5]), "u",
         "gaps nearer than the grid's step 0.25", ORDER),
)  # fmt: skip


@table(*C26)
def test_one_by_one(case: Case) -> None:
    check(case)


def test_a_prediction_is_told_beside_its_measurement_and_its_limit() -> None:
    part = result_of("C26P", broken_at(0.0)).parts[0]
    assert part.measured == part.estimate == pytest.approx(part.predicted, abs=0.0005)
    assert part.asymptote == pytest.approx(0.2)


# --- C27, C50, C52 ----------------------------------------------------------------


def rivals(lfg: FloatArray, tuned: float = 1e4) -> Runs:
    """Flearn has all arms unfair below eta = 1."""
    flearn = setting_2(breaking((1, 1, 1)), FLEARN, tuned=1e3)
    return together(flearn, setting_2(lfg, LFG, tuned=tuned))


def at_once(k: int) -> Runs:
    """LFG has arm 2 unfair at the largest eta below 1 in k replicates."""
    lacks = breaking((1, 1, 1))
    lacks[19, ~first(k, N), 0] = 0
    return rivals(lacks)


def keeps(without: int = N, with_tuning: int = 0) -> Runs:
    """Flearn keeps all levels in so many replicates, without tuning and at the least one."""
    lacks = breaking((1, 1, 1))
    lacks[20, ~first(without, N)] = 100.0
    lacks[19, first(with_tuning, N)] = 0.0
    return setting_2(lacks, FLEARN, tuned=1e3)


def ranges(k: int, n: int = N) -> Runs:
    """The hard threshold keeps arms fair one step longer than LFG in k replicates, else shorter."""
    hard = setting_2(breaking((0.5, 0.5, 0.5), n))
    places = np.where(first(k, n)[:, None], 0.55, 0.45) * np.ones(3)
    return together(hard, *(setting_2(breaking(places, n), p, tuned=1e3) for p in (FLEARN, LFG)))


def negligible(sign: int) -> Runs:
    """Ranges that differ by a step of the grid in one replicate of ten: 0.5 % of the scale."""
    places = np.where(first(N, 10 * N)[:, None], 0.5 + sign * 0.05, 0.5) * np.ones(3)
    ours = setting_2(breaking((0.5, 0.5, 0.5), 10 * N))
    theirs = (setting_2(breaking(places, 10 * N), p, tuned=1e3) for p in (FLEARN, LFG))
    return together(ours, *theirs)


LFG_ARM_2 = {"policy": LFG, "arm": 2}
ZERO, POSITIVE = ({"quantity": f"probability at α {sign} 0"} for sign in "=>")
RIVALS = (
    # Above and below one half with Wilson's interval.
    *(Case("C27", lambda k=k: at_once(k), s, parts=LFG_ARM_2) for k, s in
      ((38, "h"), (37, "u"), (23, "u"), (22, "f"))),
    *(Case("C50", lambda k=k: keeps(with_tuning=k), s, parts=POSITIVE) for k, s in
      ((22, "h"), (23, "u"), (37, "u"), (38, "f"))),
    *(Case("C50", lambda k=k: keeps(k), s, parts=ZERO) for k, s in
      ((60, "h"), (57, "u"), (51, "u"), (49, "f"))),
    # Six tests by Holm: p = 0.018 for 38 replicates of 60, 0.0006 for 42.
    *(Case("C52", lambda k=k: ranges(k), s * 6) for k, s in
      ((42, "h"), (38, "u"), (22, "u"), (18, "f"))),
    *(Case("C52", lambda s=s: negligible(s), "n" * 6) for s in (-1, 1)),
    Case("C27", lambda: rivals(breaking((1, 1, 1)), tuned=0.9), "uuu",
         "the tuning is below one pull: rounding only", {"policy": LFG}),
    Case("C50", lambda: setting_2(breaking((1, 1, 1)), FLEARN, tuned=0.9), "u",
         "no α of a pull or more", POSITIVE),
)  # fmt: skip


@table(*RIVALS)
def test_rivals(case: Case) -> None:
    check(case)


def test_the_arms_that_stay_fair_are_told() -> None:
    result = result_of("C27", rivals(breaking((0.2, 1, 0))))
    assert "under LFG arm 2 is unfair from η = 0.15 down, arm 4 is never unfair." in result.note


# --- C32 --------------------------------------------------------------------------


def leaving(k: int) -> Runs:
    """Arm 3 leaves the set for one step in k of 400 replicates."""
    return setting_2(at(0.8, 3, np.where(first(k, 400), 100.0, 0.0), 400))


def growing(k: int) -> Runs:
    """The set gains arm 4 in k replicates, and loses it in the others."""
    gains = np.where(first(k, N), 1.0, -1.0)
    lacks = np.zeros((21, N, 3))
    lacks[0, :, 2], lacks[20, :, 2] = np.where(gains > 0, (100.0,), 0), np.where(gains < 0, 100, 0)
    return setting_2(lacks)


LEAVES, FALL = {"quantity": "leaving the set", "arm": 3}, "largest fall of P(fair) of an arm"
GROWTH = {"quantity": "growth of the set"}
C32 = (
    # Below 0.05 by Wilson's interval, and by a bootstrap.
    *(Case("C32", lambda k=k: leaving(k), s, parts=LEAVES) for k, s in
      ((10, "h"), (18, "u"), (22, "u"), (32, "f"))),
    *(Case("C32", lambda k=k: leaving(k), s, parts={"quantity": FALL}) for k, s in
      ((10, "h"), (18, "u"), (22, "u"), (32, "f"))),
    # Above 0 by a paired interval.
    *(Case("C32", lambda k=k: growing(k), s, parts=GROWTH) for k, s in
      ((40, "h"), (35, "u"), (25, "u"), (20, "f"))),
    # Sets that never grow: all arms are fair, or unfair, at every eta.
    Case("C32", lambda: setting_2(breaking((0, 0, 0))), "vvvvf",
         "the same at every η in every replicate"),
    Case("C32", lambda: setting_2(breaking((2, 2, 2))), "vvvhf",
         "the same at every η in every replicate"),
    Case("C32", lambda: setting_2(breaking(GAPS, n=1)), "u", "one replicate", {"quantity": FALL}),
    # A remainder of the level is no unfairness.
    Case("C32", lambda: setting_2(breaking((0, 0, 0)), remainder=0.9), "v",
         "all arms are fair at every η", {"quantity": FALL}),
)  # fmt: skip


@table(*C32)
def test_nested_sets(case: Case) -> None:
    check(case)


@pytest.mark.parametrize("identifier", ["C26", "C27", "C32"])
def test_figure_2_without_the_policies(identifier: str) -> None:
    evidence = setting_2(breaking(GAPS, n=2), "ucb1")
    assert result_of(identifier, evidence).missing.startswith("setting_2 has no policy ")
