"""Claims on Settings 2 to 5: made-up replicates that keep the claimed law, or break it."""

import json
from collections.abc import Callable, Sequence
from itertools import pairwise
from types import SimpleNamespace

import numpy as np
import pytest

from penalized_bandits.claims.base import Claim, Finding, verdict_of
from penalized_bandits.claims.c26_one_by_one import CLAIM as C26
from penalized_bandits.claims.c27_all_at_once import CLAIM as C27
from penalized_bandits.claims.c28_movielens import CLAIM as C28
from penalized_bandits.claims.c29_noncritical import CLAIM as C29
from penalized_bandits.claims.c30_critical import CLAIM as C30
from penalized_bandits.claims.c31_three_laws import CLAIM as C31
from penalized_bandits.claims.c32_nested import CLAIM as C32
from penalized_bandits.claims.evidence import Evidence
from penalized_bandits.claims.figure_2 import Paths, largest_rise, resampled_rises
from penalized_bandits.claims.ledger import to_json
from penalized_bandits.claims.tradeoff import Curve, common_levels, compare, interpolated
from penalized_bandits.errors import NotMeasuredError
from penalized_bandits.replicates import Outcome
from penalized_bandits.theory.fluid import predicted_pulls
from penalized_bandits.typing import FloatArray


class MadeUp(Evidence):
    """Evidence from outcomes at hand."""

    def __init__(self, setting: str, outcomes: Sequence[Outcome]) -> None:
        super().__init__({}, {setting: ["made up"]})
        self._outcomes[setting] = list(outcomes)
        policies = list(dict.fromkeys(outcome.policy for outcome in outcomes))
        self._sections[setting] = SimpleNamespace(policies=policies)


def outcome(
    pulls: FloatArray,
    means: Sequence[float],
    fairness: Sequence[float],
    *,
    case: str = "case_1",
    policy: str = "hard_threshold_ucb",
    scale: float | None = None,
    tuning: float | None = None,
    horizon: int = 10_000,
    penalty: float | None = None,
) -> Outcome:
    """Make an outcome of which the first arm takes the pulls that are left."""
    counts = np.round(pulls).astype(np.int64)
    counts[:, 0] += horizon - counts.sum(axis=1)
    return Outcome(
        case=case,
        policy=policy,
        scale=scale,
        tuning=tuning,
        horizon=horizon,
        first_replicate=0,
        pulls=counts.astype(np.int32),
        max_deficit=np.zeros(counts.shape),
        means=np.broadcast_to(means, counts.shape).astype(np.float64),
        fairness=np.array(fairness),
        penalties=None if penalty is None else np.full(counts.shape, penalty),
    )


def statuses(finding: Finding, word: str = "") -> list[str]:
    return [part.status for part in finding.parts if word in part.name]


def measured(claim: Claim, evidence: Evidence) -> tuple[Finding, str]:
    """Measure a claim, check that its numbers can be written down, return its verdict."""
    finding = claim.measure(evidence)
    rows = [{"parts": [vars(part) for part in finding.parts], "shown": vars(finding.shown)}]
    json.loads(to_json(rows))
    assert len({part.name for part in finding.parts}) == len(finding.parts)
    return finding, verdict_of(finding.parts)


# --- Figure 2: C26, C27, C32 ----------------------------------------------------------------

MEANS = (0.9, 0.7, 0.6, 0.4)
TAU = (0.1, 0.1, 0.1, 0.05)
GAPS = (0.0, 0.2, 0.3, 0.5)
GRID = [i / 20 for i in range(21)]
Shortfall = Callable[[float, int, np.random.Generator], float]


def path(
    shortfall: Shortfall,
    *,
    policy: str = "hard_threshold_ucb",
    n: int = 60,
    grid: Sequence[float] = GRID,
    means: Sequence[float] = MEANS,
    tuning: Callable[[float], float] | None = None,
    seed: int = 1,
) -> list[Outcome]:
    """Outcomes along the scale whose arm k lacks ``shortfall(eta, k, generator)`` pulls."""
    generator = np.random.default_rng(seed)
    level = np.array(TAU) * 10_000
    runs = []
    for eta in grid:
        lacks = np.zeros((n, 4))
        for k in range(1, 4):
            lacks[:, k] = [shortfall(eta, k, generator) for _ in range(n)]
        shown = eta if tuning is None else tuning(eta)
        pulls = level - np.clip(lacks, 0, level - 1)
        runs.append(outcome(pulls, means, TAU, policy=policy, scale=eta, tuning=shown))
    return runs


