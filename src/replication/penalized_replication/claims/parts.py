"""Parts of a claim: one comparison of an estimate with a limit, in one case.

The interval of a part alone decides its status.  A part holds fields, not sentences: its name
and the sentence beside it are rendered in :mod:`.ledger.render`.
"""

import dataclasses
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from penalized_bandits.common.numbers import format_number
from penalized_bandits.common.typing import FloatArray
from penalized_bandits.policies import PAPER_POLICY, POLICIES
from penalized_replication.storage.replicates import Outcome

Status = Literal["holds", "fails", "negligible", "undecided", "vacuous"]
Interval = tuple[float, float, float]
"""Estimate and the two ends of its interval."""
NEGLIGIBLE = 0.01
"""A difference is negligible if its whole interval is within this share of its scale."""
LEVEL = 0.05
"""Of all tests that decide a claim together."""
Fields = dict[str, Any]
"""Fields of a part that say what it is about, by name: ``case``, ``label``, ``arm`` ..."""


@dataclass(frozen=True, kw_only=True)
class Part:
    """One comparison of an estimate with its limits, in one case."""

    estimate: float
    low: float
    high: float
    """Interval of the estimate; equal to it where nothing is random."""
    status: Status
    quantity: str = ""
    """What is estimated, in a claim that compares several quantities."""
    case: str = ""
    """Id of the case in the tables."""
    label: str = ""
    """The case for reading."""
    policy: str = ""
    rival: str = ""
    """The policy that it is compared with."""
    arm: int | None = None
    """From 1."""
    horizon: int | None = None
    limit: float = math.nan
    """What the estimate is compared with, where that is one number."""
    least: float = -math.inf
    most: float = math.inf
    """The part holds where the estimate lies between these."""
    reference_scale: float = math.nan
    """What 100 % of a difference would be, in the unit of the estimate."""
    trials: int = 0
    """Replicates of which the estimate is a share; 0 where it is no share."""
    p_holds: float = math.nan
    """One-sided p-value, small where the statement is supported, of a part that is decided with
    its family (:func:`by_p_values`)."""
    p_fails: float = math.nan
    """Small where the opposite is supported."""
    measured: float = math.nan
    predicted: float = math.nan
    """Both, where a part compares the two: by their ratio, or the measured one itself."""
    asymptote: float = math.nan
    """What ``measured`` tends to as T grows, where that is known."""
    reason: str = ""
    """Why a part is vacuous, or cannot be decided."""
    values: Mapping[str, Any] = field(default_factory=dict)
    """More numbers, for the sentence beside the part."""
    detail: str = ""
    """A sentence for reading; empty until the ledger is written."""

    @property
    def name(self) -> str:
        """The part for reading: ``K = 5, τ = 0.2 against LFG at T = 1,000``."""
        policy = self.policy if self.policy != PAPER_POLICY or not self.label else ""
        places = [self.label or self.case, name_of(policy) if policy else ""]
        if self.arm is not None:
            places.append(f"arm {self.arm}")
        text = ", ".join(filter(None, places))
        if self.rival:
            text += f" against {name_of(self.rival)}"
        if self.horizon is not None:
            text += f"{' at ' if text else ''}T = {format_number(self.horizon)}"
        if self.quantity:
            text += f": {self.quantity}" if text else self.quantity
        return text

    @property
    def key(self) -> tuple[str, str, str, str, int | None, int | None]:
        """Fields that identify a part of a claim."""
        return self.quantity, self.case, self.policy, self.rival, self.arm, self.horizon

    @property
    def bound_ratio(self) -> float:
        """Upper bound over the measured value, or that over a lower bound; NaN if undefined."""
        if self.trials or not math.isnan(self.reference_scale) or self.estimate <= 0:
            return math.nan
        if math.isinf(self.least) and 0 < self.most < math.inf:
            return self.most / self.estimate
        if math.isinf(self.most) and 0 < self.least < math.inf:
            return self.estimate / self.least
        return math.nan

    @property
    def margin(self) -> float:
        """Distance of the estimate beyond its limits, as a share of what it is compared with.

        Negative inside the limits; NaN without limits.
        """
        over, under = self.estimate - self.most, self.least - self.estimate
        beyond, unit = (over, abs(self.most)) if over >= under else (under, abs(self.least))
        if math.isinf(beyond):
            return math.nan
        if not math.isnan(self.reference_scale):
            unit = self.reference_scale
        elif self.trials or unit == 0:
            unit = 1.0
        return beyond / unit if unit else math.nan

    @property
    def effect(self) -> float:
        """The difference as a share of its reference scale; NaN without one."""
        return self.estimate / self.reference_scale if self.reference_scale else math.nan

    def to_json(self) -> dict[str, Any]:
        """Return the fields, those with their default value left out."""
        fields = ((f.name, getattr(self, f.name), f.default) for f in dataclasses.fields(self))
        always = ("estimate", "low", "high", "status")
        return {
            name: value
            for name, value, default in fields
            if name in always or not (value == default or value != value or value == {})
        }

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> "Part":
        """Return the part that `to_json` wrote; None stands for NaN."""
        fields: Fields = {name: math.nan if v is None else v for name, v in values.items()}
        return cls(**fields)


