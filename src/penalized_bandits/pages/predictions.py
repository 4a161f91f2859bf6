"""The theory in numbers: what was measured, what the fluid prediction says, and the limit."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from penalized_bandits.claims.base import Part
from penalized_bandits.claims.ledger.reading import share_of_stake
from penalized_bandits.claims.measured import part_from
from penalized_bandits.common.numbers import estimate, restyled, shown
from penalized_bandits.experiments.names import in_words
from penalized_bandits.pages.forest import worst_first

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


def _numbers(part: Part) -> tuple[str, str, str, str] | None:
    """Return the horizon, and what was measured, predicted and is the limit; None if not told."""
    if found := _LAW.match(part.detail):
        horizon, seen, wanted, limit = (shown(x) for x in found.groups())
        return f"T = {horizon}", seen, wanted, limit or "none"
    if found := _POINT.match(part.detail):
        return "", shown(part.estimate), shown(part.limit), shown(found[3])
    return None


def prediction(row: Mapping[str, Any]) -> Prediction | None:
    """Return what a claim says of the fluid prediction; None if it says nothing."""
    parts = worst_first([part_from(part) for part in row["all_parts"]])
    told = [(part, numbers) for part in parts if (numbers := _numbers(part)) is not None]
    if not told:
        return None
    worst, (horizon, measured, predicted, limit) = told[0]
    law = _LAW.match(worst.detail) is not None
    unit = _UNIT.search(row["note"])
    others = f"furthest of {len(told)}" if len(told) > 1 else ""
    return Prediction(
        row["id"],
        unit[1].strip() if unit and law else row["quantity"].partition(" (")[0],
        ", ".join(filter(None, (in_words(worst.name), horizon, others))),
        measured,
        predicted,
        limit,
        estimate(worst.estimate, worst.low, worst.high) if law else "",
    )


def predictions(rows: Sequence[Mapping[str, Any]]) -> list[Prediction]:
    """Return the predictions of all claims that have one."""
    return [found for row in rows if (found := prediction(row)) is not None]


def effect(row: Mapping[str, Any], stake: str) -> str:
    """Say how large a claim's differences are, from part to part, as a share of what is at stake.

    Empty where there is no such thing.
    """
    found = map(share_of_stake, row["all_parts"])
    shares = [share for share in found if share is not None]
    if not shares:
        return ""
    low, high = (f"{100 * share:+.1f}%" for share in (min(shares), max(shares)))
    return restyled(f"{low} to {high} of {stake}, over {len(shares)} comparisons")
