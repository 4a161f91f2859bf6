"""How parts are decided by their intervals, and claims by their parts."""

import math
from typing import get_args

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from penalized_bandits.claims.base import (
    FAR,
    Finding,
    Kind,
    Part,
    Status,
    Verdict,
    above,
    below,
    by_p_values,
    exactly,
    not_said,
    share_of,
    slack_of,
    vacuous,
    verdict_of,
    within,
)

COUNTS = st.integers(0, 4)
KINDS = st.sampled_from(get_args(Kind))


def part(status: Status, name: str = "a") -> Part:
    return Part(name, 1.0, 0.5, 1.5, status)


def parts_of(holds: int, fails: int, undecided: int, empty: int = 0) -> list[Part]:
    counts = dict(zip(get_args(Status), (holds, fails, undecided, empty), strict=True))
    return [part(status) for status, n in counts.items() for _ in range(n)]


@given(
    holds=COUNTS, fails=COUNTS, undecided=COUNTS, empty=COUNTS, kind=KINDS, seed=st.integers(0, 9)
)
def test_verdict_of_all_combinations(
    holds: int, fails: int, undecided: int, empty: int, kind: Kind, seed: int
) -> None:
    parts = parts_of(holds, fails, undecided, empty)
    found = verdict_of(parts, kind)
    assert found in get_args(Verdict)
    # As the ledger's documentation has it, told in another order.
    if fails == 0:
        if holds == 0:
            assert found == "undecided"
        elif undecided > 0:
            assert found == "partly"
        else:
            assert found == ("identity" if kind == "identity" else "reproduced")
    elif kind != "pattern" or holds == 0:
        assert found == "not reproduced"
    else:
        assert found == "partly"
    # Neither order nor vacuous parts matter.
    mixed = [parts[i] for i in np.random.default_rng(seed).permutation(len(parts))]
    assert verdict_of(mixed, kind) == verdict_of(parts_of(holds, fails, undecided), kind) == found


@pytest.mark.parametrize("kind", ["theorem", "bound", "identity"])
def test_one_counterexample_refutes_a_theorem(kind: Kind) -> None:
    parts = parts_of(holds=99, fails=1, undecided=0)
    assert verdict_of(parts, kind) == "not reproduced"
    assert verdict_of(parts) == "partly"


# --- Bounds that are far away


def ratio(estimate: float, limit: float = 1.0) -> Part:
    return below("a", estimate, estimate, estimate, limit)


@pytest.mark.parametrize(
    ("part", "expected"),
    [
        (below("a", 0.25, 0.2, 0.3, 1.0), 4.0),
        (above("a", 5.0, 4.0, 6.0, 2.0), 2.5),
        (below("a", 2.0, 1.9, 2.1, 1.0), 0.5),
        # No ratio to a bound: a difference, a share, two limits, a limit or an estimate of 0.
        (below("a", 0.25, 0.2, 0.3, 1.0, stake=10.0), math.nan),
        (share_of("a", 95, 100, least=0.9), math.nan),
        (within("a", 1.0, 0.9, 1.1, 0.5, 2.0), math.nan),
        (below("a", -3.0, -4.0, -2.0, 0.0), math.nan),
        (above("a", 3.0, 2.0, 4.0, 0.0), math.nan),
        (ratio(0.0), math.nan),
        (exactly("a", holds=True, value=1.0, limit=2.0), math.nan),
    ],
)
def test_slack_of_a_part(part: Part, expected: float) -> None:
    assert part.slack == pytest.approx(expected, nan_ok=True)


def test_a_bound_that_is_far_away_is_consistent() -> None:
    near, far, empty = ratio(0.9), ratio(0.4), vacuous(ratio(0.9), "above T")
    assert verdict_of([far, ratio(1 / FAR)], "bound") == "consistent"
    # The nearest bound counts, of the parts that say something.
    assert verdict_of([far, near], "bound") == "reproduced"
    assert verdict_of([far, empty], "bound") == "consistent"
    assert verdict_of([far], "theorem") == verdict_of([far]) == "reproduced"
    assert verdict_of([far, ratio(1.5)], "bound") == "not reproduced"
    assert slack_of([far, near, empty, ratio(1.5)]) == pytest.approx(1 / 0.9)
    assert math.isnan(slack_of([part("holds")]))


@pytest.mark.parametrize(
    ("part", "expected"),
    [
        (below("a", 1.5, 1.4, 1.6, 1.0), 0.5),
        (below("a", 0.25, 0.2, 0.3, 1.0), -0.75),
        (above("a", 1.0, 0.9, 1.1, 2.0), 0.5),
        (above("a", 3.0, 2.0, 4.0, 2.0), -0.5),
        (above("a", -22.0, -25.0, -19.0, 0.0, stake=1000.0), 0.022),
        (below("a", 3.0, 2.0, 4.0, 0.0), 3.0),
        (share_of("a", 50, 100, least=0.9), 0.4),
        (within("a", 1.25, 1.2, 1.3, 0.9, 1.1, limit=1.0), 0.15 / 1.1),
        (within("a", 0.75, 0.7, 0.8, 0.9, 1.1, limit=1.0), 0.15 / 0.9),
        (exactly("a", holds=False, value=3.0), math.nan),
    ],
)
def test_how_far_a_part_is_beyond_its_limit(part: Part, expected: float) -> None:
    assert part.excess == pytest.approx(expected, nan_ok=True)