def breaking_at(*places: float) -> Shortfall:
    """Arm k lacks pulls below its place, the more the further below."""

    def shortfall(eta: float, k: int, generator: np.random.Generator) -> float:
        below = places[k] - eta
        return 20 + 500 * below + generator.normal(0, 3) if below > 1e-9 else -generator.random()

    return shortfall


def setting_2(*runs: Sequence[Outcome]) -> Evidence:
    return MadeUp("setting_2", [run for part in runs for run in part])


def test_c26_arms_that_break_at_their_gap_in_order() -> None:
    finding, verdict = measured(C26, setting_2(path(breaking_at(*GAPS))))
    assert verdict == "reproduced"
    assert (len(statuses(finding, "order")), len(statuses(finding, "path"))) == (2, 3)
    assert len(statuses(finding, "place")) == 3


def test_c26_in_order_but_not_at_the_gap() -> None:
    finding, verdict = measured(C26, setting_2(path(breaking_at(0, 0.1, 0.2, 0.4))))
    assert verdict == "partly"
    assert statuses(finding, "place") == ["fails"] * 3
    assert set(statuses(finding, "order") + statuses(finding, "path")) == {"holds"}
    assert finding.shown.estimate - finding.shown.limit == pytest.approx(-0.125)


def test_c26_in_the_wrong_order() -> None:
    finding, verdict = measured(C26, setting_2(path(breaking_at(0, 0.8, 0.6, 0.1))))
    assert verdict == "not reproduced"
    assert statuses(finding, "order") == ["fails"] * 2


def test_c26_all_at_once() -> None:
    finding, _ = measured(C26, setting_2(path(breaking_at(0, 0.3, 0.3, 0.3))))
    assert statuses(finding, "order") == ["fails"] * 2
    assert statuses(finding, "place: arm 3") == ["holds"]


def test_c26_a_path_that_rises() -> None:
    regular = breaking_at(*GAPS)

    def bump(eta: float, k: int, generator: np.random.Generator) -> float:
        return 40.0 if k == 2 and eta == 0.8 else regular(eta, k, generator)

    finding, verdict = measured(C26, setting_2(path(bump)))
    assert statuses(finding, "path: arm 3") == ["fails"]
    assert statuses(finding, "place: arm 3") == ["fails"]
    assert verdict == "partly"


def test_c26_equal_gaps_have_no_order_of_their_own() -> None:
    means = (0.9, 0.7, 0.7, 0.4)
    runs = path(breaking_at(0, 0.2, 0.2, 0.5), means=means)
    finding, verdict = measured(C26, setting_2(runs))
    assert verdict == "reproduced"
    assert statuses(finding, "order") == ["holds"]


def test_c26_gaps_that_the_grid_cannot_tell_apart() -> None:
    grid = [0.0, 0.25, 0.5, 0.75, 1.0]
    finding, _ = measured(C26, setting_2(path(breaking_at(*GAPS), grid=grid)))
    assert statuses(finding, "order") == ["undecided", "undecided"]


def test_c26_arms_that_never_change() -> None:
    finding, verdict = measured(C26, setting_2(path(breaking_at(0, 0, 0, 0))))
    assert verdict == "not reproduced"
    assert statuses(finding, "order") == ["undecided"] * 2
    assert statuses(finding, "path") == ["vacuous"] * 3


@pytest.mark.parametrize("claim", [C26, C27, C32])
def test_figure_2_one_replicate_decides_little(claim: Claim) -> None:
    runs = [
        path(breaking_at(*GAPS), n=1),
        path(breaking_at(0, 1, 1, 1), n=1, policy="fair_learn", tuning=lambda e: 1e3 * (1 - e)),
        path(breaking_at(0, 1, 1, 1), n=1, policy="lfg", tuning=lambda e: 1e4 * (1 - e)),
    ]
    _, verdict = measured(claim, setting_2(*runs))
    assert verdict == "inconclusive"


@pytest.mark.parametrize("claim", [C26, C27, C32])
def test_figure_2_without_the_policies(claim: Claim) -> None:
    with pytest.raises(NotMeasuredError, match=r"^setting_2 has no policy (hard_|fair_learn)"):
        claim.measure(setting_2(path(breaking_at(*GAPS), policy="ucb1")))


