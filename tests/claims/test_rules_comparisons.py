"""Rules of the claims that compare policies, and of Figure 4: cases near each limit."""

from collections.abc import Sequence

import numpy as np
import pytest

import comparison_factories as make
from outcome_factories import Runs
from penalized_bandits.claims.paper.figure_4 import panel_of
from rule_helpers import Case, check, near, result_of, table

# --- Figure 1: C24, C25, C25H -------------------------------------------------------
LAST = {"case": "a", "horizon": 1000}
FIGURE_1 = (
    # Regret is 160 or so, of which 1 % are 2 pulls; a standard error is spread/6.2.
    *near("C24", make.figure_1, ((10, 20), "h"), ((10, 40), "u"), ((1.6, 1), "h"),
          ((1.6, 0.5), "n"), ((-10, 20), "f"), ((-10, 40), "u"), ((-1.6, 1), "f"),
          ((-1.6, 0.5), "n"), **LAST),
    # C25 is on the last horizon alone.
    *near("C25", lambda x: make.figure_1(10, 5, rival=make.FLEARN, early=x), (-100, "hh")),
    *near("C25H", lambda x: make.figure_1(10, 5, rival=make.FLEARN, early=x), (-100, "fhhh")),
)  # fmt: skip

# --- Figures 3 and 5: C28, C28L, C31, C31L ------------------------------------------
TRADEOFFS = (
    # The range of reward is 2,000, of which 1 % are 20; a standard error is spread/6.2.
    # (25, 120): the interval has 0 and more than 1 % of the range.
    # (-24, 60): p = 0.01 for each, and at each of nine levels.
    *near("C28", make.both, ((30, 18), "hh"), ((15, 18), "hh"), ((15, 6), "nn"),
          ((25, 120), "uu"), ((-30, 18), "ff"), ((-15, 18), "ff"), ((-15, 6), "nn"),
          ((-24, 60), "uu")),
    # Less at one level of nine.
    *near("C28", lambda x: make.panel("C28", 30, 90, late=x), (60, "fh")),
    *near("C28", lambda n: make.panel("C28", 30, 30, n=n), (1, "uu")),
    *near("C28", lambda *x: make.panel("C28", 30, 30, reach=x), ((1700, 1900), "uu"),
          reason="no range of unfairness in common"),
    *(case for c, s in (("C28L", "h"), ("C31", "hf"), ("C31L", "h"))
      for case in near(c, lambda c: make.panel(c, 30, -30), (c, s))),
)  # fmt: skip

# --- Figure 4: C29, C30, C35 --------------------------------------------------------


def proportional(claim: str, *exponents: tuple[tuple[float, float], str]) -> list[Case]:
    return [*near(claim, lambda *x: make.figure_4(claim, *x), *exponents, quantity="exponent")]


LINE = {"quantity": "R² of a line through the origin"}
FEW = "0 arms {} the level: three of different gaps are needed"
FIGURE_4 = (
    # Within 0.1 of 1; the exponent of mean pulls lies a little below the mean exponent.
    *proportional("C29", ((0.88, 0.02), "f"), ((0.92, 0.15), "u"), ((0.92, 0.02), "h"),
                  ((1.08, 0.02), "h"), ((1.13, 0.15), "u"), ((1.12, 0.02), "f")),
    *proportional("C30", ((0.88, 0.02), "f"), ((0.92, 0.15), "u"), ((0.92, 0.02), "h"),
                  ((1.08, 0.02), "h"), ((1.08, 0.15), "u"), ((1.12, 0.02), "f")),
    # R² of 0.95: pulls on a line that does not meet the origin.
    *near("C29", lambda b: make.figure_4("C29", 1, 0.05, beside=b, factor=0.5), (95, "h"),
          (101, "u"), (104, "u"), (110, "f"), **LINE),
    *near("C30", lambda b: make.figure_4("C30", 1, 0.05, beside=b), (600, "h"),
          (645, "u"), (670, "u"), (710, "f"), **LINE),
    *near("C29", lambda n: make.figure_4("C29", 1, n=n), (1, "uu")),
    *near("C29", lambda x: make.figure_4("C29", 1, factor=x), (50, "u"),
          reason=FEW.format("below")),
    *near("C30", lambda x: make.figure_4("C30", 1, factor=x), (0.001, "u"),
          reason=FEW.format("above")),
    # Below 5 %, in either direction.
    *near("C35", make.off_by, ((0.04, 0.02), "h"), ((0.045, 0.1), "u"), ((0.06, 0.02), "f"),
          ((-0.04, 0.02), "h"), ((-0.055, 0.1), "u"), ((-0.06, 0.02), "f")),
)  # fmt: skip

# --- Overtaking: C34, C36 -----------------------------------------------------------
NOTHING = (
    *near("C34", make.leads, ((8, 8), "u"), reason="too few horizons", case="a"),
    *near("C34", make.leads, ((1, -1, 1, -1, 1), "u"), case="a",
          reason="no difference at any horizon"),
)  # fmt: skip


@table(*FIGURE_1, *TRADEOFFS, *FIGURE_4, *NOTHING)
def test_comparisons(case: Case) -> None:
    check(case)


