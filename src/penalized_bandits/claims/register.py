"""The register of rules: when each rule was declared, and when it changed since.

``rules.csv`` has a line for every wording that a rule has had: the claim, the date, and a
digest of statement and rule.  A line is added before the first result under its wording.
"""

import csv
import hashlib
from functools import cache
from pathlib import Path

from penalized_bandits.claims.base import Claim

FILE = Path(__file__).with_name("rules.csv")


def digest_of(claim: Claim) -> str:
    """Return the digest of what a claim says and of the rule that decides it."""
    return hashlib.sha256(f"{claim.statement}\n{claim.rule}".encode()).hexdigest()[:12]


@cache
def register() -> dict[str, list[tuple[str, str]]]:
    """Return (date, digest) of every wording of each claim's rule, the first one first."""
    found: dict[str, list[tuple[str, str]]] = {}
    with FILE.open(encoding="utf-8", newline="") as lines:
        for row in csv.DictReader(lines):
            found.setdefault(row["id"], []).append((row["date"], row["digest"]))
    return found


def dates_of(identifier: str) -> tuple[str, str]:
    """Return when a claim's rule was declared, and how often and when it changed since."""
    dates = [date for date, _ in register().get(identifier, [])]
    times = len(dates) - 1
    changed = f"{times} time{'s' if times > 1 else ''}, last on {dates[-1]}" if times > 0 else ""
    return (dates[0] if dates else "", changed)