def rivals(fair_learn: Shortfall, lfg: Shortfall) -> Evidence:
    return setting_2(
        path(fair_learn, policy="fair_learn", tuning=lambda eta: 1000 * (1 - eta)),
        path(lfg, policy="lfg", tuning=lambda eta: 10_000 * (1 - eta)),
    )


def test_c27_all_at_once() -> None:
    at_once = breaking_at(0, 1, 1, 1)
    assert measured(C27, rivals(at_once, at_once))[1] == "reproduced"


def test_c27_one_by_one() -> None:
    one_by_one = breaking_at(*GAPS)
    finding, verdict = measured(C27, rivals(one_by_one, one_by_one))
    assert verdict == "not reproduced"
    assert "arm 4 unfair from η = 0.45 down" in finding.note


def test_c27_some_arms_only() -> None:
    finding, verdict = measured(C27, rivals(breaking_at(0, 1, 1, 1), breaking_at(0, 0.2, 1, 1)))
    assert verdict == "partly"
    assert statuses(finding, "lfg arm 2") == ["fails"]
    assert finding.shown.name.startswith("case_1 lfg arm 2")


def test_c27_less_than_a_pull_is_rounding() -> None:
    def rounding(eta: float, k: int, generator: np.random.Generator) -> float:
        return 1.0 if eta < 1 else 0.0

    runs = [
        path(rounding, policy=policy, tuning=lambda eta: 0.9 * (1 - eta))
        for policy in ("fair_learn", "lfg")
    ]
    finding, verdict = measured(C27, setting_2(*runs))
    assert verdict == "inconclusive"
    assert all("one pull" in part.detail for part in finding.parts if "arm" in part.name)


def test_figure_2_a_remainder_of_the_level_is_no_unfairness() -> None:
    pulls = np.full((30, 2), 1.0)
    runs = [outcome(pulls, (0.9, 0.5), (0.1, 0.00019), scale=e, tuning=e) for e in (0.0, 1.0)]
    finding, _ = measured(C32, setting_2(runs))
    assert statuses(finding, "leaves") == ["vacuous"]


def test_c32_nested_sets() -> None:
    others = (path(breaking_at(0, 1, 1, 1), policy=p) for p in ("fair_learn", "lfg"))
    evidence = setting_2(path(breaking_at(*GAPS), n=120), *others)
    finding, verdict = measured(C32, evidence)
    assert verdict == "reproduced"
    assert "100.0% of replicates" in finding.note


def flickering(share: float) -> Shortfall:
    """Arms that are unfair at random at any scale."""
    return lambda eta, k, generator: 30.0 if generator.random() < share else 0.0


def test_c32_sets_at_random() -> None:
    assert measured(C32, setting_2(path(flickering(0.5))))[1] == "not reproduced"


def test_c32_one_arm_leaves_the_set_again() -> None:
    regular = breaking_at(*GAPS)

    def leaves(eta: float, k: int, generator: np.random.Generator) -> float:
        return 25.0 if k == 1 and eta > 0.7 else regular(eta, k, generator)

    finding, verdict = measured(C32, setting_2(path(leaves, n=120)))
    assert statuses(finding, "arm 2") == ["fails"]
    assert statuses(finding, "arm 3") == statuses(finding, "arm 4") == ["holds"]
    assert verdict == "partly"


@pytest.mark.parametrize("share", [0.0, 1.0])
def test_c32_sets_that_never_grow(share: float) -> None:
    finding, verdict = measured(C32, setting_2(path(flickering(share), n=120)))
    assert verdict != "reproduced"
    assert statuses(finding, "less those") == ["fails"]
    assert statuses(finding, "leaves") == ["vacuous"] * 3


def test_largest_rise_is_that_of_any_two_places() -> None:
    generator = np.random.default_rng(3)
    rows = generator.normal(size=(40, 7))
    by_hand = [max(0, *(row[j] - row[i] for j in range(7) for i in range(j))) for row in rows]
    assert largest_rise(rows) == pytest.approx(by_hand)
    values = np.repeat(rows[:1, :, None].swapaxes(0, 1), 5, axis=1)
    assert resampled_rises(values, 10) == pytest.approx(np.full((10, 1), by_hand[0]))


