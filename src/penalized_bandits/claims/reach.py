"""How far the replicates of an experiment go beyond what its verdicts need.

A part is decided when its interval does not hold its limit.  Its *reach* is the distance of the
estimate from the limit over the half-width of the interval on that side: 1 is just decided, and
with r times fewer replicates the interval is about the root of r times wider.  So an experiment
whose parts all reach 2 or more has four times the replicates that its verdicts need.
"""

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from penalized_bandits.claims import CLAIMS
from penalized_bandits.claims.reading import markdown_table
from penalized_bandits.experiments.names import in_words

DECIDED = ("holds", "fails")


class Closest(NamedTuple):
    """The decided part of a claim that is closest to undecided."""

    part: str
    reach: float
    """Distance from the limit over the half-width of the interval; at least 1, or rounding."""


def reach(part: Mapping[str, Any]) -> float | None:
    """Return the reach of a part, whose limits are ``least`` and ``most``, or else ``limit``.

    None if it is not decided, or has no finite limit or no interval.
    """
    estimate = part["estimate"]
    if part["status"] not in DECIDED or estimate is None:
        return None
    # JSON has no infinity: the ledger writes it as text.
    ends = [float(end) for end in (part["least"], part["most"]) if end is not None]
    if not ends and part["limit"] is not None:
        ends = [float(part["limit"])]
    limits = [end for end in ends if math.isfinite(end)]
    halves = [part["high"] - estimate if estimate < at else estimate - part["low"] for at in limits]
    if not limits or min(halves) <= 0:
        return None
    return min(abs(estimate - at) / half for at, half in zip(limits, halves, strict=True))


def closest(row: Mapping[str, Any]) -> Closest | None:
    """Return the part of a claim with the least reach; None if no part has one."""
    reaches = [(part["name"], reach(part)) for part in row["all_parts"]]
    known = [Closest(name, found) for name, found in reaches if found is not None]
    return min(known, key=lambda one: one.reach, default=None)


def margins_table(rows: Sequence[Mapping[str, Any]], replicates: Mapping[str, int]) -> list[str]:
    """Return the table claim, closest part, reach, replicates of its experiments, as Markdown."""
    lines: list[tuple[str, ...]] = []
    for row in rows:
        found = closest(row)
        if found is None:
            continue
        counts = ", ".join(f"{name} {replicates[name]:,}" for name in CLAIMS[row["id"]].experiments)
        lines.append((row["id"], in_words(found.part), f"{found.reach:.1f}", counts))
    return markdown_table(("claim", "closest part", "margin over half-width", "replicates"), lines)


def to_spare(rows: Sequence[Mapping[str, Any]], least: float = 2.0) -> dict[str, float]:
    """Return experiments all of whose claims reach ``least``, with the least reach of each."""
    reaches: dict[str, list[float]] = {}
    for row in rows:
        undecided = any(part["status"] == "undecided" for part in row["all_parts"])
        found = closest(row)
        for name in CLAIMS[row["id"]].experiments:
            if undecided:
                reaches.setdefault(name, []).append(0.0)
            elif found is not None:
                reaches.setdefault(name, []).append(found.reach)
    return {name: min(found) for name, found in reaches.items() if min(found) >= least}
