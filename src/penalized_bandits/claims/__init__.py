"""The claims of the paper, as the replication checks them.  A new one is a file and a line here.

``claims/<module>.py`` holds the claim itself: statement, deciding rule and how it is
measured.  The modules are imported when claims are checked, so that reading this list
does not pay for scipy.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Entry:
    """Where a claim is found, and the experiments that it is measured on."""

    id: str
    module: str
    experiments: tuple[str, ...]
    """Settings and studies; the first names the job that checks it.  None: pure computation."""

    @property
    def topic(self) -> str:
        """The job that checks it, together with others on the same experiment."""
        return self.experiments[0] if self.experiments else "computed"


CLAIMS: dict[str, Entry] = {
    entry.id: entry
    for entry in (
        Entry("C01", "c01_prophet", ()),
        Entry("C24", "c24_lfg", ("setting_1",)),
        Entry("C25", "c25_flearn", ("setting_1",)),
    )
}

TOPICS: tuple[str, ...] = tuple(dict.fromkeys(entry.topic for entry in CLAIMS.values()))


def claims_of(topic: str) -> list[Entry]:
    """Return the claims that one job checks."""
    return [entry for entry in CLAIMS.values() if entry.topic == topic]


def experiments_of(topic: str) -> list[str]:
    """Return the experiments that a topic's claims are measured on."""
    return list(dict.fromkeys(e for entry in claims_of(topic) for e in entry.experiments))
