"""Rules of the claims on Settings 1 and 3 to 5: cases near each limit."""

from collections.abc import Sequence

import numpy as np
import pytest

from case_helpers import info_of
from config_helpers import PAPER
from outcome_factories import Runs, outcome
from penalized_bandits.claims.paper.figure_4 import panel_of
from penalized_bandits.policies import PAPER_POLICY
from penalized_bandits.theory.fluid import predicted_pulls
from penalized_bandits.theory.inputs import instance_of
from rule_helpers import Case, alternating, check, result_of, table

# --- Figure 1: C24, C25, C25H -------------------------------------------------------------
N = 40


def figure_1(rival: str, pairs: Sequence[tuple[float, float]]) -> Runs:
    """Return a cell for each pair of a gain and its spread, in pulls of an arm of gap 0.8."""
    section = {"horizons": [1000]}
    runs, bandit = [], ((0.9, 0.1), (0.0, 0.0), 0.4)
    for i, (gain, spread) in enumerate(pairs):
        pulls = np.full(N, 500.0), 500 + alternating(gain, spread, N)
        for policy, count in zip((PAPER_POLICY, rival), pulls, strict=True):
            runs.append(outcome(count[:, None], 1000, *bandit, case=f"cell_{i}", policy=policy))
    return Runs({"setting_1": runs}, {"setting_1": PAPER["setting_1"] | section})


def cell(claim: str, rival: str, gain: float, spread: float, status: str, reason: str = "") -> Case:
    """Return the case of a cell beside one that holds clearly: two tests by Holm."""
    pairs = [(gain, spread), (100, 10)]
    return Case(claim, lambda: figure_1(rival, pairs), status, reason, {"case": "cell_0"})


FIGURE_1 = [
    cell(claim, rival, sign * gain, spread, status if sign > 0 else status.replace("h", "f"), why)
    for claim, rival in (("C24", "lfg"), ("C25", "fair_learn"), ("C25H", "fair_learn"))
    for sign in (1, -1)
    for gain, spread, status, why in (
        # Regret is 400 or so, of which 1 % are 5 pulls; a standard error is spread/6.2.
        (10, 20, "h", ""),
        (10, 40, "u", ""),
        (4, 5, "h", ""),
        (4, 2, "n", ""),
    )
]


@table(*FIGURE_1)
def test_smaller_regret(case: Case) -> None:
    check(case)


# --- Figures 3 and 5: C28, C28L, C31, C31L ------------------------------------------------------
RIVALS = {"C28": ("fair_learn", "lfg"), "C28L": ("lfg_original",)}
RIVALS |= {"C31": RIVALS["C28"], "C31L": RIVALS["C28L"]}
MEANS, REACH = (0.9, 0.6, 0.2), np.linspace(0, 1200, 11)


def panel(
    claim: str,
    *gains: float,
    spread: float = 0.0,
    n: int = N,
    late: float = 0.0,
    reach: Sequence[float] = REACH.tolist(),
) -> Runs:
    """Return a panel in which rivals waste pulls of arm 2: the gain in reward, and its spread.

    Beyond an unfairness of 900 the gain is so much less.
    """
    runs = []
    for policy, gain in zip((PAPER_POLICY, *RIVALS[claim]), (0.0, *gains), strict=False):
        ours = policy == PAPER_POLICY
        for j, unfair in enumerate(REACH if ours else reach):
            less = late if unfair > 900 and not ours else 0.0
            waste = np.zeros(n) if ours else alternating(gain - less, spread, n)
            others = np.column_stack([2300 + waste / 0.3, np.full(n, 2000 - unfair)])
            bandit = MEANS, (0.2,) * 3, None
            run = outcome(others, 10_000, *bandit, case="a", policy=policy, tuning=float(j))
            runs.append(run)
    return Runs({"setting_3" if claim.startswith("C28") else "setting_5": runs})


