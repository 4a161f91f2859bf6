"""The forest plot of a claim's comparisons: worst first, each with its margin to its limit."""

import math
import re
from dataclasses import replace
from typing import Any, get_args

import pytest

import rule_helpers as made
from pages_helpers import Reader
from penalized_replication.claims.base import Verdict
from penalized_replication.claims.comparisons import Comparison, Status
from penalized_replication.pages.render import (
    LINEAR,
    WIDEST,
    environment,
    margin,
    margin_text,
    place,
)
from rule_helpers import first

NAN, INF = math.nan, math.inf
MACROS: Any = environment().get_template("macros.html.j2").module

UNLIMITED = Comparison(estimate=0.0, low=0.0, high=0.0, status="holds")


@pytest.mark.parametrize(
    ("comparison", "expected", "text"),
    [
        (made.below((0.25, 0.2, 0.5), 1.0), (0.75, 0.5, 0.8), "75 %"),
        (made.below((84.3, 79.6, 89.0), 1.0), (-83.3, -88.0, -78.6), "−8,330 %"),
        (made.above((3.0, 2.0, 5.0), 2.0), (0.5, 0.0, 1.5), "50 %"),
        (made.above((1.0, -1.0, 3.0), 0.0, 100.0), (0.01, -0.01, 0.03), "1.0 %"),
        (made.below((-5.0, -6.0, -4.0), 0.0, 50.0), (0.1, 0.08, 0.12), "10 %"),
        # The nearer limit counts; the middle of the interval may lie further within.
        (made.within((1.0, 0.8, 1.1), 0.5, 1.25), (0.2, 0.12, 0.36), "20 %"),
        (made.within((1.5, 1.4, 1.6), 0.5, 1.25), (-0.2, -0.28, -0.12), "−20 %"),
        # A difference without a reference scale: of itself, and no number is given.
        (made.above((4.0, 2.0, 5.0), 0.0), (0.8, 0.4, 1.0), ""),
        (UNLIMITED, (NAN, NAN, NAN), ""),
        (made.unknown("no data"), (NAN, NAN, NAN), ""),
    ],
)
def test_margin(comparison: Comparison, expected: tuple[float, float, float], text: str) -> None:
    assert margin(comparison) == pytest.approx(expected, nan_ok=True)
    assert margin_text(comparison) == text


def test_margin_of_a_share_is_in_shares() -> None:
    comparison = made.above(first(97, 100), 0.9)
    assert margin(comparison) == pytest.approx((0.07, comparison.low - 0.9, comparison.high - 0.9))


def test_places_are_in_order_and_within_the_strip() -> None:
    shares = [-INF, -WIDEST, -1.0, -LINEAR, -1e-6, 0.0, 1e-6, LINEAR, 0.3, 1.0, WIDEST, INF]
    places = [place(share) for share in shares]
    assert places == sorted(places)
    assert (place(0), place(-INF), place(INF)) == (50, 5, 95)
    assert place(0.3) - 50 == pytest.approx(50 - place(-0.3))


def drawn(comparison: Comparison) -> list[tuple[str, dict[str, str | None]]]:
    return Reader(MACROS.strip(comparison)).elements


def test_a_strip_has_interval_mark_and_scale() -> None:
    (_, box), (_, lines), (tag, whisker), (_, mark) = drawn(made.below((0.25, 0.2, 0.5), 1.0))
    assert box["aria-hidden"] == "true"
    assert lines["href"] == "#forest-scale"
    assert (tag, whisker["class"]) == ("line", "holds")
    assert whisker["x1"] == f"{place(0.5):.1f}%"
    assert whisker["x2"] == f"{place(0.8):.1f}%"
    assert (mark["href"], mark["x"]) == ("#mark-holds", f"{place(0.75):.1f}%")


def test_a_strip_without_a_number_shows_the_side_alone() -> None:
    sides = {
        status: drawn(replace(UNLIMITED, status=status))[-1][1]["x"]
        for status in ("holds", "fails", "undecided", "vacuous")
    }
    assert sides == {"holds": "97.0%", "fails": "3.0%", "undecided": "50.0%", "vacuous": "50.0%"}


def test_intervals_that_leave_the_strip_are_marked() -> None:
    crossing = made.within((NAN, 1e6, INF), 0, 2e5)
    far = made.above((1e5, 9e4, 2e5), 1.0)
    for comparison, expected in ((crossing, ["left"]), (far, ["right", "holds"])):
        marks = [a["href"] for tag, a in drawn(comparison) if tag == "use"]
        assert marks == ["#forest-scale", *(f"#mark-{mark}" for mark in expected)]


def test_all_that_strips_refer_to_is_defined_once() -> None:
    scale, axis = MACROS.forest_scale(), MACROS.forest_axis()
    ids = [a["id"] for _, a in Reader(scale).elements if "id" in a]
    assert len(ids) == len(set(ids))
    for status in ("holds", "fails", "undecided", "vacuous"):
        comparison = replace(made.below((2.0, -1e4, 1e4), 1.0), status=status)
        used = {(a["href"] or "")[1:] for tag, a in drawn(comparison) if tag == "use"}
        assert used <= set(ids)
    # Shapes differ, so that colours need not differ.
    shapes = re.findall(r'<g id="mark-\w+">(.*?)</g>', scale)
    assert len(shapes) == len(set(shapes))
    assert "limit" in axis


def test_worst_first() -> None:
    comparisons = [
        made.below((9.0, 9.0, 9.0), 1.0, case="e", status="vacuous"),
        made.below((0.9, 0.8, 0.95), 1.0, case="c"),
        made.below((9.0, 8.0, 10.0), 1.0, case="a"),
        made.below((0.1, 0.0, 0.2), 1.0, case="d"),
        made.below((1.0, 0.5, 1.5), 1.0, case="b"),
    ]
    ordered = environment().filters["worst_first"](comparisons)
    assert [comparison.name for comparison in ordered] == list("abcde")


def test_every_verdict_and_every_status_has_a_symbol() -> None:
    assert (tuple(MACROS.verdicts), tuple(MACROS.statuses)) == (get_args(Verdict), get_args(Status))