@pytest.mark.parametrize(("claim", "rival"), [("C34", make.UCB1), ("C36", "explore_then_commit")])
@pytest.mark.parametrize(
    ("leads_", "status", "change"),
    [
        # The last clear sign decides; a standard error is spread/6.2, in five tests by Holm.
        ((-80, -60, -40, -20, 8), "h", "overtakes"),
        ((-80, -60, -40, 3.5, 3.5), "u", "not yet"),
        ((-80, -60, -40, -20, -8), "u", "not yet"),
        ((8, 20, 40, 60, 80), "h", "always ahead"),
        ((80, 60, 40, 20, -8), "u", "is overtaken"),
        ((80, 60, 40, -3.5, -3.5), "h", "always ahead"),
    ],
)
def test_overtaking(
    claim: str, rival: str, leads_: tuple[float, ...], status: str, change: str
) -> None:
    part, _ = result_of(claim, make.leads(*leads_, rival=rival)).parts
    assert (part.status[0], part.values["change"]) == (status, change)
    assert (part.values["first"], part.values["last"], part.limit) == (1000, 100_000, 100_000)


def test_the_horizon_of_overtaking() -> None:
    """A lead of -60 at T = 10,000 and of 20 half a decade later: three quarters of the way."""
    made = make.leads(-80, -70, -60, 20, 80)
    part, _ = result_of("C34", made).parts
    assert part.estimate == pytest.approx(10**4.375, rel=0.01)
    assert part.low < part.estimate < part.high
    # More replicates of the same cell, up to shorter horizons, where it is within them.
    for earlier, expected in (
        (make.leads(-80, -20, 60), 10**3.625),
        (make.leads(-80, -70, -60), 10**4.375),
    ):
        shared = Runs({**made.made, "setting_1": earlier.made["crossover"]})
        part, _ = result_of("C34", shared).parts
        assert part.estimate == pytest.approx(expected, rel=0.01)
        assert ("longer" in part.values) == (expected < 10_000)


def test_figures_draw_gains_as_shares_of_the_frontier_s_range() -> None:
    result = result_of("C28", make.panel("C28", 30, -40))
    for series, part, gain in zip(result.series, result.parts, (30, -40), strict=True):
        assert (series.case, series.rival, part.rival) == ("a", part.rival, series.rival)
        assert series.at == pytest.approx(np.linspace(120, 1080, 9))
        assert series.estimate == pytest.approx([gain / 2000] * 9, abs=1e-4)
        assert part.estimate == pytest.approx(gain, abs=0.2)


@pytest.mark.parametrize(
    ("share", "others", "off"),
    [(0.985, 0, True), (0.995, 0, False), (0.95, 4, True), (0.95, 5, False)],
)
@pytest.mark.parametrize("claim", ["C29", "C30"])
def test_an_arm_is_off_its_level_on_average_and_nearly_always(
    claim: str, share: float, others: int, off: bool
) -> None:
    """By 1 % on average, and in 95 % of 80 replicates."""
    (run,) = make.figure_4(claim, 1).made["setting_4"]
    sign = 1 if claim == "C30" else -1
    run.pulls[:, 2] = 1000 * (1 + sign * (1 - share))
    run.pulls[:others, 2] = 1000
    panel_ = panel_of(run, critical=claim == "C30")
    assert panel_.used[panel_.arms.index(3)] == off


def test_what_figure_4_draws() -> None:
    exponent, line = result_of("C30", make.figure_4("C30", 0.9, beside=300)).parts
    drawn = exponent.values
    # Arm 5 is not critical.
    assert (drawn["arms"], drawn["used"]) == ([2, 3, 4], [True] * 3)
    x, pulls = np.array(drawn["inverse_square"]), np.array(drawn["mean_pulls"])
    assert x == pytest.approx([1 / 0.05**2, 1 / 0.06**2, 1 / 0.08**2])
    assert pulls == pytest.approx(300 + 4000 * (0.05**2 * x) ** 0.9, abs=0.5)
    assert drawn["factor"] * x[1] ** exponent.estimate == pytest.approx(pulls[1], rel=0.01)
    slope, intercept = np.polyfit(x, pulls, 1)
    assert (line.values["intercept"], slope > 0) == (pytest.approx(intercept), True)


def test_the_prediction_follows_its_own_exponent() -> None:
    exponent, _ = result_of("C29", make.off_by(0, 0)).parts
    assert exponent.estimate == pytest.approx(exponent.values["predicted"], abs=0.01)
    assert exponent.values["shifted"] == pytest.approx(1, abs=0.01)


def test_figure_4_without_panels_of_the_row() -> None:
    assert result_of("C29", make.figure_4("C30", 1)).missing.startswith("no case of setting_4")


@pytest.mark.parametrize(("claim", "rivals"), make.RIVALS.items())
def test_a_trade_off_without_a_rival(claim: str, rivals: Sequence[str]) -> None:
    ((setting, runs),) = make.panel(claim, 1, 1).made.items()
    missing = result_of(claim, Runs({setting: runs[:11]})).missing
    assert missing.startswith(f"{setting} has no policy {rivals[0]}")
