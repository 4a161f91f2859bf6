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
Verdict = Literal[
    "reproduced", "consistent", "partly", "not reproduced", "undecided", "identity", "not measured"
]
Kind = Literal["pattern", "theorem", "bound", "identity"]

FAR = 2.0
"""A bound is far away where twice what is measured would still keep it."""


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
    least: float = -math.inf
    most: float = math.inf
    """The part holds where the estimate lies between these."""
    stake: float = math.nan
    """What a difference is a share of, in the unit of the estimate."""
    trials: int = 0
    """How many replicates the estimate is a share of; 0 where it is no share."""
    p_holds: float = math.nan
    p_fails: float = math.nan
    """One-sided p-values of a part that is decided with its family (:func:`by_p_values`)."""

    @property
    def slack(self) -> float:
        """How often what is measured fits into its bound; NaN where there is no such ratio."""
        if self.trials or not math.isnan(self.stake) or self.estimate <= 0:
            return math.nan
        if math.isinf(self.least) and 0 < self.most < math.inf:
            return self.most / self.estimate
        if math.isinf(self.most) and 0 < self.least < math.inf:
            return self.estimate / self.least
        return math.nan

    @property
    def excess(self) -> float:
        """How far the estimate lies beyond its limits, as a share of what it is held against.

        Negative where it lies within; NaN where it has no limits.
        """
        beyond = max(self.least - self.estimate, self.estimate - self.most)
        if math.isinf(beyond):
            return math.nan
        edge = self.most if self.estimate - self.most >= self.least - self.estimate else self.least
        unit = abs(self.limit if math.isinf(edge) else edge)
        if not math.isnan(self.stake):
            unit = self.stake
        elif self.trials or unit == 0:
            unit = 1.0
        return beyond / unit if unit else math.nan


@dataclass(frozen=True)
class Series:
    """What lies behind a part: estimates along some quantity, with 95 % intervals."""

    name: str
    """The part's."""
    at: tuple[float, ...]
    estimate: tuple[float, ...]
    low: tuple[float, ...]
    high: tuple[float, ...]


@dataclass(frozen=True)
class Finding:
    """What was measured for a claim."""

    quantity: str
    """What the estimate is, with its unit."""
    parts: tuple[Part, ...]
    note: str = ""
    series: tuple[Series, ...] = ()
    """What figures draw of the evidence, where that is more than its parts."""

    @property
    def shown(self) -> Part:
        """The part whose numbers stand in the ledger: the one that speaks most against the claim.

        The worst of those that fail; else of those that are undecided; else the one that
        holds with the least margin.
        """
        return max(self.parts, key=against)

    @property
    def best(self) -> Part:
        """The part that holds with the largest margin, or what comes nearest to it."""
        return min(self.parts, key=lambda part: (against(part)[0] or 3, against(part)[1]))


def against(part: Part) -> tuple[int, float]:
    """Return what orders parts by how much they speak against their claim; vacuous ones least."""
    rank = ("vacuous", "holds", "undecided", "fails").index(part.status)
    return rank, -math.inf if math.isnan(part.excess) else part.excess


@dataclass(frozen=True)
class Claim:
    """A statement that data can decide."""

    where: str
    """Where the paper makes it."""
    statement: str
    """In our words."""
    rule: str
    """When a part holds and when it fails: declared before data are read."""
    measure: Callable[[Evidence], Finding] = field(repr=False)
    evidence: str = ""
    """Path of the table behind it, where that is not the first experiment's summary."""
    kind: Kind = "pattern"
    """``theorem``: one counterexample refutes it.  ``bound``: a theorem that the parts hold as
    ratios to its bound.  ``identity``: nothing could fail but the code."""
    ours: bool = False
    """Whether the question is ours, though the claim is among the paper's."""
    misses: str = ""
    """Why the rule misses a violation by a factor 2 more often than not, where it does."""


def below(
    name: str, estimate: float, low: float, high: float, limit: float, stake: float = math.nan
) -> Part:
    """Make a part that says: the estimate lies below a limit."""
    status: Status = "holds" if high < limit else "fails" if low > limit else "undecided"
    return Part(name, estimate, low, high, status, limit, most=limit, stake=stake)


def above(
    name: str, estimate: float, low: float, high: float, limit: float, stake: float = math.nan
) -> Part:
    """Make a part that says: the estimate lies above a limit."""
    status: Status = "holds" if low > limit else "fails" if high < limit else "undecided"
    return Part(name, estimate, low, high, status, limit, least=limit, stake=stake)


def within(
    name: str,
    estimate: float,
    low: float,
    high: float,
    least: float,
    most: float,
    limit: float = math.nan,
) -> Part:
    """Make a part that says: the estimate lies between two limits, around a third perhaps."""
    if low >= least and high <= most:
        status: Status = "holds"
    elif high < least or low > most:
        status = "fails"
    else:
        status = "undecided"
    detail = f"between {least:.4g} and {most:.4g}"
    return Part(name, estimate, low, high, status, limit, detail, least, most)


def share_of(name: str, successes: int, trials: int, *, least: float = 0, most: float = 1) -> Part:
    """Make a part that says: a probability lies above or below a limit (Wilson's interval)."""
    from penalized_bandits.statistics.estimates import wilson

    interval = wilson(successes, trials).interval
    part = above(name, *interval, least) if least > 0 else below(name, *interval, most)
    return replace(part, trials=trials)


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
    raw, adjusted = (p_holds, p_fails), (holm(p_holds), holm(p_fails))
    for part, holds, fails, yes, no in zip(parts, *raw, *adjusted, strict=True):
        status: Status = "holds" if yes < level else "fails" if no < level else "undecided"
        decided.append(replace(part, status=status, p_holds=float(holds), p_fails=float(fails)))
    return tuple(decided)


def slack_of(parts: Sequence[Part]) -> float:
    """Return the least slack of the parts that hold: how far away the nearest bound is."""
    found = [p.slack for p in parts if p.status == "holds" and not math.isnan(p.slack)]
    return min(found, default=math.nan)


def verdict_of(parts: Sequence[Part], kind: Kind = "pattern") -> Verdict:
    """Return the verdict that parts amount to.

    It depends on which statuses there are, never on how many of each: to split an easy part
    into two changes nothing.  Vacuous parts count for nothing.

    - ``not reproduced``: some part fails and none holds; or, of a theorem, a bound or an
      identity, any part fails: one counterexample refutes it;
    - ``partly``: parts hold, others fail or are undecided;
    - ``undecided``: none holds and none fails;
    - where all parts hold: ``identity`` if nothing else was possible, ``consistent`` if the
      nearest bound is at least ``FAR`` times what is measured, else ``reproduced``.
    """
    found = {part.status for part in parts}
    if "fails" in found and ("holds" not in found or kind != "pattern"):
        return "not reproduced"
    if "holds" not in found:
        return "undecided"
    if found & {"fails", "undecided"}:
        return "partly"
    if kind == "identity":
        return "identity"
    return "consistent" if kind == "bound" and slack_of(parts) >= FAR else "reproduced"
