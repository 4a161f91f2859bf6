"""The comparison of policies and the claims beyond the paper, on outcomes made for it."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from extended_helpers import HORIZONS, TINY_EXTENDED
from penalized_bandits.claims.base import verdict_of
from penalized_bandits.claims.figure_1 import regret_of
from penalized_bandits.claims.tradeoff import Curve
from penalized_bandits.errors import ClaimError
from penalized_bandits.extensions.claims import EXTENDED_CLAIMS
from penalized_bandits.extensions.claims.best import (
    all_regrets,
    keeping,
    laws_decided,
    laws_of,
    least,
    settled_cases,
)
from penalized_bandits.extensions.comparison import (
    OURS,
    Laws,
    by_case,
    comparison,
    distance,
    ratio_of_means,
    regrets_of,
    told,
)
from penalized_bandits.extensions.evidence import ExtendedEvidence
from penalized_bandits.extensions.ledger import check_all, claim, comparison_page, page
from penalized_bandits.frontier import oracle_frontier
from penalized_bandits.replicates import Outcome
from penalized_bandits.rewards import Gaussian
from penalized_bandits.typing import FloatArray

R = 40
MEANS = np.tile([0.9, 0.5], (R, 1))
FAIRNESS = np.array([0.4, 0.4])
PENALTIES = np.full((R, 2), 0.1)
"""Arm 2 has Delta - A = 0.3 and is to be left below its level."""

Growth = Callable[[int], float]


def pulled(horizon: int, regret: FloatArray) -> np.ndarray:
    """Return the pulls that have a given penalized regret: 0.3 a pull of arm 2."""
    second = np.maximum(np.round(regret / 0.3), 0).astype(np.int32)
    assert (second <= 0.4 * horizon).all()
    return np.stack([horizon - second, second], axis=1)


def outcome(case: str, policy: str, horizon: int, regret: float, **changes: Any) -> Outcome:
    """Return an outcome with about this mean regret, replicates spread around it."""
    rng = np.random.default_rng([len(case), len(policy), horizon])
    pulls = pulled(horizon, regret * rng.uniform(0.99, 1.01, R))
    made = Outcome(
        case, policy, 1.0, None, horizon, 0, pulls, np.zeros((R, 2)), MEANS, FAIRNESS, PENALTIES
    )
    return replace(made, **changes)


class KnownLaws(Laws):
    """Gaussian rewards everywhere."""

    def __init__(self) -> None:
        pass

    def of(self, name: str, case: str) -> Gaussian:
        """Return sigma = 1."""
        del name, case
        return Gaussian(1.0)


LONG = [4000, 10_000, 30_000, 100_000, 300_000]
POLICIES = [OURS, "hard_threshold_sigma", "ucb1"]


def evidence(growth: dict[str, Growth], level: dict[str, float]) -> ExtendedEvidence:
    """Return evidence in which policies have known regrets.

    ``growth`` is the regret in long_runs by the horizon, ``level`` that of all else.
    """
    sections: dict[str, Any] = {name: {**values} for name, values in TINY_EXTENDED.items()}
    for name, section in sections.items():
        section["policies"] = list(growth) if name.startswith("long_runs") else list(level)
    sections["heavy_tails"]["policies"] = [OURS]
    sections["long_runs"]["horizons"] = LONG
    sections["long_runs_kl"] |= {"policies": list(growth)[:1], "horizons": LONG}
    made = ExtendedEvidence(sections, {}, 1, KnownLaws())
    found = made._outcomes
    found["long_runs"] = [
        outcome(f"one_T{t}", policy, t, grow(t)) for policy, grow in growth.items() for t in LONG
    ]
    for name, horizon in (("extended_1", 400), ("extended_regret", 400)):
        found[name] = [
            outcome(case, policy, horizon, value, scale=scale)
            for case in ("a", "bb")
            for policy, value in level.items()
            # The tuned run is twice as good.
            for scale, value in ((1.0, value), (0.25, value / 2))
        ]
    return made


def growing_as_log(t: int) -> float:
    return 20 * float(np.log(t))


def growing_as_root(t: int) -> float:
    return 2 * float(np.sqrt(t))


def decided(name: str, found: ExtendedEvidence) -> tuple[str, list[Any]]:
    finding = claim(name).measure(found)
    return verdict_of(finding.parts), list(finding.parts)


BETTER = {OURS: 20.0, "hard_threshold_sigma": 10.0, "ucb1": 30.0}
BOTH_LOG = {OURS: growing_as_log, "hard_threshold_sigma": growing_as_log}


def test_the_better_policy_is_found_and_shown() -> None:
    made = evidence(BOTH_LOG, BETTER)
    assert keeping(made) == [OURS, "hard_threshold_sigma"]
    assert least(made, POLICIES) == "hard_threshold_sigma"
    verdict, parts = decided("E01", made)
    assert verdict == "reproduced"
    assert len(parts) == 4
    for part in parts:
        assert part.low < part.estimate < part.high < 0


def test_a_policy_that_breaks_the_law_is_not_the_better_one() -> None:
    made = evidence({OURS: growing_as_log, "hard_threshold_sigma": growing_as_root}, BETTER)
    assert laws_of(made, "hard_threshold_sigma") == {"one": "power"}
    assert laws_decided(made, "hard_threshold_sigma") == {"log": 0, "undecided": 0, "power": 1}
    assert keeping(made) == [OURS]
    # Nothing is left but the hard threshold itself, and of that nothing is said.
    verdict, parts = decided("E01", made)
    assert verdict == "inconclusive"
    assert {part.status for part in parts} == {"vacuous"}


def test_the_law_of_each_policy() -> None:
    verdict, parts = decided("E02", evidence(BOTH_LOG, BETTER))
    assert verdict == "reproduced"
    assert [part.status for part in parts] == ["holds", "holds"]
    broken = {OURS: growing_as_log, "hard_threshold_sigma": growing_as_root}
    verdict, parts = decided("E02", evidence(broken, BETTER))
    assert [part.status for part in parts] == ["holds", "fails"]
    # Where the hard threshold itself has not settled, nothing is said of anyone.
    made = evidence(dict.fromkeys(BOTH_LOG, growing_as_root), BETTER)
    assert settled_cases(made) == []
    for name in ("E02", "E04"):
        assert [part.status for part in decided(name, made)[1]] == ["vacuous", "vacuous"]


def test_told_no_more_than_the_paper_s() -> None:
    growth = {**BOTH_LOG, "kl_hard_threshold": growing_as_log}
    made = evidence(growth, {**BETTER, "kl_hard_threshold": 15.0})
    assert least(made, keeping(made)) == "hard_threshold_sigma"
    finding = claim("E10").measure(made)
    assert finding.quantity.startswith("penalized regret of kl_hard_threshold less")
    assert verdict_of(finding.parts) == "reproduced"
    worse = evidence(growth, {**BETTER, "kl_hard_threshold": 25.0})
    assert verdict_of(claim("E10").measure(worse).parts) == "inconclusive"


def test_equal_policies_do_not_differ() -> None:
    equal = dict.fromkeys(POLICIES, 20.0)
    made = evidence(BOTH_LOG, equal)
    for name in ("E01", "E03"):
        assert decided(name, made)[0] in ("inconclusive", "partly", "not reproduced")


def test_a_tuned_rival_turns_the_verdict() -> None:
    growth = {**BOTH_LOG, "kl_hard_threshold": growing_as_log}
    made = evidence(growth, {**BETTER, "kl_hard_threshold": 15.0})
    assert decided("E03", made)[0] == "reproduced"
    # Tuned, the hard threshold has a tenth of its regret.
    for name in ("extended_1", "extended_regret"):
        made._outcomes[name] = [
            outcome(run.case, run.policy, 400, 2.0, scale=0.25)
            if run.policy == OURS and run.scale == 0.25
            else run
            for run in made._outcomes[name]
        ]
    assert decided("E03", made)[0] == "not reproduced"


def test_tuning_is_chosen_on_one_half_and_measured_on_the_other() -> None:
    made = evidence(BOTH_LOG, BETTER)
    even = np.arange(R) % 2 == 0
    lucky = pulled(400, np.where(even, 3.0, 45.0))
    made._outcomes["extended_1"].append(
        outcome("a", OURS, 400, 20.0, pulls=lucky, scale=None, tuning=7.0)
    )
    found = regrets_of(made, "extended_1", "a", OURS)
    # The even half chooses what is bad on the odd one; the odd half the scaled run.
    assert found.chosen == "tuning 7 (the last tried) / exploration x 0.25 (the last tried)"
    np.testing.assert_allclose(found.tuned[1::2], 45.0)
    assert found.tuned[::2].mean() == pytest.approx(10, rel=0.1)
    assert found.published.mean() == pytest.approx(20, rel=0.1)
    assert found.tuned.shape == found.published.shape == (R,)
    assert len(all_regrets(made, OURS)) == 4


def test_slopes_are_held_against_the_bound() -> None:
    # The bound's constant: 2 sigma^2 / 0.3; the slope is 20.
    verdict, parts = decided("E04", evidence(BOTH_LOG, BETTER))
    assert verdict == "not reproduced"
    assert parts[0].estimate == pytest.approx(20 / (2 / 0.3), rel=0.05)
    slow = {policy: (lambda t: 8 * float(np.log(t))) for policy in BOTH_LOG}
    assert decided("E04", evidence(slow, BETTER))[0] == "reproduced"


def test_ratio_of_means() -> None:
    rng = np.random.default_rng(5)
    below = rng.uniform(1, 3, 4000)
    above = 2 * below + rng.normal(0, 0.1, 4000)
    found = ratio_of_means(above, below)
    assert found.value == pytest.approx(above.mean() / below.mean())
    # Errors of 0.1 over a mean of 2.
    assert (found.high - found.low) / 2 == pytest.approx(1.96 * 0.05 / np.sqrt(4000), rel=0.05)
    assert found.low < 2 < found.high


def _curve(shift: float, points: int = 5) -> Curve:
    """Return a curve that lies below the frontier by a number of units of reward."""
    frontier = oracle_frontier(MEANS[0], FAIRNESS, 1000)
    unfairness = np.linspace(0, frontier.unfairness[-1], points)
    reward = frontier.reward_at(unfairness) - shift
    noise = np.random.default_rng(1).normal(0, 0.1, (R, 1))
    return Curve(np.tile(unfairness, (R, 1)), np.tile(reward, (R, 1)) + noise)


def test_distance_to_the_frontier_and_to_the_paper_s_policy() -> None:
    bandit = outcome("a", OURS, 1000, 0.0)
    frontier = oracle_frontier(MEANS[0], FAIRNESS, 1000)
    span = float(frontier.reward[-1] - frontier.reward[0])
    found = distance(_curve(2.0), _curve(5.0), bandit)
    assert found is not None
    below, behind = found[0].estimate, found[1]
    noise = 0.1 / np.sqrt(R) / span
    assert below.value == pytest.approx(5 / span, abs=4 * noise)
    assert below.low < 5 / span < below.high
    # 95 % of Student's t with 39 degrees of freedom; the bootstrap's error has 4 % of its own.
    assert (below.high - below.low) / 2 == pytest.approx(2.02 * noise, rel=0.3)
    # Common noise: the difference is known exactly.
    assert behind.estimate.value == pytest.approx(3 / span)
    assert behind.estimate.high - behind.estimate.low < 1e-9
    assert (behind.p_below, behind.p_above, behind.same) == (0.0, 1.0, False)
    itself = distance(_curve(2.0), _curve(2.0), bandit)
    assert itself is not None
    assert itself[1].same


def test_policies_without_a_tradeoff_are_compared_at_their_own_unfairness() -> None:
    bandit = outcome("a", OURS, 1000, 0.0)
    whole = _curve(5.0)
    one = Curve(whole.unfairness[:, 2:3], whole.reward[:, 2:3])
    found = distance(_curve(2.0), one, bandit)
    span = float(np.ptp(oracle_frontier(MEANS[0], FAIRNESS, 1000).reward))
    assert found is not None
    assert found[1].estimate.value == pytest.approx(3 / span)
    # A point of the other's curve is the same, whatever the rounding of its unfairness.
    ours = _curve(2.0)
    end = Curve(ours.unfairness[:, -1:] * (1 + 1e-15), ours.reward[:, -1:])
    found = distance(ours, end, bandit)
    assert found is not None
    assert found[1].same
    beyond = Curve(one.unfairness + 1000, one.reward)
    assert distance(_curve(2.0), beyond, bandit) is None


def test_an_unknown_claim_is_named() -> None:
    with pytest.raises(ClaimError, match="no claim 'E99' beyond the paper: known are E01, E02"):
        claim("E99")


def test_every_claim_has_a_rule_with_both_ends() -> None:
    for name in EXTENDED_CLAIMS:
        wanted = claim(name)
        assert "holds if" in wanted.rule, name
        assert "fails if" in wanted.rule, name
        assert wanted.evidence.startswith("results/extended/")


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize(
    ("name", "experiment", "rivals", "horizons"),
    [
        ("E06", "heterogeneous_penalties", ("lfg", "fair_learn", "soft_threshold_ucb"), (100, 400)),
        ("E09", "many_arms", ("ucb1",), (100, 400)),
    ],
)
def test_rivals_turn_the_verdict(
    name: str, experiment: str, rivals: tuple[str, ...], horizons: tuple[int, ...], turned: bool
) -> None:
    made = evidence(BOTH_LOG, BETTER)
    made._sections[experiment] = made._sections[experiment].model_copy(
        update={"policies": [OURS, *rivals]}
    )
    made._outcomes[experiment] = [
        outcome("a", policy, t, 2.0 if (policy == OURS) is not turned else 4.0)
        for policy in (OURS, *rivals)
        for t in horizons
    ]
    assert decided(name, made)[0] == ("not reproduced" if turned else "reproduced")


@pytest.mark.parametrize(("exponent", "verdict"), [(0.2, "reproduced"), (0.9, "not reproduced")])
@pytest.mark.parametrize("name", ["E07", "E08"])
def test_growth_turns_the_verdict(name: str, exponent: float, verdict: str) -> None:
    made = evidence(BOTH_LOG, BETTER)
    if name == "E07":
        grown = {OURS: 2.0, "ucb1": 3.0}
        made._outcomes["shrinking_fairness"] = [
            outcome(f"K5_b0.5_T{t}", policy, t, start * (t / 100) ** exponent)
            for policy, start in grown.items()
            for t in (100, 400)
        ]
    else:
        made._outcomes["heavy_tails"] = [
            outcome(f"K5_tail{tail}", OURS, t, 2 * (t / 100) ** exponent)
            for tail in (1.5, 10)
            for t in (100, 400)
        ]
    assert decided(name, made)[0] == verdict


def test_the_tables_of_made_up_outcomes() -> None:
    made = evidence(BOTH_LOG, BETTER)
    for name in ("extended_3", "extended_5"):
        made._outcomes[name] = [
            outcome("a", policy, 400, regret, tuning=float(i), penalties=None)
            for policy in POLICIES
            for i, regret in enumerate((1.0, 8.0, 20.0))
        ]
    cases = by_case(made, KnownLaws())
    table = comparison(cases, {OURS: "1 log"})
    assert list(table["policy"]) == POLICIES
    shown = comparison_page(table)
    for policy, ratio in (("hard_threshold_ucb", 20.0), ("ucb1", 30.0)):
        row = table[table["policy"] == policy].iloc[0]
        bound = 2 / 0.3 * np.log(400)
        assert row["extended_1_over_bound_published"] == pytest.approx(ratio / bound, rel=0.1)
        assert row["extended_1_over_bound_tuned"] == pytest.approx(ratio / 2 / bound, rel=0.1)
        assert f"| {row['label']} |" in shown
    assert table["told"].iloc[0] == "A (half the spread of the true μ)"
    assert table["law"].iloc[0] == "1 log"
    assert len(regret_of(made.outcomes("extended_1")[0])) == R
    assert HORIZONS
    made._outcomes["heterogeneous_penalties"] = [
        outcome("a", p, 400, 2.0) for p in (OURS, "lfg", "fair_learn", "soft_threshold_ucb")
    ]
    made._sections["heterogeneous_penalties"] = made._sections[
        "heterogeneous_penalties"
    ].model_copy(update={"policies": [OURS, "lfg", "fair_learn", "soft_threshold_ucb"]})
    made._outcomes["many_arms"] = [
        outcome("a", p, t, 2.0) for p in (OURS, "ucb1") for t in (100, 400)
    ]
    # The same pulls as UCB1: nothing is said.
    pulls = outcome("K5_b0.5_T400", OURS, 400, 2.0).pulls
    made._outcomes["shrinking_fairness"] = [
        outcome(f"K5_b0.5_T{t}", policy, t, 2.0, pulls=pulls)
        for policy in (OURS, "ucb1")
        for t in (100, 400)
    ]
    assert {part.status for part in claim("E07").measure(made).parts} == {"vacuous"}
    made._outcomes["heavy_tails"] = [outcome("K5_tail1.5", OURS, t, 2.0) for t in (100, 400)]
    rows = check_all(made)
    assert [row["id"] for row in rows] == list(EXTENDED_CLAIMS)
    assert page(rows).startswith("# Claims beyond the paper\n")


@pytest.mark.parametrize(
    ("policy", "told_of"),
    [("ucb1", "nothing more"), ("lfg", "T"), ("ucb_sigma", "σ of the rewards")],
)
def test_what_policies_are_told(policy: str, told_of: str) -> None:
    assert told(policy) == told_of


def test_equal_unfairness_turns_the_verdict() -> None:
    made = evidence(BOTH_LOG, BETTER)
    for name in ("extended_3", "extended_5"):
        # The rival gives up as many pulls of arm 2, and of more reward: it wins one a step less.
        made._outcomes[name] = [
            outcome("a", policy, 400, regret, tuning=float(i), penalties=None)
            for policy, regrets in (
                (OURS, (1.0, 8.0, 20.0)),
                ("hard_threshold_sigma", (1.0, 8.0, 20.0)),
                ("ucb1", (8.0,)),
            )
            for i, regret in enumerate(regrets)
        ]
    parts = claim("E05").measure(made).parts
    # Two arms: reward follows from unfairness, and nobody can be better.
    assert {part.status for part in parts} <= {"vacuous", "undecided"}
    assert len(parts) == 4
