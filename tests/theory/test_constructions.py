"""The instances of Theorems 4.6 to 4.8, played."""

import math

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from numpy.typing import ArrayLike

from penalized_bandits import Deterministic, Instance, penalized_regret, simulate
from penalized_bandits.theory.bounds import lower_bounds_4_6, lower_bounds_4_7
from penalized_bandits.theory.constructions import conditions_4_6, conditions_4_7
from penalized_bandits.theory.inputs import instance_of


def non_critical(n_arms: int, gap: float, penalty: float, fairness: ArrayLike) -> Instance:
    """Theorem 4.6: arm 1 pays the gap, all others nothing."""
    return Instance([gap, *[0.0] * (n_arms - 1)], fairness, penalty, Deterministic())


def critical(counts: tuple[int, int], gap: float, other_penalty: float, tau: ArrayLike) -> Instance:
    """Theorem 4.7: arm 1, critical arms with a gap, non-critical ones with a gap of 0.6."""
    repeats = [1, *counts]
    means = np.repeat([0.6 + gap, 0.6, gap], repeats)
    rates = np.repeat([gap + 0.3, gap + 0.3, other_penalty], repeats)
    return Instance(means, tau, rates, Deterministic())


def scale(horizon: int) -> float:
    return math.sqrt(math.log(horizon) / horizon)


def conditions(bandit: Instance, horizon: int) -> list[bool]:
    """Whether the conditions hold of the theorem that an instance belongs to."""
    check = conditions_4_7 if bandit.critical.any() else conditions_4_6
    return [condition.holds for condition in check(bandit, horizon)]


def check_claims(bandit: Instance, horizon: int) -> None:
    """Check that pulls of the arms in question, and regret, are at least those claimed."""
    result = simulate("hard_threshold_ucb", bandit, horizon, replicates=1)
    pulls = result.pulls[0, -1]
    regret = penalized_regret(pulls, bandit.means, bandit.fairness, bandit.penalties)
    arms, margin, bound_of = bandit.critical, bandit.gaps, lower_bounds_4_7
    if not arms.any():
        arms, margin, bound_of = bandit.non_critical, margin - bandit.penalties, lower_bounds_4_6
    assert (pulls[arms] >= math.log(horizon) / margin[arms] ** 2).all()
    assert regret >= bound_of(bandit, horizon).regret.sum() > 0


@settings(max_examples=30)
@given(
    st.integers(2, 6),
    st.sampled_from([1000, 20_000]),
    st.floats(0.3, 1.0),
    st.floats(0.0, 0.9),
    st.floats(0.1, 0.9),
    st.floats(0.0, 0.5),
)
def test_theorem_4_6_on_its_construction(
    n_arms: int, horizon: int, gap: float, share: float, total: float, first: float
) -> None:
    """Wherever the proof's conditions hold, pulls and regret are what it says."""
    tau = np.full(n_arms, total / n_arms)
    tau[0] = min(first, 0.999 - tau[1:].sum())
    bandit = non_critical(n_arms, gap, share * gap, tau)
    assume(all(conditions(bandit, horizon)))
    check_claims(bandit, horizon)


@settings(max_examples=30)
@given(
    st.tuples(st.integers(1, 3), st.integers(0, 3)),
    st.sampled_from([5000, 100_000]),
    st.floats(4.0, 12.0),
    st.floats(0.01, 0.9),
    st.floats(0.0, 0.7),
)
def test_theorem_4_7_on_its_construction(
    counts: tuple[int, int], horizon: int, factor: float, level: float, share: float
) -> None:
    """Gaps of the order sqrt(log T/T), fractions up to what the proof assumes."""
    gap = factor * math.sqrt(counts[0]) * scale(horizon)
    assume(gap < 0.4)
    tau = np.full(1 + sum(counts), 0.1)
    tau[1 : 1 + counts[0]] = min(level * math.log(horizon) / gap**2 / horizon, 0.1)
    bandit = critical(counts, gap, 0.6 * share, tau)
    assume(all(conditions(bandit, horizon)))
    check_claims(bandit, horizon)


def test_conditions_4_6_by_hand() -> None:
    # log T = 10, so 10/0.64 pulls are claimed of each of three arms.
    horizon = math.exp(10)
    found = conditions_4_6(instance_of([0.9, 0, 0, 0], [0.1, 0.2, 0.2, 0.2], 0.1), horizon)
    assumed, last, settled, overtaken = found
    assert assumed.applies.tolist() == [False, True, True, True]
    assert assumed.value[1:] == pytest.approx(0.1 * horizon)
    assert assumed.least[1:] == pytest.approx(80 / 0.64)
    assert last.least[1:] == pytest.approx(horizon / 2 + 1 + 2 * 80 / 0.64 + 16)
    assert (settled.value, settled.least) == (0.5, 0.1)
    assert overtaken.value[1:] == pytest.approx(math.sqrt(2 * (10 - math.log(2)) * 0.064))
    assert overtaken.least[1:] == pytest.approx(0.8 + math.sqrt(40 / horizon))
    assert all(condition.holds for condition in found)


def test_conditions_4_7_by_hand() -> None:
    # Two critical arms with Delta = 0.2, one other with Delta - A = 0.5; log T = 10.
    horizon, tau = math.exp(10), [0.1, 0.01, 0.012, 0.1]
    found = conditions_4_7(instance_of([0.8, 0.6, 0.6, 0.2], tau, [0.5, 0.5, 0.5, 0.1]), horizon)
    explored, level, last, _, overtaken = found
    assert explored.least == pytest.approx(2 * 80 / 0.04 + 80 / 0.25)
    assert level.applies.tolist() == [False, True, True, False]
    assert level.value[1:3] == pytest.approx(10 / 0.04)
    assert level.least == pytest.approx(np.multiply(tau, horizon))
    assert last.least[1:3] == pytest.approx(horizon / 2 + 1 + 80 / 0.04 + 80 / 0.25 + 250)
    assert overtaken.least[1:3] == pytest.approx(0.2 + math.sqrt(40 / horizon))
    # tau T is 264 for the second of them, more than 250.
    assert [c.holds for c in found] == [True, False, True, True, True]
    assert level.per_arm.tolist() == [True, True, False, True]
