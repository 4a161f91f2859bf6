"""What small runs measure of each claim, and the committed files of it."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from config_helpers import ROOT

FOLDER = ROOT / "tests/helpers/golden"
KEYS = ("id", "verdict", "estimate", "ci_low", "ci_high", "parts", "facts", "missing", "mended")
"""Of a claim's row; wording and digests are left out."""
RUNS = {
    "paper": "claims/measured/*.json",
    "extended": "scenarios/extended/claims/claims.json",
    "sharp": "scenarios/sharp/claims/claims.json",
}
"""Claims of small runs: as the smoke run measures them, and as its scenarios decide them."""


def measured_in(project: Path, run: str) -> dict[str, Any]:
    """Return what a run in a folder measured, as plain values by the ids of claims."""
    paths = (project / "results").glob(RUNS[run])
    rows = [row for path in paths for row in json.loads(path.read_text("utf-8"))]
    rows = [{key: row[key] for key in KEYS if key in row} for row in rows]
    return {row["id"]: row for row in sorted(rows, key=lambda row: row["id"])}


def committed(run: str) -> dict[str, Any]:
    """Return the rows of a run's committed file by the ids of claims."""
    rows = map(json.loads, (FOLDER / f"{run}.jsonl").read_text("utf-8").splitlines())
    return {row["id"]: row for row in rows}


def assert_as_committed(measured: Any, expected: Any) -> None:
    """Compare a claim's row with the committed one: last digits may differ between machines."""
    numbers, texts = _split(measured)
    expected_numbers, expected_texts = _split(expected)
    assert numbers == pytest.approx(expected_numbers, rel=1e-6, abs=1e-9)
    assert texts == expected_texts


def _split(row: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    numbers: dict[str, Any] = {}
    texts: dict[str, Any] = {}
    for place, value in _values_of(row):
        is_number = isinstance(value, float | int) and not isinstance(value, bool)
        (numbers if is_number else texts)[place] = value
    return numbers, texts


def _values_of(row: Any, place: str = "") -> Iterator[tuple[str, Any]]:
    if isinstance(row, dict | list):
        for key, value in row.items() if isinstance(row, dict) else enumerate(row):
            yield from _values_of(value, f"{place}/{key}")
    else:
        yield place, row
