"""Measures and rules of the research: by hand, where the small runs do not tell, near margins."""

from collections.abc import Mapping
from functools import cache
from typing import Any

import numpy as np
import pytest

from outcome_factories import N, Runs, info_of, outcome
from penalized_bandits.bandit.frontier import oracle_frontier
from penalized_bandits.common.typing import FloatArray
from penalized_bandits.policies import PAPER_POLICY
from penalized_bandits.statistics.estimates import Estimate, student
from penalized_bandits.theory.exploration import bernoulli_kl, root_log
from penalized_bandits.theory.fluid import predicted_pulls
from penalized_bandits.theory.inputs import instance_of
from penalized_replication.claims.horizon_series import by_instance
from penalized_replication.claims.measures.comparison import Curve
from penalized_replication.claims.rules import Rule
from penalized_replication.common.errors import NotMeasuredError
from penalized_replication.experiments.base import case_of
from penalized_replication.storage.replicates import Outcome
from penalized_research.claims import floors
from penalized_research.claims.constants import sharp_series
from penalized_research.claims.deficits import BEYOND
from penalized_research.experiments.floors import EQUAL, ONE, STUDIES, fractions_of
from penalized_research.measures.comparison import Distance, distance
from penalized_research.measures.growth import growth_exponent
from penalized_research.rules import ClearlyLess, NoMoreReward
from rule_helpers import alternating, measured, result_of, statuses
from tiny_sections import BANDIT, TINY_SHARP

R = 40
MEANS, FAIRNESS, HORIZON = (0.9, 0.5), (0.4, 0.4), 1000
FRONTIER = oracle_frontier(instance_of(MEANS, FAIRNESS), HORIZON)
SPAN = float(np.ptp(FRONTIER.reward))
BEST = outcome(np.zeros((R, 1)), HORIZON, MEANS, FAIRNESS, 0.1)


def curve(shift: float) -> Curve:
    """Return a curve below the frontier by a shift of the reward, with noise common to all."""
    unfairness = np.linspace(0, FRONTIER.unfairness[-1], 5)
    reward = FRONTIER.reward_at(unfairness) - shift
    noise = alternating(0.0, 0.1, R)[:, None]
    return Curve(np.tile(unfairness, (R, 1)), np.tile(reward, (R, 1)) + noise)


def half(value: Estimate) -> float:
    return (value.high - value.low) / 2


def test_distance_to_the_frontier_and_to_the_paper_s_policy() -> None:
    result = distance(curve(2.0), curve(5.0), BEST)
    assert result is not None
    below, behind = result
    assert below.estimate.value == pytest.approx(5 / SPAN)
    # The bootstrap's error has 2 % of its own.
    assert half(below.estimate) == pytest.approx(student(R) * 0.1 / np.sqrt(R - 1) / SPAN, rel=0.08)
    assert below.p_values(below.estimate.low) == pytest.approx((0.025, 0.975), rel=1e-6)
    assert below.p_values(below.estimate.high) == pytest.approx((0.975, 0.025), rel=1e-6)
    # Common noise: the difference is known exactly.
    assert behind.estimate.value == pytest.approx(3 / SPAN)
    assert half(behind.estimate) < 1e-9
    assert (*behind.p_values(0.0), behind.same) == (0.0, 1.0, False)
    assert behind.p_values(4 / SPAN) == (1.0, 0.0)


def test_policies_without_a_tradeoff_are_compared_at_their_own_unfairness() -> None:
    ours, whole = curve(2.0), curve(5.0)
    one = Curve(whole.unfairness[:, 2:3], whole.reward[:, 2:3])
    # A point of the other's curve is the same, whatever the rounding of its unfairness.
    end = Curve(ours.unfairness[:, -1:] * (1 + 1e-15), ours.reward[:, -1:])
    for theirs, behind, same in ((one, 3.0, False), (end, 0.0, True), (curve(2.0), 0.0, True)):
        result = distance(ours, theirs, BEST)
        assert result is not None
        assert result[1].estimate.value == pytest.approx(behind / SPAN)
        assert result[1].same == same
    assert distance(ours, Curve(one.unfairness + 1000, one.reward), BEST) is None


