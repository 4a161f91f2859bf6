"""What small runs measure of each claim, and the committed files of it."""

import json
from pathlib import Path
from typing import Any

import pytest

from config_helpers import ROOT

KEYS = (
    *("id", "verdict", "estimate", "ci_low", "ci_high"),
    *("comparisons", "facts", "missing", "corrected"),
)
"""Of a claim's row; wording and digests are left out."""
RUNS = {
    "paper": (ROOT / "tests/helpers/golden", "claims/measured/*.json"),
    "extended": (ROOT / "research/tests/golden", "scenarios/extended/claims/claims.json"),
    "sharp": (ROOT / "research/tests/golden", "scenarios/sharp/claims/claims.json"),
    "ceilings": (ROOT / "research/tests/golden", "scenarios/ceilings/claims/claims.json"),
    "changing": (ROOT / "research/tests/golden", "scenarios/changing/claims/claims.json"),
}
"""Claims of small runs: the folder of the committed file, and the run's own files of them.

They are as the smoke run measures them, and as the research's scenarios decide them.
"""

PLACE = ("quantity", "case", "policy", "rival", "arm", "horizon")
"""Of a comparison: claims are compared by it, in whatever order a rule has its comparisons."""


def measured_in(project: Path, run: str) -> dict[str, Any]:
    paths = (project / "results").glob(RUNS[run][1])
    rows = [row for path in paths for row in json.loads(path.read_text("utf-8"))]
    rows = [{key: row[key] for key in KEYS if key in row} for row in rows]
    return {row["id"]: by_place(row) for row in sorted(rows, key=lambda row: row["id"])}


def golden_file(run: str) -> Path:
    return RUNS[run][0] / f"{run}.jsonl"


def committed(run: str) -> dict[str, Any]:
    rows = map(json.loads, golden_file(run).read_text("utf-8").splitlines())
    return {row["id"]: by_place(row) for row in rows}


def by_place(row: dict[str, Any]) -> dict[str, Any]:
    """Return a claim's row with its comparisons ordered by their place."""
    comparisons = row.get("comparisons", [])
    ordered = sorted(comparisons, key=lambda one: [str(one.get(name, "")) for name in PLACE])
    return row | ({"comparisons": ordered} if comparisons else {})


def about(row: Any) -> Any:
    """Return a row with room for the last digits, which may differ between machines."""
    if isinstance(row, dict):
        return {key: about(value) for key, value in row.items()}
    if isinstance(row, list):
        return [about(value) for value in row]
    is_number = isinstance(row, float | int) and not isinstance(row, bool)
    return pytest.approx(row, rel=1e-6, abs=1e-9) if is_number else row
