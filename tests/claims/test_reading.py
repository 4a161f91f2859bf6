"""The ledger for reading: two tables and tallies, what is said of a claim, the table of power."""

import re
from collections.abc import Sequence
from typing import Any

import pytest
from penalized_bandits.claims.ledger.reading import (
    claims_tables,
    facts,
    groups,
    power_table,
    slack_text,
    stake_text,
    tally,
    to_markdown,
    why_missed,
)

import outcome_factories
from penalized_bandits.claims.base import Part

PART = Part("case | one", 1.0, 0.5, 1.5, "holds", 2.0)
PARTS = (PART, Part("case two", 1e-17, 0, 0, "holds", 2.0))
MADE_UP: dict[str, Any] = {
    "where": "Theorem 1",
    "statement": "Something | is so.",
    "rule": "Holds if it is.",
    "verdict": "reproduced",
    "evidence": "results/x.csv",
    "readings": "",
    "asked_by": "the paper",
    "best": "case two: 0",
    "violation": "case one: 1.1, 1.5 or 2 times 1",
    "slack": None,
    "of_stake": None,
    "notices_10": 0.25,
    "notices_50": 0.97,
    "notices_100": 1.0,
    "misses": "",
}


def row(identifier: str = "C07", parts: Sequence[Part] = PARTS, **changes: Any) -> dict[str, Any]:
    """Return a row of the ledger, made up."""
    return outcome_factories.row(identifier, parts, "a note", **MADE_UP | changes)


OURS: dict[str, Any] = {"asked_by": "us", "where": "not in the paper"}


def test_two_tables_with_a_tally_each() -> None:
    rows = [row("C01"), row("C34", **OURS), row("C02", verdict="partly"), row("C35", **OURS)]
    assert [(title, [r["id"] for r in found]) for title, found in groups(rows)] == [
        ("The paper's claims", ["C01", "C02"]),
        ("Our own questions", ["C34", "C35"]),
    ]
    assert [title for title, _ in groups(rows[1:2])] == ["Our own questions"]
    assert tally(rows) == "3 reproduced, 1 partly"
    # In the order of the verdicts, whichever comes first.
    words = ("undecided", "partly", "consistent", "identity", "reproduced", "partly")
    told = tally([row(verdict=word) for word in words])
    assert told == "1 reproduced, 1 consistent, 2 partly, 1 undecided, 1 identity"
    text = to_markdown(rows)
    assert "\n- The paper's claims: 1 reproduced, 1 partly.\n" in text
    assert "\n- Our own questions: 2 reproduced.\n" in text
    paper, ours = text.split("## The paper's claims\n")[1].split("## Our own questions\n")
    assert re.findall(r"(?m)^\| .*>(C\d+)", paper) == ["C01", "C02"]
    assert re.findall(r"(?m)^\| .*>(C\d+)", ours) == ["C34", "C35"]


def test_a_row_for_each_claim() -> None:
    _, _, first, second, _ = claims_tables([row("C01"), row("C02", parts=[])])[2:]
    # A bar within a cell would shift the columns.
    assert first == (
        '| <a id="c01"></a>C01 | Theorem 1 | Something \\| is so. | **reproduced** | 2 / 0 / 0 | '
        "something measured (case \\| one): 1.00 [0.50, 1.50] |"
    )
    assert second.endswith("| **reproduced** | 0 / 0 / 0 |  |")


def test_what_is_said_of_a_claim() -> None:
    said = facts(row())
    assert list(said) == ["Rule", "Declared", "Measured", "Notices", "Note"]
    assert said["Declared"] == "2026-11-21 (wording 0123456789ab)"
    assert said["Measured"] == "something measured (case | one): 1.00 [0.50, 1.50]"
    assert said["Notices"] == (
        "a violation by 10 % in 25 %, by 50 % in 97 %, by a factor 2 in 100 % of runs "
        "(case one: 1.1, 1.5 or 2 times 1)"
    )
    said = facts(
        row(
            verdict="partly",
            changed="2 times, last on 2026-11-22",
            slack=28.63,
            of_stake=-0.002,
            notices_100=None,
            misses="It has no limit.",
        )
    )
    assert said["Declared"] == (
        "2026-11-21, changed 2 times, last on 2026-11-22 (wording 0123456789ab)"
    )
    assert (said["Best"], said["Bound"]) == ("case two: 0", "× 28.6 away")
    assert said["Size"] == "−0.20 % of what is at stake"
    assert said["Misses"] == "It has no limit."
    assert "Notices" not in said
    unregistered = facts(row(declared="", estimate=None, ci_low=None, ci_high=None))
    assert unregistered["Declared"] == "not in the register (wording 0123456789ab)"
    assert unregistered["Measured"].endswith(": no estimate")
    assert "Measured" not in facts(row(parts=[]))


@pytest.mark.parametrize(
    ("changes", "text"),
    [
        ({"slack": 28.63}, "× 28.6"),
        ({"slack": 1.0001}, "× 1"),
        ({"slack": 6.29e5}, "× 629,000"),
        ({"slack": 0.5}, ""),
        ({"slack": None}, ""),
        ({"slack": "inf"}, ""),
        ({"slack": 5.0, "verdict": "identity"}, ""),
    ],
)
def test_how_far_away_a_bound_is(changes: dict[str, Any], text: str) -> None:
    assert slack_text(row(**changes)) == text


@pytest.mark.parametrize(
    ("share", "text"),
    [
        (0.31, "31 % of what is at stake"),
        (-0.0101, "−1.0 % of what is at stake"),
        (0.000059, "0.0059 % of what is at stake"),
        (None, ""),
        (float("nan"), ""),
    ],
)
def test_the_size_of_an_effect(share: float | None, text: str) -> None:
    assert stake_text(share) == text


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"notices_100": 0.5}, ""),
        ({"notices_100": 0.49}, ""),
        ({"notices_100": 0.0, "misses": "Two values."}, "Two values."),
        ({"notices_100": 1.0, "misses": "Two values."}, ""),
        ({"notices_100": None, "verdict": "undecided"}, "nothing is claimed"),
        ({"notices_100": None, "verdict": "identity"}, "nothing could fail but the code"),
        (
            {"notices_100": 0.1, "fail": 1, "verdict": "partly"},
            "a violation was noticed: parts fail",
        ),
        (
            {"notices_100": 0.1, "verdict": "consistent"},
            "the bound is at least 2 times what is measured",
        ),
    ],
)
def test_why_a_violation_is_missed(changes: dict[str, Any], why: str) -> None:
    assert why_missed(row(**changes)) == why


def test_the_table_of_power() -> None:
    table = power_table([row(slack=3.0), row("C08", notices_100=0.2, verdict="consistent")])
    assert table[2:] == [
        "| C07 | reproduced | case one: 1.1, 1.5 or 2 times 1 | 25 % | 97 % | 100 % | × 3 |  |",
        "| C08 | consistent | case one: 1.1, 1.5 or 2 times 1 | 25 % | 97 % | 20 % |  | "
        "the bound is at least 2 times what is measured |",
    ]