def test_break_points_lie_between_values_of_the_grid() -> None:
    short = np.array([[[5, 5, 0]], [[0, 5, 0]], [[3, 5, 0]], [[0, 5, 0]]], dtype=np.float64)
    grid, tau = np.array([0.0, 0.25, 0.5, 1.0]), np.full(3, 0.1)
    paths = Paths(grid, grid, short, np.array([0.5, 0.6, 0.7]), tau, 100)
    assert paths.break_points == pytest.approx(np.array([[0.75, 1.25, -0.125]]))


# --- Figures 3 and 5: C28, C31 --------------------------------------------------------------

TRADEOFF_MEANS = (0.9, 0.6, 0.2)
TRADEOFF_TAU = (0.2, 0.2, 0.2)


def tradeoff(
    policy: str,
    reach: Sequence[float],
    waste: Callable[[float], float],
    *,
    case: str,
    n: int = 40,
    noise: float = 20.0,
    seed: int = 1,
) -> list[Outcome]:
    """Runs that lack pulls of arm 3 and keep ``waste(unfairness)`` too many of arm 2."""
    generator = np.random.default_rng(seed)
    runs = []
    for j, unfair in enumerate(reach):
        pulls = np.full((n, 3), 2000.0)
        pulls[:, 2] -= np.clip(unfair + generator.normal(0, noise, n), 0, 1999)
        pulls[:, 1] += waste(unfair) + generator.normal(0, noise, n).clip(-noise, noise) + noise
        means, tau = TRADEOFF_MEANS, TRADEOFF_TAU
        runs.append(outcome(pulls, means, tau, case=case, policy=policy, tuning=float(j)))
    return runs


REACH = np.linspace(0, 1200, 11).tolist()
Waste = Callable[[float], float]


def none(unfair: float) -> float:
    return 0.0


def some(unfair: float) -> float:
    return 100.0


def later(unfair: float) -> float:
    return 0.0 if unfair < 600 else 300.0


def panels(setting: str, wastes: Sequence[Waste], cases: Sequence[str] = ("a", "b")) -> Evidence:
    names = ("hard_threshold_ucb", "fair_learn", "lfg")
    seeds = iter(range(100))
    runs = [
        run
        for case in cases
        for policy, waste in zip(names, wastes, strict=True)
        for run in tradeoff(policy, REACH, waste, case=case, seed=next(seeds))
    ]
    return MadeUp(setting, runs)


@pytest.mark.parametrize(("claim", "setting"), [(C28, "setting_3"), (C31, "setting_5")])
@pytest.mark.parametrize(
    ("wastes", "expected"),
    [
        ((none, some, some), "reproduced"),
        ((some, none, none), "not reproduced"),
        ((some, none, lambda _: 200.0), "partly"),
        ((later, some, some), "not reproduced"),
        ((some, later, some), "not reproduced"),
    ],
)
def test_tradeoffs(claim: Claim, setting: str, wastes: Sequence[Waste], expected: str) -> None:
    finding, verdict = measured(claim, panels(setting, wastes))
    assert verdict == expected
    assert len(finding.parts) == 4
    assert "keeps its sign in 4 of 4 comparisons" in finding.note
    assert "oracle frontier" in finding.note


def test_tradeoff_of_equals_is_not_decided() -> None:
    assert measured(C28, panels("setting_3", (some, some, some)))[1] == "inconclusive"
    names = ("hard_threshold_ucb", "fair_learn", "lfg")
    same = [run for name in names for run in tradeoff(name, REACH, none, case="a")]
    finding, verdict = measured(C28, MadeUp("setting_3", same))
    assert verdict == "inconclusive"
    assert finding.parts[0].estimate == finding.parts[0].low == 0


def test_tradeoff_difference_is_the_waste() -> None:
    finding, _ = measured(C28, panels("setting_3", (none, some, some)))
    for part in finding.parts:
        assert part.low <= 0.3 * 100 + 3
        assert part.high >= 0.3 * 100 - 6


@pytest.mark.parametrize("apart", [[2000.0, 2100.0], [0.0, 0.0]])
def test_tradeoff_without_common_support(apart: list[float]) -> None:
    ours = tradeoff("hard_threshold_ucb", [100.0, 300.0, 500.0], none, case="a", noise=1)
    theirs = [
        run
        for policy in ("fair_learn", "lfg")
        for run in tradeoff(policy, apart, some, case="a", noise=0)
    ]
    finding, verdict = measured(C31, MadeUp("setting_5", [*ours, *theirs]))
    assert verdict == "inconclusive"
    assert all("no range of unfairness" in part.detail for part in finding.parts)
    assert "no range of unfairness that all policies reach" in finding.note


