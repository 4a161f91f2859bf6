"""The register of rules: when each rule was declared, and when it changed since.

``rules.csv`` has a line for every wording that a rule has had: the claim, the date, and a
digest of statement and rule.  A line is added before the first result under its wording;
``tools/register_claims.py`` prints those that are missing.

``frozen.csv`` has a line (date, digest) for each confirmation of our own claims, on new seeds and
bandits: the digest of its config and of the bandits that it draws, written before it was run.
``confirmed.csv`` has what came out.
"""

import csv
from functools import cache
from pathlib import Path
from typing import Any

from penalized_bandits.common.files import digest
from penalized_replication.claims import CLAIMS, claim
from penalized_replication.claims.base import Claim

CONFIRMED = Path(__file__).with_name("confirmed.csv")
COUNTS = ("hold", "fail", "undecided", "vacuous")


def digest_of(declared: Claim) -> str:
    """Return the digest of what a claim says and of the rule that decides it."""
    return digest(f"{declared.statement}\n{declared.rule}", 12)


@cache
def register() -> dict[str, list[tuple[str, str]]]:
    """Return (date, digest) of every wording of each claim's rule, the first one first."""
    found: dict[str, list[tuple[str, str]]] = {}
    # Read here too: what a list of plug-ins reads makes no results stale.
    with Path(__file__).with_name("rules.csv").open(encoding="utf-8", newline="") as lines:
        for row in csv.DictReader(lines):
            found.setdefault(row["id"], []).append((row["date"], row["digest"]))
    return found


def dates_of(identifier: str, digest: str = "") -> tuple[str, str]:
    """Return when a claim's rule was declared, and how often and when it changed since.

    Both are empty where the wording in force, if it is given, is not the last in the register.
    """
    wordings = register().get(identifier, [])
    if not wordings or digest not in ("", wordings[-1][1]):
        return "", ""
    times = len(wordings) - 1
    last = wordings[-1][0]
    changed = f"{times} time{'s' if times > 1 else ''}, last on {last}" if times > 0 else ""
    return wordings[0][0], changed


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
