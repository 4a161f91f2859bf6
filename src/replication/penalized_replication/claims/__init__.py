"""The claims: those of the paper, as the replication checks them, and our own.

``claims/<folder>/<module>.py`` holds the claim itself: statement, deciding rule and how it is
measured.  The register of rules says where each is (``ledger/register.py``); the modules are
imported when claims are checked, so that reading it does not pay for scipy.
"""

import csv
import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from importlib import import_module
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING

from penalized_replication.common.errors import ClaimError

if TYPE_CHECKING:
    from penalized_replication.claims.base import Claim

REGISTER = Path(__file__).parent / "ledger/rules.csv"


@dataclass(frozen=True)
class Entry:
    """Where a claim is found, and the experiments that it is measured on."""

    id: str
    module: str
    experiments: tuple[str, ...]
    """Settings and studies; empty where nothing is simulated."""
    topic: str
    """The job that checks it, together with others on the same experiments."""
    folder: str
    """Where its module is: ``paper``, or ``extended`` or ``sharp``."""


def _entry(row: dict[str, str]) -> Entry:
    folder, _, module = row["module"].partition(".")
    experiments = tuple(row["experiments"].split())
    return Entry(row["id"], module, experiments, row["job"] or experiments[0], folder)


_ROWS = csv.DictReader(REGISTER.read_text(encoding="utf-8").splitlines())
# A claim's first line says where it is; those of later wordings do not.
CLAIMS = {row["id"]: _entry(row) for row in sorted(_ROWS, key=itemgetter("id")) if row["module"]}
"""The paper's claims and ours: those beyond it, and those on the sharp constants."""
TOPICS: tuple[str, ...] = tuple(dict.fromkeys(entry.topic for entry in CLAIMS.values()))


def entry_of(identifier: str) -> Entry:
    """Return where a claim is found, by its id; raise ClaimError if there is none of it."""
    if identifier not in CLAIMS:
        raise ClaimError(f"there is no claim {identifier!r}: known are {', '.join(CLAIMS)}")
    return CLAIMS[identifier]


def claim(identifier: str) -> "Claim":
    """Return a claim by its id; raise ClaimError if there is none of it."""
    entry = entry_of(identifier)
    import_module(f"penalized_replication.claims.{entry.folder}.{entry.module}")
    from penalized_replication.claims.base import DECLARED

    return DECLARED[identifier]


def claims_on(experiments: Collection[str], topic: str | None = None) -> list[Entry]:
    """Return the claims all of whose experiments are given; those of a topic."""
    wanted = (entry for entry in CLAIMS.values() if topic in (None, entry.topic))
    return [entry for entry in wanted if set(entry.experiments) <= set(experiments)]


def if_declared(text: str) -> str:
    """Return a text that names claims; nothing if one of them is not in the register."""
    return text if set(re.findall(r"\b[CES]\d\d[A-Z]?\b", text)) <= CLAIMS.keys() else ""


def experiments_of(entries: Iterable[Entry]) -> list[str]:
    """Return the experiments that claims are measured on."""
    return list(dict.fromkeys(e for entry in entries for e in entry.experiments))