def name_of(policy: str) -> str:
    """Return the label of a policy; of an unknown one the id itself."""
    return POLICIES[policy].label if policy in POLICIES else policy


def about(outcome: Outcome) -> Fields:
    """Return the fields of a part that is about an outcome."""
    return Fields(
        case=outcome.case, label=outcome.info.label, policy=outcome.policy, horizon=outcome.horizon
    )


def exact(value: float) -> Interval:
    """Return the interval of a number about which nothing is random."""
    return value, value, value


def _part(interval: Interval, holds: bool, fails: bool, **fields: Any) -> Part:
    estimate, low, high = (float(value) for value in interval)
    return Part(estimate=estimate, low=low, high=high, status=_status(holds, fails), **fields)


def _status(holds: bool, fails: bool) -> Status:
    return "holds" if holds else "fails" if fails else "undecided"


def below(interval: Interval, limit: float, scale: float = math.nan, **fields: Any) -> Part:
    """Return a part that holds if the whole interval lies below a limit, fails if above."""
    fields |= {"limit": limit, "most": limit, "reference_scale": scale}
    return _part(interval, interval[2] < limit, interval[1] > limit, **fields)


def above(interval: Interval, limit: float, scale: float = math.nan, **fields: Any) -> Part:
    """Return a part that holds if the whole interval lies above a limit, fails if below."""
    fields |= {"limit": limit, "least": limit, "reference_scale": scale}
    return _part(interval, interval[1] > limit, interval[2] < limit, **fields)


def within(
    interval: Interval, least: float, most: float, limit: float = math.nan, **fields: Any
) -> Part:
    """Return a part that holds if the whole interval is between two limits, fails if outside."""
    _, low, high = interval
    inside, outside = low >= least and high <= most, high < least or low > most
    return _part(interval, inside, outside, limit=limit, least=least, most=most, **fields)


def frequency(events: ArrayLike, *, least: float = 0, most: float = 1, **fields: Any) -> Part:
    """Return a part on how often something happens, in replicates (R,), by Wilson's interval."""
    from penalized_bandits.statistics.estimates import wilson

    trials = np.size(events)
    interval = wilson(int(np.sum(events)), trials).interval
    part = above(interval, least, **fields) if least > 0 else below(interval, most, **fields)
    return replace(part, trials=trials)


def exactly(holds: bool, value: float, limit: float = math.nan, **fields: Any) -> Part:
    """Return a part about which nothing is random, and which has no limit that can be missed."""
    return _part(exact(value), holds, not holds, limit=limit, **fields)


def unknown(reason: str, **fields: Any) -> Part:
    """Return a part that cannot be decided, with the reason."""
    return _part(exact(math.nan), False, False, reason=reason, **fields)


def vacuous(part: Part, reason: str) -> Part:
    """Return a part that holds as one that could not have failed, or whose limit says nothing."""
    return irrelevant(part, reason) if part.status == "holds" else part


def irrelevant(part: Part, reason: str) -> Part:
    """Return a part as one about which the claim says nothing, whatever was measured."""
    return replace(part, status="vacuous", reason=reason)


def unless_negligible(part: Part, intervals: FloatArray | None = None) -> Part:
    """Return a difference, as negligible if its interval, or all ``intervals``, is within 1 %."""
    ends = np.array([part.low, part.high]) if intervals is None else intervals
    small = np.abs(ends).max() < NEGLIGIBLE * part.reference_scale
    return replace(part, status="negligible") if small else part


def by_p_values(parts: Sequence[Part], level: float = LEVEL) -> tuple[Part, ...]:
    """Decide a family of parts by their p-values, Holm-adjusted in each direction."""
    from penalized_bandits.statistics.estimates import holm

    adjusted = holm([part.p_holds for part in parts]), holm([part.p_fails for part in parts])
    decided = zip(parts, *adjusted, strict=True)
    return tuple(replace(p, status=_status(yes < level, no < level)) for p, yes, no in decided)


def against(part: Part) -> tuple[int, float]:
    """Return what orders parts by how much they speak against their claim; vacuous ones least."""
    rank = ("vacuous", "holds", "negligible", "undecided", "fails").index(part.status)
    return rank, -math.inf if math.isnan(part.margin) else part.margin
