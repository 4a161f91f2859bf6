"""The published table of what the rules notice: no rule is blind without saying so."""

import re
from pathlib import Path

import pytest

from docs_pages import PAGES, ROOT
from penalized_bandits.claims.ledger.reading import EVEN, UNEXPLAINED
from penalized_bandits.pages.published import tables

EXCUSED = {"consistent", "identity", "undecided", "not measured", "not reproduced"}
"""Verdicts that claim no support, or that come of a violation that was noticed."""
PUBLISHED = [
    PAGES / "background/power.md",
    *(ROOT / f"docs/{name}.md" for name in ("claims", "extended", "sharp")),
]


def rows(path: Path) -> list[dict[str, str]]:
    """Return the rows of the table in a page; none where it has no such table."""
    found = tables(path.read_text(encoding="utf-8"))
    return next((table for table in found if "nearest violation" in table[0]), [])


def chance(text: str) -> float | None:
    """Return a share from its percents; None where there is none."""
    return float(text.removesuffix(" %")) / 100 if text else None


@pytest.mark.parametrize("path", PUBLISHED, ids=lambda path: path.name)
def test_a_rule_that_misses_a_factor_2_says_why(path: Path) -> None:
    found = rows(path)
    blind = {
        row["claim"]: row
        for row in found
        if (noticed := chance(row["factor 2"])) is None or noticed < EVEN
    }
    silent = {
        name for name, row in blind.items() if row["verdict"] not in EXCUSED and not row["misses"]
    }
    assert silent == set()


def test_the_page_lists_the_rules_that_miss_a_factor_2() -> None:
    path = PUBLISHED[0]
    found = rows(path)
    assert len(found) >= 37
    section = path.read_text(encoding="utf-8").split("## Rules that miss")[1].split("\n## ")[0]
    listed = re.findall(r"(?m)^- ([CE]\w+) \(([a-z ]+)\): (.+)\.$", section)
    expected = [
        (row["claim"], row["verdict"], row["misses"] or UNEXPLAINED)
        for row in found
        if (noticed := chance(row["factor 2"])) is None or noticed < EVEN
    ]
    assert listed == expected


def test_chances_grow_with_the_violation() -> None:
    for row in rows(PUBLISHED[0]):
        chances = [chance(row[head]) for head in ("10 %", "50 %", "factor 2")]
        known = [one for one in chances if one is not None]
        assert known == sorted(known)
        assert len(known) in (0, 3)
        assert bool(known) == bool(row["nearest violation"])
