"""Comparisons, results and samples at hand, without a measurement."""

from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from penalized_bandits.common.typing import BoolArray, FloatArray
from penalized_replication.claims.base import Evidence
from penalized_replication.claims.comparisons import Comparison, Interval, Measurement, Place
from penalized_replication.claims.results import ClaimResult, decide, measure, read_results, to_json
from penalized_replication.claims.rules import Above, Below, Within
from penalized_replication.claims.rules.base import Rule, decided
from penalized_replication.claims.table.render import described


def result_of(identifier: str, evidence: Evidence) -> ClaimResult:
    """Return the result of a claim, measured, written, read, decided and described as in a run."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "measured.json"
        path.write_text(to_json([measure(identifier, evidence)]), encoding="utf-8")
        (read,) = read_results(path)
    return described(decide(read))


def measured(identifier: str, evidence: Evidence) -> tuple[str, list[float]]:
    """Return the first letters of the statuses of a claim's comparisons, and their estimates."""
    comparisons = result_of(identifier, evidence).comparisons
    return "".join(c.status[0] for c in comparisons), [c.estimate for c in comparisons]


def statuses(rule: Rule, *data: object, shared: int = 1, **about: Any) -> list[str]:
    """Return the statuses of a rule's comparisons, one of each of the data."""
    measurements = [Measurement(x, Place(case=f"{n}"), **about) for n, x in enumerate(data)]
    return [comparison.status for comparison in decided(rule, measurements, shared)]


def _compared(rule: Rule, data: Any, scale: float, fields: dict[str, Any]) -> Comparison:
    (comparison,) = decided(rule, [Measurement(data, scale=scale)])
    return replace(comparison, **fields)


def below(data: Any, limit: float, scale: float = np.nan, **fields: Any) -> Comparison:
    return _compared(Below(limit, of="", over=""), data, scale, fields)


def above(data: Any, limit: float, scale: float = np.nan, **fields: Any) -> Comparison:
    return _compared(Above(limit, of="", over=""), data, scale, fields)


def within(
    interval: Interval, least: float, most: float, centre: float = np.nan, **fields: Any
) -> Comparison:
    rule = Within(least=least, most=most, centre=centre, of="", over="")
    return _compared(rule, interval, np.nan, fields)


def unknown(reason: str, **fields: Any) -> Comparison:
    return _compared(Above(0.0, of="", over=""), None, np.nan, {"reason": reason, **fields})


def alternating(mean: float, spread: float, n: int) -> FloatArray:
    """Return n values, an even number, half of them above the mean and half below."""
    return np.where(np.arange(n) % 2 == 0, mean + spread, mean - spread)


def first(k: int, n: int) -> BoolArray:
    return np.arange(n) < k


DECLARED = {"declared": "2026-11-21", "changed": "", "path": "", "digest": "0123456789ab"}


def result(identifier: str, *comparisons: Comparison, **fields: Any) -> ClaimResult:
    """Return the result of a claim with these comparisons; ``fields`` replace those of the table.

    Its note is empty, because the template needs facts of a measurement.
    """
    made = decide(ClaimResult(identifier, comparisons))
    known = described(replace(made, id="C23" if comparisons else identifier))
    defaults: dict[str, Any] = {**DECLARED, "note": "a note", "corrected": False}
    return replace(known, id=identifier, **defaults | fields)
