"""What came out of the confirmation of our own claims, on new seeds and bandits.

``frozen.csv`` has a line (date, digest) for each confirmation: the digest of its config and of
the bandits that it draws, written before it was run.  ``confirmed.csv`` has what came out.
"""

import csv
from pathlib import Path
from typing import Any

from penalized_replication.claims import CLAIMS, claim
from penalized_replication.claims.ledger.register import digest_of

CONFIRMED = Path(__file__).with_name("confirmed.csv")
COUNTS = ("hold", "fail", "undecided", "vacuous")


def confirmed() -> dict[str, dict[str, Any]]:
    """Return what came out of the confirmation, by claim; empty before it."""
    if not CONFIRMED.is_file():
        return {}
    with CONFIRMED.open(encoding="utf-8", newline="") as lines:
        rows: list[dict[str, Any]] = [r for r in csv.DictReader(lines) if r["id"] in CLAIMS]
    return {row["id"]: row | {name: int(row[name]) for name in COUNTS} for row in rows}


def in_short(identifier: str) -> str:
    """Return the confirmatory verdict on a claim, and whether its rule is another now."""
    row = confirmed().get(identifier)
    if row is None:
        return "not yet confirmed"
    now = digest_of(claim(identifier))
    return row["verdict"] + ("" if row["rule_digest"] == now else " (by an earlier rule)")
