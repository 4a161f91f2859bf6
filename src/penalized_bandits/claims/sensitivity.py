"""Sensitivity: each reading of what the paper leaves open flipped, one at a time.

The experiments that a reading can touch are simulated again with it flipped, on fewer
replicates of the same random numbers.  The claims that stand on them are decided again on the
ledger's estimates, moved by the mean difference on these replicates (:mod:`.shifts`): with
nothing flipped every row would be the ledger's.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from penalized_bandits.claims import CLAIMS, claim
from penalized_bandits.claims.base import Finding, Part, nothing_known, verdict_of
from penalized_bandits.claims.evidence import Evidence
from penalized_bandits.claims.measured import measured, number_from, number_or_none, part_from
from penalized_bandits.claims.shifts import GROUPS, Parts, Shifted, same, shifted
from penalized_bandits.claims.switches import claims_touched, flipped, readings
from penalized_bandits.common.errors import BanditError
from penalized_bandits.storage.replicates import Outcome

if TYPE_CHECKING:
    import pandas as pd

COLUMNS = (
    "reading",
    "value",
    "id",
    "verdict",
    "estimate",
    "ci_low",
    "ci_high",
    "hold",
    "fail",
    "undecided",
    "default_verdict",
    "default_estimate",
    "full_verdict",
    "changed",
    "part",
    "shift",
    "shift_se",
    "paired",
    "alone",
)
"""``part`` is the one that the numbers are of; ``paired`` and ``alone`` count parts."""


class Repeats:
    """Parts of claims measured on some evidence, whole and with groups of replicates left out."""

    def __init__(self, evidence: Evidence) -> None:
        self.evidence = evidence
        self._parts: dict[tuple[str, int | None], dict[str, Part]] = {}

    def parts(self, identifier: str, group: int | None = None) -> Parts:
        """Return the parts of a claim by name; none where a group leaves too little for it."""
        key = identifier, group
        if key not in self._parts:
            self._parts[key] = {part.name: part for part in self._measured(identifier, group)}
        return self._parts[key]

    def _measured(self, identifier: str, group: int | None) -> tuple[Part, ...]:
        if group is None:
            return measured(identifier, self.evidence).parts
        try:
            return measured(identifier, self.evidence.without(group, GROUPS)).parts
        except BanditError:
            return ()


def _same_pulls(one: Outcome, two: Outcome) -> bool:
    pairs = ((getattr(one, name), getattr(two, name)) for name in ("pulls", "max_deficit", "means"))
    return one is two or (one.run == two.run and all(np.array_equal(*pair) for pair in pairs))


def unchanged(identifier: str, default: Evidence, flipped: Evidence) -> bool:
    """Whether a reading leaves all that a claim stands on as it was."""
    pairs = [(default.outcomes(e), flipped.outcomes(e)) for e in CLAIMS[identifier].experiments]
    return all(len(a) == len(b) and all(map(_same_pulls, a, b)) for a, b in pairs)


def _found(
    row: Mapping[str, Any], default: Repeats, changed: Repeats, shares: Mapping[str, float]
) -> list[Shifted]:
    identifier = str(row["id"])
    ledger = [part_from(part) for part in row["all_parts"]]
    if unchanged(identifier, default.evidence, changed.evidence):
        return [same(part) for part in ledger]
    behind = [shares[name] for name in CLAIMS[identifier].experiments]
    return shifted(
        {part.name: part for part in ledger},
        default.parts(identifier),
        changed.parts(identifier),
        lambda: [
            (default.parts(identifier, group), changed.parts(identifier, group))
            for group in range(GROUPS)
        ],
        min(behind),
    )


def share_of(few: int, replicates: int) -> float:
    """Return how many of all replicates the few are, as a share."""
    return min(few, replicates) / replicates


def measure_reading(
    name: str,
    topic: Sequence[Mapping[str, Any]],
    default: Repeats,
    changed: Evidence,
    shares: Mapping[str, float],
) -> list[dict[str, Any]]:
    """Return the parts of each claim of a topic that a reading can touch, with it flipped.

    Parameters
    ----------
    name
        The reading.
    topic
        What was measured on all replicates, as rows of `measured.finding_row`.
    default, changed
        Few replicates by default, and as many with the reading flipped.
    shares
        Of all replicates of each experiment, how many these are.
    """
    rows = {row["id"]: row for row in topic}
    again = Repeats(changed)
    return [
        {
            "reading": name,
            "id": i,
            "all_parts": [asdict(one) for one in _found(rows[i], default, again, shares)],
        }
        for i in claims_touched(name)
        if i in rows
    ]


def decide_reading(row: Mapping[str, Any], ledger: Mapping[str, Any]) -> dict[str, Any]:
    """Decide a claim again from a row of `measure_reading`; ``ledger`` is its decided row."""
    found = [
        Shifted(
            part_from(one["part"]),
            np.nan if one["shift"] is None else one["shift"],
            np.nan if one["error"] is None else one["error"],
            one["way"],
        )
        for one in row["all_parts"]
    ]
    return {"reading": row["reading"], **_row(ledger, found)}


def _unless_few(one: Shifted, before: Mapping[str, Any] | None) -> Part:
    """Return a part; with the ledger's status where few replicates leave open what it is now.

    To be undecided on fewer replicates is no change of a verdict.
    """
    if one.part.status != "undecided" or one.way == "all" or before is None:
        return one.part
    return replace(one.part, status=before["status"])


def _row(ledger: Mapping[str, Any], found: Sequence[Shifted]) -> dict[str, Any]:
    """Return what is said of a claim with a reading flipped."""
    identifier = str(ledger["id"])
    parts = tuple(one.part for one in found)
    before = {part["name"]: part for part in ledger["all_parts"]}
    kept = [_unless_few(one, before.get(one.part.name)) for one in found]
    verdict = verdict_of(kept, claim(identifier).kind) if parts else "not measured"
    shown = Finding("", parts).shown if parts else nothing_known("", "")
    one = next((one for one in found if one.part is shown), None)
    statuses = Counter(part.status for part in parts)
    ways = Counter(one.way for one in found)
    return {
        "id": identifier,
        "verdict": verdict,
        "estimate": number_or_none(shown.estimate),
        "ci_low": number_or_none(shown.low),
        "ci_high": number_or_none(shown.high),
        "hold": statuses["holds"],
        "fail": statuses["fails"],
        "undecided": statuses["undecided"],
        "default_verdict": ledger["verdict"],
        "default_estimate": before.get(shown.name, {}).get("estimate"),
        "full_verdict": ledger["verdict"],
        "changed": verdict != ledger["verdict"],
        "part": shown.name,
        "shift": None if one is None else number_or_none(one.shift),
        "shift_se": None if one is None else number_or_none(one.error),
        "paired": ways["paired"],
        "alone": ways["alone"],
    }


def in_order(rows: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return rows of all topics reading by reading."""
    found = {(row["reading"], row["id"]): dict(row) for row in rows}
    return [found[reading, i] for reading in readings() for i in claims_touched(reading)]


def sensitivity_table(
    rows: Iterable[Mapping[str, Any]], in_force: Mapping[str, str]
) -> "pd.DataFrame":
    """Return claim by reading: the ledger's verdict and estimate, the shift, the new verdict.

    Parameters
    ----------
    rows
        Rows of `in_order`.
    in_force
        The readings in force.
    """
    import pandas as pd  # deciding claims again, most of what this file is for, needs none

    table = [
        {name: number_from(value) for name, value in row.items()}
        | {"value": flipped(row["reading"], in_force)[row["reading"]]}
        for row in rows
    ]
    return pd.DataFrame(table, columns=list(COLUMNS))


def dependent(table: "pd.DataFrame") -> dict[str, list[str]]:
    """Return, for each claim whose verdict depends on readings, these readings."""
    changed = table[table["changed"]]
    return {
        str(identifier): [
            f"{row.reading} = {row.value}: {row.verdict}" for row in rows.itertuples()
        ]
        for identifier, rows in changed.groupby("id", sort=False)
    }