APART = "no range of unfairness in common"
TRADEOFFS = [
    Case(claim, lambda m=made, c=claim: m(c), statuses[: len(rivals)], reason)
    for claim, rivals in RIVALS.items()
    for made, statuses, reason in (
        # The range of reward is 2,000, of which 1 % are 20; a standard error is spread/6.2.
        (lambda c: panel(c, 30, 30, spread=18), "hh", ""),
        (lambda c: panel(c, 15, 15, spread=18), "hh", ""),
        (lambda c: panel(c, 15, 15, spread=6), "nn", ""),
        # The interval has 0 and more than 1 % of the range.
        (lambda c: panel(c, 25, 25, spread=120), "uu", ""),
        (lambda c: panel(c, -30, -30, spread=18), "ff", ""),
        (lambda c: panel(c, -15, -15, spread=18), "ff", ""),
        (lambda c: panel(c, -15, -15, spread=6), "nn", ""),
        # p = 0.01 for each, and at each of nine levels.
        (lambda c: panel(c, -24, -24, spread=60), "uu", ""),
        (lambda c: panel(c, 30, -30, spread=18), "hf", ""),
        # Less at one level of nine.
        (lambda c: panel(c, 30, 90, spread=18, late=60), "fh", ""),
        (lambda c: panel(c, 30, 30, n=1), "uu", ""),
        (lambda c: panel(c, 30, 30, reach=[1700, 1900]), "uu", APART),
    )
]


@table(*TRADEOFFS)
def test_highest_reward(case: Case) -> None:
    check(case)


def test_figures_draw_gains_as_shares_of_the_frontier_s_range() -> None:
    result = result_of("C28", panel("C28", 30, -40, spread=18))
    for series, part, gain in zip(result.series, result.parts, (30, -40), strict=True):
        assert (series.case, series.rival, part.rival) == ("a", part.rival, series.rival)
        assert series.at == pytest.approx(np.linspace(120, 1080, 9))
        assert series.estimate == pytest.approx([gain / 2000] * 9, abs=1e-4)
        assert part.estimate == pytest.approx(gain, abs=0.2)


# --- Figure 4: C29, C30, C35 --------------------------------------------------------
GROUPS = {
    "C29": ("noncritical", (0.9, 0.8, 0.4, 0.3, 0.2, 0.1), 900),
    "C30": ("critical", (0.9, 0.85, 0.84, 0.82, 0.3), 4000),
}
RATE, HORIZON = 0.41, 20_000


def figure_4(
    claim: str, exponent: float, spread: float = 0.0, *, beside: float = 0.0, factor: float = 1.0,
    n: int = 80,
) -> Runs:  # fmt: skip
    """Return a panel whose arms have pulls by a power of the inverse squared distance.

    The exponent of replicates alternates by the spread; some more pulls stand beside.
    """
    group, means, nearest = GROUPS[claim]
    gap = 0.9 - np.array(means)
    distance = gap if claim == "C30" else gap - RATE
    kind = (gap > 1e-9) & (gap <= RATE) if claim == "C30" else distance > 1e-9
    powers = alternating(exponent, spread, n)[:, None] if n > 1 else np.array([[exponent]])
    ratio = distance[kind] / distance[kind].min()
    pulls = np.full((n, len(means)), 1000.0)
    counts = factor * (nearest * ratio ** (-2 * powers) + beside)
    pulls[:, kind] = np.maximum(counts, 1000) if claim == "C30" else np.minimum(counts, 1000)
    tau = (0.05,) * len(means)
    info = info_of(group, tau, group=group)
    return Runs({"setting_4": [outcome(pulls[:, 1:], HORIZON, means, tau, RATE, case=info)]})


def off_by(error: float, spread: float) -> Runs:
    """Return pulls as predicted but for those of arm 2, off by a share and its spread."""
    group, means, _ = GROUPS["C29"]
    tau = (0.05,) * len(means)
    pulls = np.tile(predicted_pulls(instance_of(means, tau, RATE), HORIZON)[1:], (80, 1))
    pulls[:, 0] *= 1 + alternating(error, spread, 80)
    info = info_of(group, tau, group=group)
    return Runs({"setting_4": [outcome(pulls, HORIZON, means, tau, RATE, case=info)]})