NAN, INF = math.nan, math.inf


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [
        (0.0, 0.9, "holds"),
        (0.0, 1.0, "undecided"),
        (0.9, 1.1, "undecided"),
        (1.0, 2.0, "undecided"),
        (1.1, 2.0, "fails"),
        (-INF, INF, "undecided"),
        (NAN, NAN, "undecided"),
    ],
)
def test_below_and_above_mirror_each_other(low: float, high: float, expected: Status) -> None:
    found = below("a", 1.0, low, high, 1.0)
    assert (found.status, found.limit) == (expected, 1.0)
    assert found.low == pytest.approx(low, nan_ok=True)
    assert above("a", -1.0, -high, -low, -1.0).status == expected


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [
        (1.0, 2.0, "holds"),
        (0.9, 1.5, "undecided"),
        (1.5, 2.1, "undecided"),
        (0.5, 2.5, "undecided"),
        (0.5, 1.0, "undecided"),
        (0.5, 0.9, "fails"),
        (2.1, 3.0, "fails"),
        (NAN, NAN, "undecided"),
    ],
)
def test_within(low: float, high: float, expected: Status) -> None:
    found = within("a", 1.5, low, high, 1.0, 2.0)
    assert (found.status, found.detail) == (expected, "between 1 and 2")


@given(low=st.floats(-10, 10), width=st.floats(0, 5), limit=st.floats(-10, 10))
def test_a_part_is_decided_only_by_its_whole_interval(
    low: float, width: float, limit: float
) -> None:
    found = below("a", low, low, low + width, limit).status
    assert (found == "undecided") == (low <= limit <= low + width)
    opposite = above("a", low, low, low + width, limit).status
    assert {found, opposite} in ({"holds", "fails"}, {"undecided"})


def test_exactly() -> None:
    yes, no = exactly("a", holds=True, value=0), exactly("a", holds=False, value=3, limit=0)
    assert (yes.status, yes.estimate, yes.low, yes.high) == ("holds", 0, 0, 0)
    assert (no.status, no.limit) == ("fails", 0)
    assert math.isnan(yes.limit)


@pytest.mark.parametrize("status", get_args(Status))
def test_vacuous_spares_no_failure(status: Status) -> None:
    found = vacuous(part(status), "the bound exceeds T")
    assert found.status == ("vacuous" if status == "holds" else status)
    assert (found.detail == "the bound exceeds T") == (status == "holds")
    said = not_said(part(status), "needs a larger T")
    assert (said.status, said.detail) == ("vacuous", "needs a larger T")


def test_by_p_values_in_both_directions() -> None:
    parts = [part("undecided", name) for name in "abc"]
    small, large = [0.001, 0.01, 0.3], [0.999, 0.99, 0.7]
    for p_values, expected in (((small, large), "holds"), ((large, small), "fails")):
        found = by_p_values(parts, *p_values)
        assert [p.status for p in found] == [expected, expected, "undecided"]
        assert [p.name for p in found] == ["a", "b", "c"]


def test_by_p_values_is_holms() -> None:
    parts = [part("undecided", str(i)) for i in range(4)]
    # Holm compares p in order with 0.05/4, 0.05/3, 0.05/2, 0.05: the second stops it.
    found = by_p_values(parts, [0.012, 0.02, 0.02, 0.9], [1.0] * 4)
    assert [p.status for p in found] == ["holds", "undecided", "undecided", "undecided"]
    assert by_p_values(parts[:1], [0.02], [0.98])[0].status == "holds"
    assert by_p_values(parts[:1], [1.0], [1.0])[0].status == "undecided"
    assert by_p_values([], [], []) == ()


# --- What stands in the ledger


def test_the_headline_is_what_speaks_most_against_the_claim() -> None:
    holds, holds_easily = ratio(0.9), ratio(0.1)
    open_, fails = below("a", 1.01, 0.9, 1.1, 1.0), ratio(1.1)
    fails_most, empty = ratio(9.0), not_said(ratio(99.0), "needs a larger T")
    order = (fails_most, fails, open_, holds, holds_easily, empty)
    for number, expected in enumerate(order):
        for rest in (order[number:], order[number:][::-1]):
            assert Finding("x", rest).shown is expected
    assert Finding("x", order).best is holds_easily
    assert Finding("x", (fails_most, fails, empty)).best is fails
    # Of parts without limits the first one.
    unlimited = tuple(part("holds", name) for name in "abc")
    assert Finding("x", unlimited).shown.name == Finding("x", unlimited).best.name == "a"
    assert Finding("x", (*unlimited, holds)).shown is holds
