"""The register of rules: when each rule was declared, and when it changed since.

``rules.csv`` has a line for every wording that a rule has had: the claim, the date, and a
digest of statement and rule; a claim's first line also says where the claim is, and its
experiments.  A line is added before the first result under its wording;
``python -m penalized_bandits.claims.ledger.register`` prints the lines that are missing, with
``MODULE EXPERIMENT ...`` those of a new module, such as ``paper.worst_case worst_case``.
"""

import csv
import sys
from datetime import UTC, datetime
from functools import cache
from importlib import import_module

from penalized_bandits.claims import EVERY_CLAIM, REGISTER, claim
from penalized_bandits.claims.base import DECLARED, Claim
from penalized_bandits.common.digest import digest


def digest_of(claim: Claim) -> str:
    """Return the digest of what a claim says and of the rule that decides it."""
    return digest(f"{claim.statement}\n{claim.rule}", 12)


@cache
def register() -> dict[str, list[tuple[str, str]]]:
    """Return (date, digest) of every wording of each claim's rule, the first one first."""
    found: dict[str, list[tuple[str, str]]] = {}
    with REGISTER.open(encoding="utf-8", newline="") as lines:
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


def missing(today: str) -> list[str]:
    """Return the lines that the register lacks: one for each claim of another wording."""
    found = ((name, digest_of(claim(name))) for name in EVERY_CLAIM)
    return [f"{name},{today},{digest}" for name, digest in found if not dates_of(name, digest)[0]]


def new(module: str, *experiments: str, today: str) -> list[str]:
    """Return the first lines of claims of a module that the register does not have yet."""
    import_module(f"penalized_bandits.claims.{module}")
    where = f"{module},{' '.join(experiments)}"
    found = ((name, digest_of(declared)) for name, declared in DECLARED.items())
    return [f"{name},{today},{digest},{where}" for name, digest in found if name not in EVERY_CLAIM]


def main(*place: str) -> None:
    """Print the lines that ``rules.csv`` lacks; ``place``: a new module and its experiments."""
    today = datetime.now(UTC).date().isoformat()
    print("\n".join(new(*place, today=today) if place else missing(today)))  # noqa: T201


if __name__ == "__main__":
    main(*sys.argv[1:])
