"""The registers of rules: when each rule was declared, and when it changed since.

A register (`registers`) has a line for every wording that a rule has had: the claim, the date, and
a digest of statement and rule.  A line is added before the first result under its wording;
``tools/register_claims.py`` prints those that are missing.

An extension may have ``claims/confirmed.csv``: what came out of a confirmation of its claims.
"""

import csv
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

from penalized_bandits.common.files import digest
from penalized_replication.claims import CLAIMS, OURS, claim
from penalized_replication.claims.base import Claim
from penalized_replication.common.errors import ClaimError
from penalized_replication.extensions import HOMES

COUNTS = ("hold", "fail", "undecided", "vacuous")


def registers() -> dict[str, Path]:
    """Return the register of each package that has one."""
    # Named here too: what a list of plug-ins reads makes no results stale.
    own = {OURS: Path(__file__).with_name("rules.csv")}
    found = own | {name: home / "claims/rules.csv" for name, home in HOMES.items()}
    return {name: path for name, path in found.items() if path.is_file()}


def _rows(file: Path) -> Iterator[dict[str, str]]:
    with file.open(encoding="utf-8", newline="") as lines:
        yield from csv.DictReader(lines)


def digest_of(declared: Claim) -> str:
    """Return the digest of what a claim says and of the rule that decides it."""
    return digest(f"{declared.statement}\n{declared.rule}", 12)


def register() -> dict[str, list[tuple[str, str]]]:
    """Return (date, digest) of every wording of each claim's rule, the first one first."""
    found: dict[str, list[tuple[str, str]]] = {}
    for row in (row for path in registers().values() for row in _rows(path)):
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


def check_registered(identifier: str) -> None:
    """Raise ClaimError, with the line that is missing, unless a claim's rule is in a register."""
    wording = digest_of(claim(identifier))
    if not dates_of(identifier, wording)[0]:
        path = registers()[CLAIMS[identifier].package]
        today = date.today().isoformat()
        raise ClaimError(
            f"{identifier}: {path} lacks the rule as it is worded now: commit the line "
            f"{identifier},{today},{wording},, before the first result under it"
        )


def confirmed() -> dict[str, dict[str, Any]]:
    """Return what came out of confirmations, by claim; empty before them."""
    files = (home / "claims/confirmed.csv" for home in HOMES.values())
    rows = (row for file in files if file.is_file() for row in _rows(file))
    found: dict[str, dict[str, Any]] = {row["id"]: dict(row) for row in rows if row["id"] in CLAIMS}
    return {name: row | {key: int(row[key]) for key in COUNTS} for name, row in found.items()}


def in_short(identifier: str) -> str:
    """Return the confirmatory verdict on a claim, and whether its rule is another now.

    Nothing, if it was not confirmed.
    """
    row = confirmed().get(identifier)
    if row is None:
        return ""
    now = digest_of(claim(identifier))
    return row["verdict"] + ("" if row["rule_digest"] == now else " (by an earlier rule)")