EXPONENT, LINE = {"quantity": "exponent"}, {"quantity": "R² of a line through the origin"}
FEW = "0 arms {} the level: three of different gaps are needed"
FIGURE_4 = (
    # Within 0.1 of 1; the exponent of mean pulls lies a little below the mean exponent.
    *(Case("C29", lambda x=x: figure_4("C29", *x), s, parts=EXPONENT) for x, s in
      (((0.88, 0.02), "f"), ((0.92, 0.15), "u"), ((0.94, 0.15), "u"), ((0.92, 0.02), "h"),
       ((1.08, 0.02), "h"), ((1.13, 0.15), "u"), ((1.15, 0.15), "u"), ((1.12, 0.02), "f"))),
    *(Case("C30", lambda x=x: figure_4("C30", *x), s, parts=EXPONENT) for x, s in
      (((0.88, 0.02), "f"), ((0.88, 0.15), "u"), ((0.92, 0.15), "u"), ((0.92, 0.02), "h"),
       ((1.08, 0.02), "h"), ((1.08, 0.15), "u"), ((1.12, 0.15), "u"), ((1.12, 0.02), "f"))),
    # R² of 0.95: pulls on a line that does not meet the origin.
    *(Case("C29", lambda b=b: figure_4("C29", 1, 0.05, beside=b, factor=0.5), s, parts=LINE)
      for b, s in ((95, "h"), (101, "u"), (104, "u"), (110, "f"))),
    *(Case("C30", lambda b=b: figure_4("C30", 1, 0.05, beside=b), s, parts=LINE)
      for b, s in ((600, "h"), (645, "u"), (670, "u"), (710, "f"))),
    Case("C29", lambda: figure_4("C29", 1, n=1), "uu"),
    Case("C29", lambda: figure_4("C29", 1, factor=50), "u", FEW.format("below")),
    Case("C30", lambda: figure_4("C30", 1, factor=0.001), "u", FEW.format("above")),
    # Below 5 %, in either direction.
    *(Case("C35", lambda x=x: off_by(*x), s) for x, s in
      (((0.04, 0.02), "h"), ((0.045, 0.1), "u"), ((0.055, 0.1), "u"), ((0.06, 0.02), "f"),
       ((-0.04, 0.02), "h"), ((-0.045, 0.1), "u"), ((-0.055, 0.1), "u"), ((-0.06, 0.02), "f"))),
)  # fmt: skip


@table(*FIGURE_4)
def test_pulls_of_figure_4(case: Case) -> None:
    check(case)


@pytest.mark.parametrize(
    ("share", "others", "off"),
    [(0.985, 0, True), (0.995, 0, False), (0.95, 4, True), (0.95, 5, False)],
)
@pytest.mark.parametrize("claim", ["C29", "C30"])
def test_an_arm_is_off_its_level_on_average_and_nearly_always(
    claim: str, share: float, others: int, off: bool
) -> None:
    """By 1 % on average, and in 95 % of 80 replicates."""
    (run,) = figure_4(claim, 1).made["setting_4"]
    sign = 1 if claim == "C30" else -1
    run.pulls[:, 2] = 1000 * (1 + sign * (1 - share))
    run.pulls[:others, 2] = 1000
    panel_ = panel_of(run, critical=claim == "C30")
    assert panel_.used[panel_.arms.index(3)] == off


def test_what_figure_4_draws() -> None:
    exponent, line = result_of("C30", figure_4("C30", 0.9, beside=300)).parts
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
    exponent, _ = result_of("C29", off_by(0, 0)).parts
    assert exponent.estimate == pytest.approx(exponent.values["predicted"], abs=0.01)
    assert exponent.values["shifted"] == pytest.approx(1, abs=0.01)


def test_figure_4_without_panels_of_the_row() -> None:
    assert result_of("C29", figure_4("C30", 1)).missing.startswith("no case of setting_4")


@pytest.mark.parametrize(("claim", "rivals"), RIVALS.items())
def test_a_trade_off_without_a_rival(claim: str, rivals: Sequence[str]) -> None:
    ((setting, runs),) = panel(claim, 1, 1).made.items()
    missing = result_of(claim, Runs({setting: runs[:11]})).missing
    assert missing.startswith(f"{setting} has no policy {rivals[0]}")
