"""The claims of the paper, as the replication checks them, and those of extensions.

``claims/<folder>/<module>.py`` holds the claim itself: statement, deciding rule and how it is
measured.  ``rules.csv``, the preregistration, says where each is; the modules are imported when
claims are checked, so that reading it does not pay for scipy.
"""

import csv
import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from penalized_replication.common.errors import ClaimError

if TYPE_CHECKING:
    from penalized_replication.claims.base import Claim

REGISTER = Path(__file__).with_name("rules.csv")
OURS = "penalized_replication"


@dataclass(frozen=True)
class Entry:
    """Where a claim is found, and the experiments that it is measured on."""

    id: str
    module: str
    """Where it is declared, as it is imported."""
    experiments: tuple[str, ...]
    """Settings and studies; empty where nothing is simulated."""
    topic: str
    """The job that checks it, together with others on the same experiments."""
    package: str
    """The package that it comes from."""


def entries_of(register: Path, package: str) -> dict[str, Entry]:
    """Return the claims of the preregistration of a package, by id."""
    found: dict[str, Entry] = {}
    for row in csv.DictReader(register.read_text(encoding="utf-8").splitlines()):
        # A claim's first line says where it is; those of later wordings do not.
        if row["module"]:
            experiments = tuple((row["experiments"] or "").split())
            module = f"{package}.claims.{row['module']}"
            topic = row["topic"] or experiments[0]
            found[row["id"]] = Entry(row["id"], module, experiments, topic, package)
    return found


CLAIMS: dict[str, Entry] = {}
"""The paper's claims, and those of extensions, in the order of their ids."""
TOPICS: list[str] = []
"""Their topics."""


def add(entries: Mapping[str, Entry]) -> None:
    """Add claims to the lists."""
    found = sorted((CLAIMS | dict(entries)).items())
    CLAIMS.clear()
    CLAIMS.update(found)
    TOPICS[:] = dict.fromkeys(entry.topic for entry in CLAIMS.values())


add(entries_of(REGISTER, OURS))


def entry_of(identifier: str) -> Entry:
    """Return where a claim is found, by its id; raise ClaimError if there is none of it."""
    if identifier not in CLAIMS:
        raise ClaimError(f"there is no claim {identifier!r}: known are {', '.join(CLAIMS)}")
    return CLAIMS[identifier]


def claim(identifier: str) -> "Claim":
    """Return a claim by its id; raise ClaimError if there is none of it."""
    entry = entry_of(identifier)
    import_module(entry.module)
    from penalized_replication.claims.base import DECLARED

    return DECLARED[identifier]


def claims_on(experiments: Collection[str], topic: str | None = None) -> list[Entry]:
    """Return the claims all of whose experiments are given; those of a topic."""
    wanted = (entry for entry in CLAIMS.values() if topic in (None, entry.topic))
    return [entry for entry in wanted if set(entry.experiments) <= set(experiments)]


def if_declared(text: str) -> str:
    """Return a text that names claims; nothing if one of them is not declared."""
    return text if set(re.findall(r"\b[CES]\d\d[A-Z]?\b", text)) <= CLAIMS.keys() else ""


def experiments_of(entries: Iterable[Entry]) -> list[str]:
    """Return the experiments that claims are measured on."""
    return list(dict.fromkeys(e for entry in entries for e in entry.experiments))
