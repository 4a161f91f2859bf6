"""Sensitivity: claims under the alternative of each reading, one reading at a time.

The experiments that a reading affects are simulated again under its alternative, on fewer
replicates of the same random numbers.  Their claims are decided again on the ledger's estimates,
shifted by the mean difference on these replicates (:mod:`.paired_sensitivity`).
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from penalized_bandits.claims import CLAIMS, claim
from penalized_bandits.claims.alternatives import alternative, claims_affected, readings
from penalized_bandits.claims.base import verdict_of
from penalized_bandits.claims.deciding import measure
from penalized_bandits.claims.evidence import Evidence
from penalized_bandits.claims.paired_sensitivity import GROUPS, Parts, Shifted, same, shifted
from penalized_bandits.claims.parts import Part
from penalized_bandits.claims.results import ClaimResult, by_id, by_key, read_rows
from penalized_bandits.common.errors import BanditError
from penalized_bandits.storage.replicates import Outcome

if TYPE_CHECKING:
    import pandas as pd


class Repeats:
    """Parts of claims measured on some evidence, whole and with groups of replicates left out."""

    def __init__(self, evidence: Evidence) -> None:
        self.evidence = evidence
        self.parts = cache(self._parts)

    def _parts(self, identifier: str, group: int | None = None) -> Parts:
        """Return the parts of a claim by key; none where a group leaves too little for it."""
        if group is None:
            return by_key(measure(identifier, self.evidence).parts)
        try:
            return by_key(measure(identifier, self.evidence.without(group, GROUPS)).parts)
        except BanditError:
            return {}


def _same_pulls(one: Outcome, two: Outcome) -> bool:
    pairs = ((getattr(one, name), getattr(two, name)) for name in ("pulls", "max_deficit", "means"))
    return one is two or (one.run == two.run and all(np.array_equal(*pair) for pair in pairs))


def unchanged(identifier: str, default: Evidence, alternative: Evidence) -> bool:
    """Whether a reading leaves all that a claim stands on as it was."""
    pairs = [(default.outcomes(e), alternative.outcomes(e)) for e in CLAIMS[identifier].experiments]
    return all(len(a) == len(b) and all(map(_same_pulls, a, b)) for a, b in pairs)


def _shifted(
    ledger: ClaimResult, default: Repeats, changed: Repeats, shares: Mapping[str, float]
) -> list[Shifted]:
    name = ledger.id
    if unchanged(name, default.evidence, changed.evidence):
        return [same(part) for part in ledger.parts]
    share = min(shares[experiment] for experiment in CLAIMS[name].experiments)

    def left_out() -> list[tuple[Parts, Parts]]:
        return [(default.parts(name, group), changed.parts(name, group)) for group in range(GROUPS)]

    few, alternative = default.parts(name), changed.parts(name)
    return shifted(by_key(ledger.parts), few, alternative, left_out, share)


@dataclass(frozen=True)
class ReadingResult:
    """The parts of a claim under an alternative reading."""

    reading: str
    id: str
    parts: tuple[Shifted, ...]

    def to_json(self) -> dict[str, Any]:
        """Return the fields."""
        return vars(self) | {"parts": [part.to_json() for part in self.parts]}

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> "ReadingResult":
        """Return what `to_json` wrote."""
        parts = tuple(Shifted.from_json(part) for part in values["parts"])
        return cls(values["reading"], values["id"], parts)


def read_readings(*paths: Path | str) -> list[ReadingResult]:
    """Return the results of files that `results.to_json` wrote."""
    return [ReadingResult.from_json(row) for path in paths for row in read_rows(path)]


def measure_reading(
    name: str,
    topic: Sequence[ClaimResult],
    default: Repeats,
    changed: Evidence,
    shares: Mapping[str, float],
) -> list[ReadingResult]:
    """Return the parts of each claim of a topic that a reading can affect, under its alternative.

    ``topic`` has the results on all replicates, ``default`` and ``changed`` a few replicates by
    default and under the alternative, ``shares`` the share of all that these are, by experiment.
    """
    results, repeats = by_id(topic), Repeats(changed)
    wanted = (results[i] for i in claims_affected(name) if i in results)
    shift = partial(_shifted, default=default, changed=repeats, shares=shares)
    return [ReadingResult(name, one.id, tuple(shift(one))) for one in wanted]


def _unless_few(one: Shifted, before: Parts) -> Part:
    """Return a part; with the ledger's status if a few replicates leave the new one undecided."""
    if one.part.status != "undecided" or one.way == "all" or one.part.key not in before:
        return one.part
    return replace(one.part, status=before[one.part.key].status)


