"""The claims of the paper, as the replication checks them, and those of extensions.

``claims.yaml`` lists them, with what they say.  ``claims/<folder>/<module>.py`` has the rule that
decides each, and how it is measured; the modules are imported when claims are checked, so that
reading the list does not pay for scipy.  ``rules.csv`` is the preregistration of the rules.
"""

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Literal

import yaml

from penalized_replication.common.errors import ClaimError
from penalized_replication.storage.files import YAML_LOADER

LIST = Path(__file__).with_name("claims.yaml")
OURS = "penalized_replication"
Kind = Literal["empirical", "theorem", "bound", "algebra"]


@dataclass(frozen=True, kw_only=True)
class Entry:
    """A claim in the list: where it is found, and what it says."""

    id: str
    package: str
    module: str
    """Where it is declared, as it is imported."""
    experiments: tuple[str, ...] = ()
    """The settings and studies that it is measured on; empty where nothing is simulated."""
    topic: str
    """The job that checks it, together with others; by default its first experiment."""
    where: str = "not in the paper"
    """Where the paper makes it."""
    statement: str
    """In our words."""
    plain: str = ""
    """The statement for somebody who does not know the field; without it the first screen of the
    reproduction page does not name the claim."""
    kind: Kind = "empirical"
    """``theorem``: one counterexample refutes it.  ``bound``: a theorem whose comparisons are
    ratios to its bound.  ``algebra``: only an error in the code could make a comparison fail."""
    ours: bool = False
    """Whether the question is ours, though the claim is among the paper's."""
    corrected: bool = False
    """Whether we corrected the statement, as it has no meaning as printed."""
    unjudged: str = ""
    """Why the claim gets no verdict in its favour."""
    repeats: str = ""
    """Id of a claim that is decided on the same numbers; tallies count that one alone."""
    evidence: str = ""
    """The table behind it, from the folder of the scenario; by default the first experiment's
    summary, or the claims themselves where nothing is simulated."""
    low_power: str = ""
    """Why a rule that would often miss a violation by a factor 2 is acceptable."""


KEYS = [f.name for f in fields(Entry) if f.name not in ("id", "package")]
"""Keys of a claim in the list."""


def entries_of(file: Path, package: str) -> dict[str, Entry]:
    """Return the claims of a list by id, in order of id; raise ClaimError for an unknown key."""
    listed = yaml.load(file.read_bytes(), YAML_LOADER)  # noqa: S506  a safe one
    entries: dict[str, Entry] = {}
    for name, keys in sorted(listed.items()):
        if unknown := [key for key in keys if key not in KEYS]:
            known = f"keys of a claim are {', '.join(KEYS)}"
            raise ClaimError(f"{file}, {name}: unknown key {unknown[0]!r}: {known}")
        experiments = tuple(keys.get("experiments", ()))
        module, topic = f"{package}.claims.{keys['module']}", keys.get("topic") or experiments[0]
        own = {"module": module, "experiments": experiments, "topic": topic}
        entries[name] = Entry(id=name, package=package, **keys | own)
    return entries


CLAIMS = entries_of(LIST, OURS)
"""The paper's claims, and those of extensions, in the order of their ids."""


def add(entries: Mapping[str, Entry]) -> None:
    """Add claims to the list."""
    claims = sorted((CLAIMS | dict(entries)).items())
    CLAIMS.clear()
    CLAIMS.update(claims)


def entry_of(identifier: str) -> Entry:
    """Return where a claim is found, by its id; raise ClaimError if there is none of it."""
    if identifier not in CLAIMS:
        raise ClaimError(f"there is no claim {identifier!r}: known are {', '.join(CLAIMS)}")
    return CLAIMS[identifier]


def claims_on(experiments: Collection[str], topic: str | None = None) -> list[Entry]:
    """Return the claims all of whose experiments are given; those of a topic."""
    entries = (entry for entry in CLAIMS.values() if topic in (None, entry.topic))
    return [entry for entry in entries if set(entry.experiments) <= set(experiments)]


def if_declared(text: str) -> str:
    """Return a text that names claims; nothing if one of them is not declared."""
    return text if set(re.findall(r"\b[CES]\d\d[A-Z]?\b", text)) <= CLAIMS.keys() else ""


def experiments_of(entries: Iterable[Entry]) -> list[str]:
    """Return the experiments that claims are measured on."""
    return list(dict.fromkeys(e for entry in entries for e in entry.experiments))
