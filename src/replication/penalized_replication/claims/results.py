"""The result of a claim: measured on replicates, decided by its parts, with texts in the ledger."""

import dataclasses
import json
import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from penalized_replication.claims import claim, entry_of
from penalized_replication.claims.base import Evidence, bound_ratio_of, verdict_of
from penalized_replication.claims.parts import Part, against, unknown
from penalized_replication.claims.power import power_of
from penalized_replication.common.errors import ClaimError, NotMeasuredError
from penalized_replication.storage.files import read_json

DETECTION = ("detection_10", "detection_50", "detection_100")
"""Columns of the detection probabilities, one for each of `power.FACTORS`."""

PAPERS = "config/config.yaml"
"""The config that verdicts on the paper are of; a result's ``config`` names what differs."""


def _fields(of: object, names: str) -> dict[str, Any]:
    return {name: getattr(of, name) for name in names.split()}


@dataclass(frozen=True)
class ClaimResult:
    """The result of one claim."""

    id: str
    parts: tuple[Part, ...] = ()
    facts: Mapping[str, Any] = field(default_factory=dict)
    """Numbers for the note and for figures."""
    missing: str = ""
    """Why it was not measured."""
    verdict: str = ""
    """Empty until the claim is decided."""
    detection: tuple[float, ...] = ()
    """Probability of noticing a violation by each of `power.FACTORS`; NaN where undefined."""
    weakest: int | None = None
    """Index of the part with the least power."""
    where: str = ""
    statement: str = ""
    rule: str = ""
    quantity: str = ""
    evidence: str = ""
    readings: str = ""
    asked_by: str = ""
    low_power: str = ""
    note: str = ""
    best: str = ""
    violation: str = ""
    declared: str = ""
    changed: str = ""
    digest: str = ""
    config: str = ""
    """Which config the verdict is of."""
    confirmed: str = ""
    """Result of the confirmation, of an extended claim."""
    repeats: str = ""
    mended: bool = False

    @property
    def headline(self) -> Part:
        """The part whose numbers stand in the ledger: what speaks most against the claim."""
        return max(self.parts, key=against) if self.parts else unknown("")

    @property
    def best_part(self) -> Part | None:
        """The part that holds with the largest margin, or the nearest to it."""
        return min(self.parts, key=lambda p: (against(p)[0] or 5, against(p)[1]), default=None)

    @property
    def statuses(self) -> Counter[str]:
        """Number of parts by status."""
        return Counter(part.status for part in self.parts)

    @property
    def bound_ratio(self) -> float:
        """Ratio of the nearest bound to the measured value; NaN if undefined."""
        return bound_ratio_of(self.parts)

    @property
    def detection_by_column(self) -> dict[str, float]:
        """The detection probabilities by their columns; NaN where undefined."""
        values = self.detection or (math.nan,) * len(DETECTION)
        return dict(zip(DETECTION, values, strict=True))

    def row(self) -> dict[str, Any]:
        """Return the row of the ledger's table; `results/README.md` explains its columns."""
        shown, count = self.headline, self.statuses
        return (
            _fields(self, "id where statement rule")
            | {"estimate": shown.estimate, "ci_low": shown.low, "ci_high": shown.high}
            | _fields(self, "verdict evidence quantity")
            | {"headline": shown.name, "parts": len(self.parts)}
            | {"hold": count["holds"], "fail": count["fails"]}
            | {status: count[status] for status in ("negligible", "undecided", "vacuous")}
            | _fields(self, "readings note asked_by best bound_ratio")
            | self.detection_by_column
            | _fields(self, "declared changed")
            | {"effect": shown.effect}
            | _fields(self, "violation low_power digest config")
            | ({"confirmed": self.confirmed} if self.confirmed else {})
        )

    def part_rows(self) -> list[dict[str, Any]]:
        """Return a row of the table of parts for each part."""
        return [
            {"id": self.id, "part": part.name}
            | _fields(part, "quantity case policy rival arm horizon estimate")
            | {"ci_low": part.low, "ci_high": part.high}
            | _fields(part, "limit status measured predicted asymptote detail")
            | _fields(part, "least most reference_scale trials")
            for part in self.parts
        ]

    def to_json(self) -> dict[str, Any]:
        """Return the fields; of a result with its texts, the row of the table comes first."""
        values = {f.name: getattr(self, f.name) for f in dataclasses.fields(self)}
        values["parts"] = [part.to_json() for part in self.parts]
        if not self.statement:
            return {n: v for n, v in values.items() if n == "id" or v not in ("", None, (), {}, [])}
        row = self.row()
        return row | {"n_parts": row["parts"]} | values

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> "ClaimResult":
        """Return the result that `to_json` wrote."""
        own = {f.name: values[f.name] for f in dataclasses.fields(cls) if f.name in values}
        own |= {
            "parts": tuple(Part.from_json(part) for part in own.get("parts", ())),
            "detection": tuple(math.nan if x is None else x for x in own.get("detection", ())),
        }
        return cls(**own)