def decide_reading(result: ReadingResult, ledger: ClaimResult) -> dict[str, Any]:
    """Return the row of the table of a claim under an alternative reading.

    ``ledger`` is the claim's result by default, with its texts.  The numbers are those of the
    headline ``part``; ``undecided_on_few``, ``paired`` and ``alone`` count parts.
    """
    before = by_key(ledger.parts)
    parts = tuple(one.part for one in result.parts)
    kept = [_unless_few(one, before) for one in result.parts]
    verdict = verdict_of(kept, claim(result.id).kind)
    changed = ClaimResult(result.id, parts)
    shown, statuses = changed.headline, changed.statuses
    one = next((one for one in result.parts if one.part is shown), None)
    ways = Counter(one.way for one in result.parts)
    default = before.get(shown.key)
    return {
        "reading": result.reading,
        "id": result.id,
        "verdict": verdict,
        "estimate": shown.estimate,
        "ci_low": shown.low,
        "ci_high": shown.high,
        "hold": statuses["holds"],
        "fail": statuses["fails"],
        **{status: statuses[status] for status in ("negligible", "undecided")},
        "undecided_on_few": sum(a.status != b.status for a, b in zip(parts, kept, strict=True)),
        "default_verdict": ledger.verdict,
        "default_estimate": default.estimate if default else np.nan,
        "full_verdict": ledger.verdict,
        "changed": verdict != ledger.verdict,
        "part": shown.name if parts else "",
        "shift": np.nan if one is None else one.shift,
        "shift_se": np.nan if one is None else one.error,
        "paired": ways["paired"],
        "alone": ways["alone"],
    }


def sensitivity_table(
    results: Iterable[ReadingResult], ledger: Mapping[str, ClaimResult], in_force: Mapping[str, str]
) -> "pd.DataFrame":
    """Return claim by reading: verdict and estimate by default, the shift, the new verdict."""
    import pandas as pd  # deciding claims again, most of what this file is for, needs none

    by_pair = {(result.reading, result.id): result for result in results}
    values = {name: alternative(name, in_force)[name] for name in readings()}
    return pd.DataFrame(
        {"reading": name, "value": value} | decide_reading(by_pair[name, i], ledger[i])
        for name, value in values.items()
        for i in claims_affected(name)
    )


def dependent(table: "pd.DataFrame") -> dict[str, list[str]]:
    """Return, for each claim whose verdict depends on readings, these readings."""
    changed = table[table["changed"]]
    texts = changed["reading"] + " = " + changed["value"] + ": " + changed["verdict"]
    by_claim = texts.groupby(changed["id"], sort=False)
    return {str(identifier): found.tolist() for identifier, found in by_claim}


def undecided_on_few(table: "pd.DataFrame") -> list[str]:
    """Return the pairs without a changed verdict of which few replicates leave parts undecided."""
    rows = table[~table["changed"] & (table["undecided_on_few"] > 0)]
    parts = rows[["hold", "fail", "negligible", "undecided"]].sum(axis=1)
    pairs = rows["id"] + " (" + rows["reading"] + " = " + rows["value"] + "): "
    return (pairs + rows["undecided_on_few"].astype(str) + " of " + parts.astype(str)).tolist()
