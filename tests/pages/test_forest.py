"""The forest plot of a claim's parts: worst first, each with its margin to its limit."""

import json
import math
import re
from dataclasses import asdict, replace
from typing import Any

import pandas as pd
import pytest
from penalized_bandits.claims.measured import part_from, to_json

from html_reader import Reader
from penalized_bandits.claims.base import (
    Finding,
    Part,
    above,
    below,
    exactly,
    not_said,
    nothing_known,
    share_of,
    within,
)
from penalized_bandits.claims.ledger import row_of
from penalized_bandits.pages.forest import (
    LINEAR,
    MOST_ROWS,
    WIDEST,
    axis,
    margin,
    margin_text,
    place,
    scale,
    strip,
    worst_first,
)
from penalized_bandits.pages.verdicts import tables, views

NAN, INF = math.nan, math.inf


@pytest.mark.parametrize(
    ("part", "expected", "text"),
    [
        (below("a", 0.25, 0.2, 0.5, 1.0), (0.75, 0.5, 0.8), "75 %"),
        (below("a", 84.3, 79.6, 89.0, 1.0), (-83.3, -88.0, -78.6), "−8,330 %"),
        (above("a", 3.0, 2.0, 5.0, 2.0), (0.5, 0.0, 1.5), "50 %"),
        (above("a", 1.0, -1.0, 3.0, 0.0, stake=100.0), (0.01, -0.01, 0.03), "1.0 %"),
        (below("a", -5.0, -6.0, -4.0, 0.0, stake=50.0), (0.1, 0.08, 0.12), "10 %"),
        # The nearer limit counts; the middle of the interval may lie further within.
        (within("a", 1.0, 0.8, 1.1, 0.5, 1.25), (0.2, 0.12, 0.36), "20 %"),
        (within("a", 1.5, 1.4, 1.6, 0.5, 1.25), (-0.2, -0.28, -0.12), "−20 %"),
        # A difference without a stake: of itself, and no number is given.
        (above("a", 4.0, 2.0, 5.0, 0.0), (0.8, 0.4, 1.0), ""),
        (exactly("a", holds=True, value=0.0), (NAN, NAN, NAN), ""),
        (nothing_known("a", "no data"), (NAN, NAN, NAN), ""),
    ],
)
def test_margin(part: Part, expected: tuple[float, float, float], text: str) -> None:
    assert margin(part) == pytest.approx(expected, nan_ok=True)
    assert margin_text(part) == text


def test_margin_of_a_share_is_in_shares() -> None:
    part = share_of("a", 97, 100, least=0.9)
    assert margin(part) == pytest.approx((0.07, part.low - 0.9, part.high - 0.9))


def test_places_are_in_order_and_within_the_strip() -> None:
    shares = [-INF, -WIDEST, -1.0, -LINEAR, -1e-6, 0.0, 1e-6, LINEAR, 0.3, 1.0, WIDEST, INF]
    places = [place(share) for share in shares]
    assert places == sorted(places)
    assert (place(0), place(-INF), place(INF)) == (50, 5, 95)
    assert place(0.3) - 50 == pytest.approx(50 - place(-0.3))


def drawn(part: Part) -> list[tuple[str, dict[str, str | None]]]:
    return Reader(strip(part)).elements


def test_a_strip_has_interval_mark_and_scale() -> None:
    (_, box), (_, lines), (tag, whisker), (_, mark) = drawn(below("a", 0.25, 0.2, 0.5, 1.0))
    assert box["aria-hidden"] == "true"
    assert lines["href"] == "#forest-scale"
    assert (tag, whisker["class"]) == ("line", "holds")
    assert whisker["x1"] == f"{place(0.5):.1f}%"
    assert whisker["x2"] == f"{place(0.8):.1f}%"
    assert (mark["href"], mark["x"]) == ("#mark-holds", f"{place(0.75):.1f}%")


def test_a_strip_without_a_number_shows_the_side_alone() -> None:
    sides = {
        status: drawn(replace(exactly("a", holds=True, value=0.0), status=status))[-1][1]["x"]
        for status in ("holds", "fails", "undecided", "vacuous")
    }
    assert sides == {"holds": "97.0%", "fails": "3.0%", "undecided": "50.0%", "vacuous": "50.0%"}


def test_intervals_that_leave_the_strip_are_marked() -> None:
    crossing = within("a", NAN, 1e6, INF, 0, 2e5)
    marks = [a["href"] for tag, a in drawn(crossing) if tag == "use"]
    assert marks == ["#forest-scale", "#mark-left"]
    far = above("a", 1e5, 9e4, 2e5, 1.0)
    assert [a["href"] for tag, a in drawn(far) if tag == "use"][1:] == [
        "#mark-right",
        "#mark-holds",
    ]


def test_all_that_strips_refer_to_is_defined_once() -> None:
    ids = [a["id"] for _, a in Reader(scale()).elements if "id" in a]
    assert len(ids) == len(set(ids))
    for status in ("holds", "fails", "undecided", "vacuous"):
        part = replace(below("a", 2.0, -1e4, 1e4, 1.0), status=status)
        used = {(a["href"] or "")[1:] for tag, a in drawn(part) if tag == "use"}
        assert used <= set(ids)
    # Shapes differ, so that colours need not be told apart.
    shapes = re.findall(r'<g id="mark-\w+">(.*?)</g>', scale())
    assert len(shapes) == len(set(shapes))
    assert "limit" in axis()


def test_worst_first() -> None:
    parts = [
        not_said(below("e", 9.0, 9.0, 9.0, 1.0), "too early"),
        below("c", 0.9, 0.8, 0.95, 1.0),
        below("a", 9.0, 8.0, 10.0, 1.0),
        below("d", 0.1, 0.0, 0.2, 1.0),
        below("b", 1.0, 0.5, 1.5, 1.0),
    ]
    assert [part.name for part in worst_first(parts)] == list("abcde")


def test_a_part_comes_back_from_json() -> None:
    for part in (
        Part("a", NAN, 1e6, INF, "undecided"),
        below("b", 0.5, 0.25, 0.75, 1.0, stake=3.0),
        share_of("c", 9, 10, least=0.5),
    ):
        (found,) = json.loads(to_json([asdict(part)]))
        assert repr(part_from(found)) == repr(part)


def view(parts: list[Part]) -> dict[str, Any]:
    """Return the view of a claim with these parts."""
    row = row_of("C01", Finding("number", tuple(parts)))
    (found,) = views([row], pd.DataFrame(), {}, lambda _: None)
    return found


def test_of_many_parts_the_rest_is_counted() -> None:
    holding = [below(f"h{i}", 0.5, 0.4, 0.6, 1.0) for i in range(MOST_ROWS + 5)]
    failing = [below(f"f{i}", 2.0, 1.9, 2.1, 1.0) for i in range(3)]
    found = view([*holding, *failing])
    names = [part["name"] for part in found["parts"]]
    assert (len(names), set(names[:3])) == (MOST_ROWS, {"f0", "f1", "f2"})
    assert found["rest"] == "and 8 more, which all hold"
    mixed = [below(f"f{i}", 2.0, 1.9, 2.1, 1.0) for i in range(MOST_ROWS + 1)]
    assert view([*holding[:2], *mixed])["rest"] == "and 3 more: 2 holds, 1 fails"
    assert view(holding[:3])["rest"] == ""


def test_tables_by_who_asks() -> None:
    found = view([below("a", 0.5, 0.4, 0.6, 1.0)])
    (group,) = tables([found])
    assert (group.title, group.claims) == ("The paper's claims", [found])
    assert group.counts == [(found["verdict"], [found])]
