"""The claims of the paper, as the replication checks them.

``claims/paper/<module>.py`` holds the claim itself: statement, deciding rule and how it is
measured.  The register of rules says where each is (``ledger/register.py``); the modules are
imported when claims are checked, so that reading it does not pay for scipy.
"""

import csv
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from importlib import import_module
from operator import attrgetter, itemgetter
from pathlib import Path
from typing import TYPE_CHECKING

from penalized_bandits.common.errors import ClaimError

if TYPE_CHECKING:
    from penalized_bandits.claims.base import Claim

REGISTER = Path(__file__).parent / "ledger/rules.csv"


@dataclass(frozen=True)
class Entry:
    """Where a claim is found, and the experiments that it is measured on."""

    id: str
    module: str
    experiments: tuple[str, ...]
    """Settings and studies; empty where nothing is simulated."""
    job: str = ""
    """The job that checks it, where it is not named after the first experiment."""
    folder: str = "paper"
    """Where its module is: ``paper``, or ``extended`` or ``sharp``."""

    @property
    def topic(self) -> str:
        """The job that checks it, together with others on the same experiments."""
        return self.job or self.experiments[0]


def _entries() -> Iterator[Entry]:
    with REGISTER.open(encoding="utf-8", newline="") as lines:
        # A claim's first line says where it is; those of later wordings do not.
        for row in filter(itemgetter("module"), csv.DictReader(lines)):
            folder, _, module = row["module"].partition(".")
            experiments = tuple(row["experiments"].split())
            yield Entry(row["id"], module, experiments, row["job"] or "", folder)


EVERY_CLAIM = {entry.id: entry for entry in sorted(_entries(), key=attrgetter("id"))}
"""The paper's claims and ours: those beyond it, and those on the sharp constants."""


def claims_in(folder: str) -> dict[str, Entry]:
    """Return the claims whose modules are in a folder, by their ids and in order of them."""
    return {entry.id: entry for entry in EVERY_CLAIM.values() if entry.folder == folder}


CLAIMS = claims_in("paper")
EXTENDED_CLAIMS, SHARP_CLAIMS = claims_in("extended"), claims_in("sharp")

TOPICS: tuple[str, ...] = tuple(dict.fromkeys(entry.topic for entry in CLAIMS.values()))


def entry_of(identifier: str) -> Entry:
    """Return where a claim is found, by its id; raise ClaimError if there is none of it."""
    if identifier not in EVERY_CLAIM:
        raise ClaimError(f"there is no claim {identifier!r}: known are {', '.join(EVERY_CLAIM)}")
    return EVERY_CLAIM[identifier]


def claim(identifier: str) -> "Claim":
    """Return a claim by its id; raise ClaimError if there is none of it."""
    entry = entry_of(identifier)
    import_module(f"penalized_bandits.claims.{entry.folder}.{entry.module}")
    from penalized_bandits.claims.base import DECLARED

    return DECLARED[identifier]


def entries_on(experiments: Collection[str]) -> dict[str, Entry]:
    """Return the extended claims all of whose experiments are given."""
    return {n: e for n, e in EXTENDED_CLAIMS.items() if set(e.experiments) <= set(experiments)}


def claims_of(topic: str) -> list[Entry]:
    """Return the claims that one job checks."""
    return [entry for entry in CLAIMS.values() if entry.topic == topic]


def experiments_of(topic: str) -> list[str]:
    """Return the experiments that a topic's claims are measured on."""
    return list(dict.fromkeys(e for entry in claims_of(topic) for e in entry.experiments))