def test_growth_takes_regret_at_two_horizons() -> None:
    best = [outcome(np.zeros((R, 1)), t, MEANS, (0.0, 0.0), 0.4) for t in (100, 10_000)]
    ((one,), (two,)) = by_instance(best[:1]), by_instance(best)
    assert growth_exponent(two).reason == "regret is not positive"
    with pytest.raises(NotMeasuredError, match="growth takes two horizons, not one"):
        growth_exponent(one)


# --- Rules: literal cases of each, near its margin of 1 % ------------------------------

LESS, NO_MORE = (rule(of="", over="") for rule in (ClearlyLess, NoMoreReward))


def pair(ratio: float, spread: float) -> tuple[FloatArray, FloatArray]:
    return alternating(500 * ratio, spread, 400), np.full(400, 500.0)


def behind(share: float, error: float = 0.002) -> Distance:
    estimate = Estimate(share, share - 2 * error, share + 2 * error, 40)
    return Distance(estimate, error, same=error == 0)


@pytest.mark.parametrize(
    ("rule", "data", "expected"),
    [
        # One-sided p < 0.05: more than 1.65 standard errors beyond the margin of 5.
        (LESS, [pair(0.985, 20)], "h"),
        (LESS, [pair(0.985, 40)], "u"),
        (LESS, [pair(1.015, 20)], "f"),
        # Within the margin, by as much on both sides.
        *((LESS, [pair(*near)], "v") for near in ((0.995, 20), (1.0, 0))),
        # All comparisons share the level.
        *((LESS, [pair(0.985, 26)] * n, shared) for n, shared in ((1, "h"), (3, "uuu"))),
        (NO_MORE, [behind(0.0)], "h"),
        (NO_MORE, [behind(-0.008)], "u"),
        (NO_MORE, [behind(-0.02)], "f"),
        # p = 0.04: enough beside one that is the same, which is in no family.
        (NO_MORE, [behind(-0.0064), behind(0.0, error=0)], "hv"),
        (NO_MORE, [behind(-0.0064), behind(-0.0064)], "uu"),
    ],
)
def test_differences_near_the_margin(rule: Rule, data: list[object], expected: str) -> None:
    assert "".join(status[0] for status in statuses(rule, *data)) == expected


def test_all_seeds_share_the_level() -> None:
    assert statuses(LESS, pair(0.985, 26), shared=3) == ["undecided"]


def test_growth_in_arms_is_from_the_second_number_of_arms_on() -> None:
    outcomes = []
    for kind, regret, growth in ((EQUAL, 3.0, 2.0), (ONE, 0.3, 1.2)):
        for arms, scaled in ((2, 9.0), (10, regret), (50, regret * growth)):
            means, tau = np.where(np.arange(arms) == 0, 0.9, 0.5), fractions_of(kind, arms, 0.01)
            info = info_of(f"K{arms}_{kind}_T20000", tau, group=kind)
            about = {"case": info, "policy": floors.DUE_FIRST}
            at_floors = outcome(np.tile(tau[1:] * 20_000, (N, 1)), 20_000, means, tau, 1.0, **about)
            # Arm 2 has pulls to spare.
            beyond = scaled * floors.unit_of(at_floors) / 0.4 * (np.arange(arms - 1) == 0)
            others = at_floors.pulls[:, 1:] + beyond
            outcomes.append(outcome(others, 20_000, means, tau, 1.0, **about))
    # What is twice there counts once.
    sections = {name: TINY_SHARP[name] | {"rates": [1]} for name in STUDIES}
    evidence = Runs(dict.fromkeys(STUDIES, outcomes), sections)
    assert measured("S16", evidence) == ("hh", pytest.approx([2.0, 1.2], rel=0.02))


# --- Sharp constants, on replicates with known constants and deficits ---------------

SIGMA, KL, SOFT = "hard_threshold_sigma", "kl_hard_threshold", "soft_threshold_ucb"
RULES = {PAPER_POLICY: root_log(), SIGMA: root_log(0.5), KL: bernoulli_kl(), SOFT: root_log()}
NUMBERS = BANDIT["means"], BANDIT["fairness"], BANDIT["penalties"]
SHORT, LONG = (100_000, 300_000, 1_000_000), 10_000_000
EARLY = 100_000