def measure(identifier: str, evidence: Evidence) -> ClaimResult:
    """Measure a claim; where the config provides too little data, the result says what is missing.

    Raises ClaimError if two parts have the same fields.
    """
    parts: dict[Any, Part] = {}
    facts: dict[str, Any] = {}
    experiments = ", ".join(entry_of(identifier).experiments)
    missing = f"no case of {experiments} meets the statement's conditions"
    try:
        for item in claim(identifier).measure(evidence):
            if isinstance(item, Part):
                if item.key in parts:
                    raise ClaimError(f"{identifier} has two parts {item.key}")
                parts[item.key] = item
            else:
                facts |= item
    except NotMeasuredError as error:
        parts, missing = {}, f"{error} (it is measured on {experiments})"
    if not parts:
        return ClaimResult(identifier, missing=missing)
    return ClaimResult(identifier, tuple(parts.values()), facts)


def decide(result: ClaimResult) -> ClaimResult:
    """Return a measured result with its verdict, and the power of its rule."""
    verdict = verdict_of(result.parts, claim(result.id).kind)
    detection, weakest = power_of(result.parts)
    return replace(result, verdict=verdict, detection=detection, weakest=weakest)


def to_json(results: Iterable[Any]) -> str:
    """Return results as JSON text; NaN becomes null, infinities become text."""

    def plain(value: Any) -> Any:
        if isinstance(value, float) and not math.isfinite(value):
            return None if math.isnan(value) else ("inf" if value > 0 else "-inf")
        if isinstance(value, Mapping):
            return {key: plain(item) for key, item in value.items()}
        if isinstance(value, list | tuple):
            return [plain(item) for item in value]
        return plain(value.item()) if isinstance(value, np.generic) else value

    rows = [plain(result.to_json()) for result in results]
    return json.dumps(rows, indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def _number(value: Any) -> Any:
    """Return what `to_json` wrote with infinities as numbers."""
    if isinstance(value, dict):
        return {key: _number(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_number(item) for item in value]
    return float(value) if value in ("inf", "-inf") else value


def read_results(*paths: Path | str) -> list[ClaimResult]:
    """Return the results of files that `to_json` wrote; raise ClaimError for another form."""
    results = []
    for path in paths:
        rows = _number(read_json(path))
        try:
            results += [ClaimResult.from_json(row) for row in rows]
        except (LookupError, TypeError, ValueError, AttributeError) as error:
            raise ClaimError(
                f"{path} holds no results of claims ({error!r}): make it again with 'snakemake "
                "--cores all claims --forcerun decide_claims'"
            ) from None
    return results


def by_id(results: Sequence[ClaimResult]) -> dict[str, ClaimResult]:
    """Return results by the ids of their claims."""
    return {result.id: result for result in results}


def config_name(changed: Sequence[str]) -> str:
    """Name a config by its keys that differ from the paper's."""
    if not changed:
        return PAPERS
    more = f" and {len(changed) - 3} keys more" if len(changed) > 3 else ""
    return f"{PAPERS} with other values of {', '.join(changed[:3])}{more}"


def warning(config: str) -> str:
    """Return the warning that verdicts are of another config than the paper's, or nothing."""
    if config in ("", PAPERS):
        return ""
    return (
        f"Not the paper's config, but {config}. Verdicts are about this one: with few replicates "
        "or short horizons a claim may fail for that reason alone."
    )