def test_tradeoff_without_a_rival() -> None:
    ours = tradeoff("hard_threshold_ucb", REACH, none, case="a")
    theirs = tradeoff("lfg", REACH, some, case="a")
    with pytest.raises(NotMeasuredError, match=r"^setting_5 has no policy fair_learn$"):
        C31.measure(MadeUp("setting_5", [*ours, *theirs]))


def test_tradeoff_one_replicate() -> None:
    names = ("hard_threshold_ucb", "fair_learn", "lfg")
    runs = [
        run
        for i, policy in enumerate(names)
        for run in tradeoff(policy, REACH, [none, some, some][i], case="a", n=1, seed=i)
    ]
    finding, verdict = measured(C28, MadeUp("setting_3", runs))
    assert verdict == "inconclusive"
    assert finding.parts[0].high == np.inf


def test_interpolation_agrees_with_numpy() -> None:
    generator = np.random.default_rng(5)
    x, y = generator.normal(size=(50, 6)), generator.normal(size=(50, 6))
    levels = np.linspace(-3, 3, 13)
    found = interpolated(x, y, levels)
    for row in range(50):
        order = np.argsort(x[row])
        assert found[row] == pytest.approx(np.interp(levels, x[row][order], y[row][order]))


def test_interpolation_at_ties_and_of_one_point() -> None:
    x, y = np.array([[0.0, 0.0, 0.0, 1.0]]), np.array([[1.0, 2.0, 3.0, 5.0]])
    assert interpolated(x, y, np.array([0.5, 0.0, 1.0, 2.0]))[0] == pytest.approx([4, 3, 5, 5])
    one = interpolated(np.array([[1.0]]), np.array([[7.0]]), np.array([0.0, 1.0, 2.0]))
    assert one[0] == pytest.approx([7, 7, 7])


def test_levels_are_inside_the_common_range() -> None:
    reward = np.zeros((4, 3))
    wide = Curve(np.tile([0.0, 50.0, 100.0], (4, 1)), reward)
    high = Curve(np.tile([80.0, 120.0, 180.0], (4, 1)), reward)
    found = common_levels([wide, high])
    assert found is not None
    assert found == pytest.approx(np.linspace(82, 98, 9))
    assert common_levels([wide, Curve(high.unfairness + 50, reward)]) is None


def test_errors_of_a_comparison_are_those_of_pairs() -> None:
    generator = np.random.default_rng(8)
    n, grid = 50, np.array([0.0, 100.0])
    unfair = np.tile(grid, (n, 1))
    common = generator.normal(0, 50, (n, 1))
    ours = Curve(unfair, 1000 + common + generator.normal(1, 2, (n, 1)) + 0 * unfair)
    theirs = Curve(unfair, 1000 + common + generator.normal(0, 2, (n, 1)) + 0 * unfair)
    found = compare(ours, theirs, np.array([25.0, 75.0]))
    difference = (ours.reward - theirs.reward)[:, 0]
    assert found.difference == pytest.approx([difference.mean()] * 2)
    half = (found.high - found.low) / 2
    expected = 2.01 * difference.std(ddof=1) / np.sqrt(n)
    assert half == pytest.approx([expected] * 2, rel=0.08)


def test_comparisons_of_equals_are_rarely_decided() -> None:
    runs, n = 60, 15
    hits = 0
    for seed in range(runs):
        generator = np.random.default_rng(seed)
        unfair = np.linspace(0, 100, 6) + generator.normal(0, 3, (2, n, 6))
        reward = 500 + unfair + generator.normal(0, 5, (2, n, 1))
        a, b = (Curve(unfair[i], reward[i]) for i in range(2))
        found = compare(a, b, np.array([50.0]))
        hits += int(min(found.p_greater[0], found.p_less[0]) < 0.025)
    # 5 % of 60 is 3; more than 9 has probability 0.1 % under an exact test.
    assert hits <= 9


# --- Figure 4: C29, C30 ---------------------------------------------------------------------

NON_CRITICAL = (0.9, 0.8, 0.4, 0.3, 0.2, 0.1)
CRITICAL = (0.9, 0.85, 0.84, 0.82, 0.3)
RATE = 0.41


