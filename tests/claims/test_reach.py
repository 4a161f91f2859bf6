"""How far parts are from undecided: in half-widths of their intervals."""

from typing import Any

import pytest

from penalized_bandits.claims.reach import closest, margins_table, reach, to_spare


def part(
    estimate: float, least: float | None, most: float | str | None, **changes: Any
) -> dict[str, Any]:
    """Return a part that holds, with an interval from -0.1 to +0.2 around its estimate."""
    return {
        "name": "one",
        "status": "holds",
        "estimate": estimate,
        "low": estimate - 0.1,
        "high": estimate + 0.2,
        "limit": 1.0,
        "least": least,
        "most": most,
        **changes,
    }


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        (part(0.4, None, 1.0), 3.0),  # below: the upper half of the interval
        (part(1.3, 1.0, None), 3.0),  # above: the lower half
        (part(0.6, 0.4, 1.4), 2.0),  # between two limits: the nearer in half-widths
        (part(1.3, None, 1.0, status="fails"), 3.0),
        (part(0.4, None, None), 3.0),  # the limit that is named, where there are no two
        (part(0.4, None, 1.0, status="undecided"), None),
        (part(0.4, None, "inf"), None),  # as the ledger writes it
        (part(0.4, None, 1.0, high=0.4), None),
    ],
)
def test_reach(found: dict[str, Any], expected: float | None) -> None:
    assert reach(found) == (None if expected is None else pytest.approx(expected))


def test_the_closest_part_decides_what_is_to_spare() -> None:
    far, near = part(0.4, None, 1.0), part(0.8, None, 1.0, name="near")
    rows = [{"id": "C07", "all_parts": [far, near]}, {"id": "C24", "all_parts": [far]}]
    assert closest(rows[0]) == ("near", pytest.approx(1.0))
    assert to_spare(rows) == {"setting_1": pytest.approx(3.0)}
    # What is undecided could do with more, not with fewer.
    rows[1]["all_parts"] = [far, part(0.9, None, 1.0, status="undecided")]
    assert to_spare(rows) == {}
    table = margins_table(rows, {"log_laws": 1_000, "setting_1": 50})
    assert table[2:] == [
        "| C07 | near | 1.0 | log_laws 1,000 |",
        "| C24 | one | 3.0 | setting_1 50 |",
    ]
