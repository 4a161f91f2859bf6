"""Detection probabilities of the rules, in the published ledgers."""

from typing import Any

import pytest
from penalized_bandits.claims.decided import notices
from penalized_bandits.claims.ledger.reading import why_missed

from docs_pages import ROOT
from penalized_bandits.storage.files import read_json

PUBLISHED = [
    row
    for name in ("claims", "extended", "sharp")
    for row in read_json(ROOT / f"docs/published/{name}.json")
]


@pytest.mark.parametrize("row", PUBLISHED, ids=lambda row: row["id"])
def test_a_rule_that_misses_a_factor_2_says_why(row: dict[str, Any]) -> None:
    noticed = row["notices_100"]
    excused = {"consistent", "identity", "undecided", "not measured", "not reproduced"}
    if (noticed is None or noticed < 0.5) and row["verdict"] not in excused:
        assert why_missed(row)


@pytest.mark.parametrize("row", PUBLISHED, ids=lambda row: row["id"])
def test_chances_grow_with_the_violation(row: dict[str, Any]) -> None:
    chances = [row[key] for key in notices()]
    known = [one for one in chances if one is not None]
    assert known == sorted(known)
    assert len(known) in (0, 3)
    assert bool(known) == bool(row["violation"])
