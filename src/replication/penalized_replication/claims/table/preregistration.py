"""The preregistration: when each rule was declared, when it changed, what each wording gave.

``claims/rules.csv`` of a package has a line for every form that a rule has had: the claim, the
date, the digest (`Claim.digest`), and in ``same`` the digest of the form before, where only the
form changed.  ``claims/former.csv`` has the sentences of former rules, and the verdicts published
under each, in the words of their time.

``claims/frozen.csv`` has what came out of the frozen confirmation of the paper's claims; an
extension may have ``claims/confirmed.csv``, what came out of a confirmation of its own.
"""

import csv
from datetime import date
from functools import cache
from itertools import groupby
from pathlib import Path

from penalized_replication.claims import CLAIMS, OURS
from penalized_replication.claims.base import claim_of
from penalized_replication.common.errors import ClaimError
from penalized_replication.extensions import HOMES, packages


def register_of(package: str) -> Path:
    """Return the preregistration of a package."""
    return packages()[package] / "claims/rules.csv"


@cache
def _rows(file: Path) -> dict[str, list[dict[str, str]]]:
    """Return the lines of a table by claim; none of a file that is not there."""
    if not file.is_file():
        return {}
    with file.open(encoding="utf-8", newline="") as lines:
        rows = sorted(csv.DictReader(lines, restval=""), key=lambda row: row["id"])
    return {name: list(own) for name, own in groupby(rows, key=lambda row: row["id"])}


def forms_of(identifier: str) -> list[dict[str, str]]:
    """Return the lines of a claim's rule in the preregistration, the first one first."""
    return _rows(register_of(CLAIMS[identifier].package)).get(identifier, [])


def dates_of(identifier: str) -> tuple[str, str]:
    """Return when a claim's rule was declared, and how often and when it changed since.

    Raises ClaimError, with the line that is missing, unless the rule in force is the last one.
    """
    forms, digest = forms_of(identifier), claim_of(identifier).digest
    if not forms or forms[-1]["digest"] != digest:
        path, today = register_of(CLAIMS[identifier].package), date.today().isoformat()
        raise ClaimError(
            f"{identifier}: {path} lacks the rule as it is now: commit the line "
            f"{identifier},{today},{digest}, before the first result under it"
        )
    changes = [form["date"] for form in forms[1:] if not form["same"]]
    times = f"{len(changes)} time{'s' * (len(changes) > 1)}"
    return forms[0]["date"], f"{times}, last on {changes[-1]}" if changes else ""


def path_of(identifier: str, verdict: str) -> str:
    """Return the verdicts under the former rules of a claim, and today's: ``partly → holds``."""
    former = _rows(register_of(CLAIMS[identifier].package).with_name("former.csv"))
    verdicts = [word for row in former.get(identifier, ()) for word in row["verdict"].split("; ")]
    return " → ".join(word for word, _ in groupby([*verdicts, verdict]))


def confirmed() -> dict[str, dict[str, str]]:
    """Return the results of confirmations, by claim; empty before them."""
    files = (_rows(home / "claims/confirmed.csv") for home in HOMES.values())
    return {name: own[-1] for file in files for name, own in file.items() if name in CLAIMS}


def in_short(identifier: str) -> str:
    """Return the result of a claim's confirmation, and whether its rule has changed since."""
    package = CLAIMS[identifier].package
    ours = package == OURS
    results = _rows(register_of(package).with_name("frozen.csv" if ours else "confirmed.csv"))
    if identifier not in results:
        return "" if ours else "not confirmed"
    row = results[identifier][-1]
    forms = forms_of(identifier)[::-1]
    alike = [forms[0]["digest"]]
    for form in forms:
        alike += [form["same"]] * (form["digest"] == alike[-1])
    earlier = "" if row["rule_digest"] in alike else " (by an earlier rule)"
    if not ours:
        return f"{row['verdict']}{earlier}"
    numbers = "" if row["new"] == "True" else ", on the same numbers"
    return f"{row['predicted']} in {row['same']} of {row['runs']} runs{numbers}{earlier}"
