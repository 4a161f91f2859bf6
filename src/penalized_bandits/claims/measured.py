"""What claims measure, as JSON: parts with their limits, before any verdict."""

import dataclasses
import json
import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from penalized_bandits.claims import claim, claims_of, entry_of
from penalized_bandits.claims.base import Finding, Part
from penalized_bandits.claims.evidence import Evidence
from penalized_bandits.common.errors import NotMeasuredError


def measured(identifier: str, evidence: Evidence) -> Finding:
    """Measure a claim; where the config leaves too little for it, say in the note what it lacks."""
    experiments = entry_of(identifier).experiments
    try:
        finding = claim(identifier).measure(evidence)
        lack = f"nothing in {', '.join(experiments)} is what it speaks of"
    except NotMeasuredError as error:
        finding, lack = Finding("", ()), f"{error} (it stands on {', '.join(experiments)})"
    if finding.parts:
        return finding
    return Finding("", (), f"Not measured under this config: {lack}.")


def finding_row(identifier: str, finding: Finding) -> dict[str, Any]:
    """Return what was measured for a claim as a row: quantity, note, parts and series."""
    return {
        "id": identifier,
        "quantity": finding.quantity,
        "note": finding.note,
        "all_parts": [dataclasses.asdict(part) for part in finding.parts],
        "series": [dataclasses.asdict(series) for series in finding.series],
    }


def measure_topic(topic: str, evidence: Evidence) -> list[dict[str, Any]]:
    """Measure all claims of a topic; return a row of each, as `finding_row`."""
    return [finding_row(e.id, measured(e.id, evidence)) for e in claims_of(topic)]


def to_json(rows: Sequence[Mapping[str, Any]]) -> str:
    """Write rows as JSON; numbers that are not finite become null or text."""

    def plain(value: Any) -> Any:
        if isinstance(value, float) and not math.isfinite(value):
            return None if math.isnan(value) else ("inf" if value > 0 else "-inf")
        if isinstance(value, dict):
            return {key: plain(item) for key, item in value.items()}
        if isinstance(value, list | tuple):
            return [plain(item) for item in value]
        return value.item() if isinstance(value, np.generic) else value

    return json.dumps(plain(list(rows)), indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def number_from(value: Any) -> Any:
    """Return a value that `to_json` wrote: an infinite number, which is text there, as a number."""
    return float(value) if value in ("inf", "-inf") else value


def number_or_none(value: float) -> float | None:
    """Return a number as rows have it: None in place of NaN."""
    return None if math.isnan(value) else float(value)


def part_from(values: Mapping[str, Any]) -> Part:
    """Return a part from a row, where None stands for NaN."""
    numbers: dict[str, Any] = {}
    for name, value in values.items():
        numbers[name] = math.nan if value is None else number_from(value)
    return Part(**numbers)
