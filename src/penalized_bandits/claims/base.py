"""What a claim is, and how measurements become a verdict.

A claim falls into parts: one comparison with a limit in one case.  What a part says is
decided by its interval alone, and the verdict by the parts alone (:func:`verdict_of`);
neither knows what the paper expects.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from penalized_bandits.claims.evidence import Evidence

Status = Literal["holds", "fails", "undecided", "vacuous"]
Verdict = Literal["reproduced", "partly", "not reproduced", "inconclusive", "not measured"]


@dataclass(frozen=True)
class Part:
    """One thing that a claim says, in one case."""

    name: str
    """Which case, e.g. ``K5_tau0.2 T=500``."""
    estimate: float
    low: float
    high: float
    """95 % interval of the estimate; equal to it where nothing is random."""
    status: Status
    limit: float = math.nan
    """What the estimate is held against, where that is one number."""
    detail: str = ""


@dataclass(frozen=True)
class Finding:
    """What was measured for a claim."""

    quantity: str
    """What the estimate is, with its unit."""
    parts: tuple[Part, ...]
    headline: Part | None = None
    """The part that stands in the ledger; by default the first, see :attr:`shown`."""
    note: str = ""

    @property
    def shown(self) -> Part:
        """The part whose numbers stand in the ledger."""
        return self.headline or self.parts[0]


@dataclass(frozen=True)
class Claim:
    """A statement of the paper that data can decide."""

    where: str
    """Where the paper makes it."""
    statement: str
    """In our words."""
    rule: str
    """When a part holds and when it fails: declared before data are read."""
    evidence: str
    """Path of the table or figure behind it."""
    measure: Callable[[Evidence], Finding] = field(repr=False)


def below(name: str, estimate: float, low: float, high: float, limit: float) -> Part:
    """Make a part that says: the estimate lies below a limit."""
    status: Status = "holds" if high < limit else "fails" if low > limit else "undecided"
    return Part(name, estimate, low, high, status, limit)


def above(name: str, estimate: float, low: float, high: float, limit: float) -> Part:
    """Make a part that says: the estimate lies above a limit."""
    status: Status = "holds" if low > limit else "fails" if high < limit else "undecided"
    return Part(name, estimate, low, high, status, limit)


def within(name: str, estimate: float, low: float, high: float, least: float, most: float) -> Part:
    """Make a part that says: the estimate lies between two limits."""
    if low >= least and high <= most:
        status: Status = "holds"
    elif high < least or low > most:
        status = "fails"
    else:
        status = "undecided"
    return Part(name, estimate, low, high, status, detail=f"between {least:.4g} and {most:.4g}")


def exactly(name: str, holds: bool, value: float, limit: float = math.nan) -> Part:
    """Make a part about which nothing is random."""
    return Part(name, value, value, value, "holds" if holds else "fails", limit)


def nothing_known(name: str, why: str) -> Part:
    """Make a part that cannot be decided, and say why."""
    return Part(name, math.nan, math.nan, math.nan, "undecided", detail=why)


def vacuous(part: Part, why: str) -> Part:
    """Mark a part that could not have failed, or whose limit says nothing."""
    return replace(part, status="vacuous", detail=why) if part.status == "holds" else part


def not_said(part: Part, why: str) -> Part:
    """Mark a part about which the claim says nothing, whatever was measured."""
    return replace(part, status="vacuous", detail=why)


def by_p_values(
    parts: Sequence[Part], p_holds: Sequence[float], p_fails: Sequence[float], level: float = 0.05
) -> tuple[Part, ...]:
    """Decide a family of parts by Holm-adjusted p-values, in either direction.

    ``p_holds`` is small where the part's statement is supported, ``p_fails`` where its
    opposite is; each list is one family.
    """
    from penalized_bandits.statistics.estimates import holm

    decided: list[Part] = []
    for part, yes, no in zip(parts, holm(p_holds), holm(p_fails), strict=True):
        status: Status = "holds" if yes < level else "fails" if no < level else "undecided"
        decided.append(replace(part, status=status))
    return tuple(decided)


def verdict_of(parts: Sequence[Part]) -> Verdict:
    """Return the verdict that parts amount to.

    - ``reproduced``: every part that says something holds;
    - ``not reproduced``: some fail and none holds, or more fail than hold;
    - ``inconclusive``: none fails, and no more hold than are undecided;
    - ``partly``: everything else.

    Vacuous parts count for nothing.
    """
    count = {
        status: sum(part.status == status for part in parts)
        for status in ("holds", "fails", "undecided")
    }
    if count["holds"] and not count["fails"] and not count["undecided"]:
        return "reproduced"
    if count["fails"] > count["holds"]:
        return "not reproduced"
    if not count["fails"] and count["holds"] <= count["undecided"]:
        return "inconclusive"
    return "partly"
