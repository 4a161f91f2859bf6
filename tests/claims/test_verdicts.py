"""How parts are decided by their intervals, and claims by their parts."""

import math
from typing import get_args

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from penalized_bandits.claims.base import (
    Finding,
    Part,
    Status,
    Verdict,
    above,
    below,
    by_p_values,
    exactly,
    not_said,
    vacuous,
    verdict_of,
    within,
)

COUNTS = st.integers(0, 4)


def part(status: Status, name: str = "a") -> Part:
    return Part(name, 1.0, 0.5, 1.5, status)


def parts_of(holds: int, fails: int, undecided: int, empty: int = 0) -> list[Part]:
    counts = dict(zip(get_args(Status), (holds, fails, undecided, empty), strict=True))
    return [part(status) for status, n in counts.items() for _ in range(n)]


@given(holds=COUNTS, fails=COUNTS, undecided=COUNTS, empty=COUNTS, seed=st.integers(0, 9))
def test_verdict_of_all_combinations(
    holds: int, fails: int, undecided: int, empty: int, seed: int
) -> None:
    parts = parts_of(holds, fails, undecided, empty)
    found = verdict_of(parts)
    assert found in get_args(Verdict)
    # As the ledger's documentation has it, told in another order.
    if fails == 0:
        if holds > 0 and undecided == 0:
            assert found == "reproduced"
        elif holds <= undecided:
            assert found == "inconclusive"
        else:
            assert found == "partly"
    elif fails > holds:
        assert found == "not reproduced"
    else:
        assert found == "partly"
    # Neither order nor vacuous parts matter.
    mixed = [parts[i] for i in np.random.default_rng(seed).permutation(len(parts))]
    assert verdict_of(mixed) == verdict_of(parts_of(holds, fails, undecided)) == found


@given(holds=COUNTS, fails=COUNTS, undecided=COUNTS)
def test_a_part_that_fails_never_helps(holds: int, fails: int, undecided: int) -> None:
    order = ("not reproduced", "inconclusive", "partly", "reproduced")
    before = verdict_of(parts_of(holds, fails, undecided))
    after = verdict_of(parts_of(holds, fails + 1, undecided))
    assert after != "reproduced"
    if before == "not reproduced":
        assert after == "not reproduced"
    # One that holds never hurts.
    better = verdict_of(parts_of(holds + 1, fails, undecided))
    if fails == 0:
        assert order.index(better) >= order.index(before)


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


def test_what_stands_in_the_ledger() -> None:
    first, second = part("holds", "first"), part("fails", "second")
    assert Finding("x", (first, second)).shown is first
    assert Finding("x", (first, second), headline=second).shown is second