@cache
def predicted(policy: str, horizon: int) -> FloatArray:
    """Return the predicted pulls of arms 2 and 3."""
    soft = policy == SOFT
    return predicted_pulls(instance_of(*NUMBERS), horizon, rule=RULES[policy], soft=soft)[1:]


def run(
    policy: str,
    horizon: int,
    case: str,
    pulls: tuple[float, float] = (1.0, 1.0),
    lack: float = 0.0,
    sup: float = 5.0,
) -> Outcome:
    """Return an outcome with the predicted pulls of arms 2 and 3, each times a factor."""
    rng = np.random.default_rng([len(policy), horizon])
    counts = predicted(policy, horizon) * pulls * rng.uniform(0.98, 1.02, (N, 2))
    if policy != SOFT:
        counts[:, 1] = 0.2 * horizon - lack
    # Every arm's, in every replicate a little more or less.
    deficits = np.broadcast_to(sup * rng.uniform(0.98, 1.02, (N, 1)), (N, 3))
    info = info_of(case, NUMBERS[1], law="bernoulli", parameters={})
    return outcome(counts, horizon, *NUMBERS, case=info, policy=policy, max_deficit=deficits)


def generated(early: Mapping[str, Any] | None = None, **late: Any) -> Runs:
    """Return evidence of one bandit; what runs give at their ends and before may differ."""
    cheap = (PAPER_POLICY, SIGMA, SOFT)
    made = {"sharp_short": [run(p, t, case_of("one", t), **late) for p in cheap for t in SHORT]}
    for study, policies in (("sharp_long", cheap), ("sharp_kl", (KL,))):
        made[study] = [
            run(policy, t, case_of("one", LONG), **given)
            for policy in policies
            for t, given in ((EARLY, early or {}), (LONG, late))
        ]
    made["sharp_kl"] += [run(KL, t, case_of("one", t), **late) for t in SHORT]
    return Runs(made, TINY_SHARP)


@pytest.mark.parametrize(
    ("name", "made", "statuses", "estimates"),
    [
        # The prediction's own limit, second, does not depend on the runs.
        ("S01", {"pulls": (0.5, 1.0)}, "fh", [0.5, 1]),
        # A deficit that grows as log T does, and one above 0.2/(1 - 0.4 + 0.2) = 0.25 pulls.
        ("S03", {"sup": 7.0}, "fffhhh", [0.4, 0.4, 0.4, 0, 0, 0]),
        ("S03", {"lack": 1.0}, "hhhfff", [0, 0, 0, 1, 1, 1]),
        # Deficits that never were do not grow.
        ("S03", {"early": {"sup": 0.0}, "sup": 0.0}, "hhhhhh", 0),
        # Arm 3 has 0.9 of its share: a deficit of 0.01 T more, at 0.25 each, beside 0.025 T.
        ("S06", {"pulls": (1.0, 0.9)}, "fhf", [1.11, 1, 0.9]),
        # 200 deficits more, at 0.25 each, beside the growth of Σ (Δ − A) N: 46, 10.4 and 9.8.
        ("S08", {"lack": 200.0}, "fff", [50 / 46.2, 50 / 10.44, 50 / 9.78]),
    ],
)
def test_what_is_measured(name: str, made: dict[str, Any], statuses: str, estimates: Any) -> None:
    wanted = pytest.approx(np.broadcast_to(estimates, len(statuses)), rel=0.02, abs=0.002)
    assert measured(name, generated(**made)) == (statuses, wanted)


def test_horizons_that_have_not_settled_are_left_out() -> None:
    (series,) = sharp_series(generated(), [KL])
    # 2 log T <= 0.2 · 0.25² T from T = 1,400 on.
    assert len(series.settled_since(0)) == len(series)
    assert len(series.settled_since(10**9)) == 0
    made = generated().made
    late = {study: [run for run in runs if run.horizon != EARLY] for study, runs in made.items()}
    runs = Runs(late | {"sharp_short": made["sharp_short"]}, TINY_SHARP)
    assert [one.quantity for one in result_of("S03", runs).comparisons] == 3 * [BEYOND]
    with pytest.raises(NotMeasuredError, match="no study has the policies ucb1"):
        sharp_series(generated(), ["ucb1"])
