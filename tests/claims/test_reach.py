"""How far parts are from undecided: in half-widths of their intervals."""

from typing import Any

import pytest

from made_up import part
from penalized_bandits.claims.reach import closest, margins_table, reach, to_spare


def held(
    estimate: float, least: float | None, most: float | str | None, **changes: Any
) -> dict[str, Any]:
    """Return a part with an interval from -0.1 to +0.2 around its estimate."""
    ends = {"low": estimate - 0.1, "high": estimate + 0.2, "least": least, "most": most}
    return part(**{"name": "one", "estimate": estimate, **ends, **changes})


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        (held(0.4, None, 1.0), 3.0),  # below: the upper half of the interval
        (held(1.3, 1.0, None), 3.0),  # above: the lower half
        (held(0.6, 0.4, 1.4), 2.0),  # between two limits: the nearer in half-widths
        (held(1.3, None, 1.0, status="fails"), 3.0),
        (held(0.4, None, None), 3.0),  # the limit that is named, where there are no two
        (held(0.4, None, 1.0, status="undecided"), None),
        (held(0.4, None, "inf"), None),  # as the ledger writes it
        (held(0.4, None, 1.0, high=0.4), None),
    ],
)
def test_reach(found: dict[str, Any], expected: float | None) -> None:
    assert reach(found) == (None if expected is None else pytest.approx(expected))


def test_the_closest_part_decides_what_is_to_spare() -> None:
    far, near = held(0.4, None, 1.0), held(0.8, None, 1.0, name="near")
    rows = [{"id": "C07", "all_parts": [far, near]}, {"id": "C24", "all_parts": [far]}]
    assert closest(rows[0]) == ("near", pytest.approx(1.0))
    assert to_spare(rows) == {"setting_1": pytest.approx(3.0)}
    # What is undecided could do with more, not with fewer.
    rows[1]["all_parts"] = [far, held(0.9, None, 1.0, status="undecided")]
    assert to_spare(rows) == {}
    table = margins_table(rows, {"log_laws": 1_000, "setting_1": 50})
    assert table[2:] == [
        "| C07 | near | 1.0 | log_laws 1,000 |",
        "| C24 | one | 3.0 | setting_1 50 |",
    ]
