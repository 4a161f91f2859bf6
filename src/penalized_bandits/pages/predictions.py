"""The theory in numbers: what was measured, what the fluid prediction says, and the limit."""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from penalized_bandits.experiments.names import in_words
from penalized_bandits.numbers import estimate, restyled, shown
from penalized_bandits.pages.forest import part_of, worst_first

_NUMBER = r"(−?[\d.,]+(?:e[+-]?\d+)?)"
# As claims/measures/fluid_law.py writes it, and paper/c26p_break_points.py.
_LAW = re.compile(
    rf"at T = {_NUMBER} measured {_NUMBER}, predicted {_NUMBER}(?:, limit {_NUMBER} as T → ∞)?;"
)
_POINT = re.compile(rf"between {_NUMBER} and {_NUMBER}; as T → ∞ {_NUMBER}$")
_UNIT = re.compile(r"numbers (?:are|of the law:) (.+?)(?:[:.](?:\s|$)|\)\.)")


@dataclass(frozen=True)
class Prediction:
    """The part of a claim that is furthest from its prediction."""

    claim: str
    what: str
    where: str
    """The case, and how many others there are."""
    measured: str
    predicted: str
    limit: str
    ratio: str
    """Measured over predicted with its 95 % interval, where that is what decides."""


def _numbers(detail: str, measured: float, predicted: float) -> tuple[str, str, str, str] | None:
    if found := _LAW.match(detail):
        horizon, seen, wanted, limit = (x and shown(float(x)) for x in found.groups())
        return f"T = {horizon}", str(seen), str(wanted), str(limit or "none")
    if found := _POINT.match(detail):
        return "", shown(measured), shown(predicted), shown(float(found[3]))
    return None


def prediction(row: Mapping[str, Any]) -> Prediction | None:
    """Return what a claim says of the fluid prediction; None if it says nothing."""
    parts = [part_of(part) for part in row["all_parts"]]
    told = [p for p in parts if _numbers(p.detail, p.estimate, p.limit)]
    if not told:
        return None
    worst = worst_first(told)[0]
    horizon, *numbers = _numbers(worst.detail, worst.estimate, worst.limit) or ("",)
    law = _LAW.match(worst.detail) is not None
    unit = _UNIT.search(row["note"])
    others = f", furthest of {len(told)}" if len(told) > 1 else ""
    where = ", ".join(filter(None, (in_words(worst.name), horizon)))
    return Prediction(
        row["id"],
        unit[1].strip() if unit and law else row["quantity"].partition(" (")[0],
        f"{where}{others}",
        *numbers,
        estimate(worst.estimate, worst.low, worst.high) if law else "",
    )


def predictions(rows: Sequence[Mapping[str, Any]]) -> list[Prediction]:
    """Return the predictions of all claims that have one."""
    return [found for row in rows if (found := prediction(row)) is not None]


def effect(row: Mapping[str, Any], stake: str) -> str:
    """Say how large a claim's differences are, from part to part, as a share of what is at stake.

    Empty where there is no such thing.
    """
    shares = [
        part["estimate"] / part["stake"]
        for part in row["all_parts"]
        if isinstance(part["stake"], float | int)
        and part["stake"] > 0
        and isinstance(part["estimate"], float | int)
        and not math.isnan(part["estimate"])
    ]
    if not shares:
        return ""
    low, high = (f"{100 * share:+.1f}%" for share in (min(shares), max(shares)))
    return restyled(f"{low} to {high} of {stake}, over {len(shares)} comparisons")