def figure_4(critical: bool, power: float, *, n: int = 80, scale: float = 1.0) -> Evidence:
    """Panels whose arms have pulls in proportion to the distance to this power."""
    generator = np.random.default_rng(2)
    means = CRITICAL if critical else NON_CRITICAL
    tau = [0.05] * len(means)
    gap = 0.9 - np.array(means)
    distance = gap if critical else gap - RATE
    wanted = (distance > 1e-9) & (gap <= RATE) if critical else distance > 1e-9
    expected = np.full(len(means), 1000.0)
    nearest, start = distance[wanted].min(), 3000 if critical else 800
    expected[wanted] = scale * start * (distance[wanted] / nearest) ** power
    pulls = generator.normal(expected, np.sqrt(expected), (n, len(means)))
    pulls = np.maximum(pulls, 1000) if critical else np.clip(pulls, 1, 1000)
    prefix = "critical" if critical else "noncritical"
    other = "noncritical" if critical else "critical"
    runs = [
        outcome(pulls, means, tau, case=f"{prefix}_{i}", horizon=20_000, penalty=RATE)
        for i in (1, 2)
    ]
    # A panel of the other row, with any pulls, is none of the claim's business.
    level = np.full(pulls.shape, 1000.0)
    runs.append(outcome(level, means, tau, case=f"{other}_1", horizon=20_000, penalty=RATE))
    return MadeUp("setting_4", runs)


@pytest.mark.parametrize(
    ("claim", "critical", "power", "expected"),
    [
        (C29, False, -2.0, "reproduced"),
        (C29, False, -1.0, "not reproduced"),
        (C29, False, -3.2, "not reproduced"),
        (C30, True, -2.0, "reproduced"),
        (C30, True, -1.0, "not reproduced"),
    ],
)
def test_proportional_pulls(claim: Claim, critical: bool, power: float, expected: str) -> None:
    finding, verdict = measured(claim, figure_4(critical, power))
    assert verdict == expected
    assert finding.shown.estimate == pytest.approx(-power / 2, abs=0.05)
    assert len(finding.parts) == 2


@pytest.mark.parametrize(("claim", "critical"), [(C29, False), (C30, True)])
def test_pulls_at_the_limit_of_the_tolerance_are_not_decided(claim: Claim, critical: bool) -> None:
    _, verdict = measured(claim, figure_4(critical, -1.8))
    assert verdict == "inconclusive"


@pytest.mark.parametrize(("claim", "critical", "scale"), [(C29, False, 50.0), (C30, True, 1e-3)])
def test_arms_at_their_level_say_nothing(claim: Claim, critical: bool, scale: float) -> None:
    finding, verdict = measured(claim, figure_4(critical, -2.0, scale=scale))
    assert verdict == "inconclusive"
    assert all("three of different gaps are needed" in part.detail for part in finding.parts)


@pytest.mark.parametrize(("claim", "critical"), [(C29, False), (C30, True)])
def test_figure_4_one_replicate(claim: Claim, critical: bool) -> None:
    finding, verdict = measured(claim, figure_4(critical, -2.0, n=1))
    assert verdict == "inconclusive"
    assert finding.shown.low == -np.inf


def test_figure_4_without_panels_of_the_row() -> None:
    run = outcome(np.full((5, 3), 1000.0), (0.9, 0.5, 0.4), (0.05,) * 3, case="critical_1")
    assert C29.measure(MadeUp("setting_4", [run])).parts == ()


def test_the_note_says_what_the_fluid_prediction_expects() -> None:
    tau = [0.05] * len(NON_CRITICAL)
    pulls = predicted_pulls(NON_CRITICAL, tau, RATE, 20_000)
    noise = np.random.default_rng(4).normal(0, 5, (200, pulls.size))
    noise[:, :2] = 0
    run = outcome(
        pulls + noise, NON_CRITICAL, tau, case="noncritical_1", horizon=20_000, penalty=RATE
    )
    finding, verdict = measured(C29, MadeUp("setting_4", [run]))
    assert verdict == "not reproduced"
    said = finding.parts[0].detail.split("fluid prediction ")[1]
    assert finding.parts[0].estimate == pytest.approx(float(said), abs=0.01)
    assert "in the shifted distance's inverse square the data's is 1.00" in finding.note


def test_gaps_of_the_made_up_cases() -> None:
    # GAPS are those of MEANS; neighbours are at least two steps of the grid apart.
    assert pytest.approx(GAPS) == [0.9 - mean for mean in MEANS]
    assert all(b - a >= 0.1 - 1e-9 for a, b in pairwise(GAPS))
