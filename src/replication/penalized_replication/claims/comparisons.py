"""Comparisons of a claim: what is measured, in one case, beside the limits of a rule.

A measuring function yields measurements; the claim's rule makes comparisons of them, and alone
decides their status (:mod:`.rules`).  Sentences beside them are rendered in :mod:`.table.render`.
"""

import math
from collections.abc import Hashable, Iterator, Mapping
from dataclasses import KW_ONLY, dataclass, field, fields, replace
from typing import Any, Literal

from penalized_bandits.common.numbers import format_number
from penalized_bandits.policies import PAPER_POLICY, POLICIES
from penalized_replication.storage.replicates import Outcome

Status = Literal["holds", "fails", "negligible", "undecided", "vacuous"]
Interval = tuple[float, float, float]
"""Estimate and the two ends of its interval."""


@dataclass(frozen=True, kw_only=True)
class Place:
    """What a comparison is about; it identifies the comparison in its claim."""

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

    @property
    def key(self) -> tuple[str, str, str, str, int | None, int | None]:
        """Fields that identify a comparison of a claim."""
        return self.quantity, self.case, self.policy, self.rival, self.arm, self.horizon

    @property
    def name(self) -> str:
        """The place for reading: ``K = 5, τ = 0.2 against LFG at T = 1,000``."""
        policy = self.policy if self.policy != PAPER_POLICY or not self.label else ""
        arm = "" if self.arm is None else f"arm {self.arm}"
        text = ", ".join(filter(None, (self.label or self.case, name_of(policy), arm)))
        text += f" against {name_of(self.rival)}" if self.rival else ""
        at = "" if self.horizon is None else f"T = {format_number(self.horizon)}"
        return ": ".join(filter(None, (" at ".join(filter(None, (text, at))), self.quantity)))


@dataclass(frozen=True)
class Measurement:
    """What a measuring function yields for one comparison: data for a rule, not a decision."""

    data: Any
    """What the rule decides by: its class says the form; None where nothing can be decided."""
    place: Place = Place()
    _: KW_ONLY
    rule: str | None = None
    """Key of the rule, of a claim with several; by default the quantity."""
    group: Hashable = None
    """Of measurements with the same group, other than None, the claim has one comparison: the one
    that speaks most against it."""
    unit: float = 1.0
    origin: float = 0.0
    """The limits of the rule are multiples of the unit, from the origin on."""
    scale: float = math.nan
    """What 100 % of a difference would be, in the unit of the estimate."""
    measured: float = math.nan
    predicted: float = math.nan
    asymptote: float = math.nan
    """As in `Comparison`."""
    reason: str = ""
    """Remark; or why the measurement decides nothing."""
    counts: Literal["always", "if it fails", "never"] = "always"
    values: Mapping[str, Any] = field(default_factory=dict)
    """More numbers, for the sentence beside the comparison."""

    def silent(self, reason: str, *, when: bool = True) -> "Measurement":
        """Return it as one of which the claim does not speak, if so: it never counts."""
        return replace(self, reason=reason, counts="never") if when else self

    def certain(self, reason: str, *, when: bool = True) -> "Measurement":
        """Return it as one that cannot fail, if so and the code is right: it counts if it does."""
        return replace(self, reason=reason, counts="if it fails") if when else self

    def undecided(self, reason: str, *, when: bool = True) -> "Measurement":
        """Return it as one that cannot be decided, if so."""
        return replace(self, data=None, reason=reason) if when else self

    def compared(self, interval: Interval, status: Status, **limits: Any) -> "Comparison":
        """Return the comparison with an interval and a status; ``limits`` are fields of it."""
        estimate, low, high = (float(value) for value in interval)
        same = ("measured", "predicted", "asymptote", "reason", "values")
        own = {name: getattr(self, name) for name in same}
        own |= {"reference_scale": self.scale, **vars(self.place), **limits}
        return Comparison(estimate=estimate, low=low, high=high, status=status, **own)


@dataclass(frozen=True, kw_only=True)
class Comparison(Place):
    """One comparison of an estimate with its limits, in one case."""

    estimate: float
    low: float
    high: float
    """Interval of the estimate; equal to it where nothing is random."""
    status: Status
    limit: float = math.nan
    """What the estimate is compared with, where that is one number."""
    least: float = -math.inf
    most: float = math.inf
    """The comparison holds where the estimate lies between these."""
    reference_scale: float = math.nan
    """What 100 % of a difference would be, in the unit of the estimate."""
    trials: int = 0
    """Replicates of which the estimate is a share; 0 where it is no share."""
    p_holds: float = math.nan
    """One-sided p-value, small where the statement is supported, if p-values decide."""
    p_fails: float = math.nan
    """Small where the opposite is supported."""
    measured: float = math.nan
    predicted: float = math.nan
    """Both, where the two are compared: by their ratio, or the measured one itself."""
    asymptote: float = math.nan
    """What ``measured`` tends to as T grows, where that is known."""
    reason: str = ""
    """Why it is vacuous, or cannot be decided."""
    values: Mapping[str, Any] = field(default_factory=dict)
    detail: str = ""
    """A sentence for reading; empty until the claims table is written."""

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
        """Distance of the estimate outside its limits, as a share of the reference value.

        Negative inside the limits; NaN without limits.
        """
        over, under = self.estimate - self.most, self.least - self.estimate
        outside, unit = (over, abs(self.most)) if over >= under else (under, abs(self.least))
        if math.isinf(outside):
            return math.nan
        if not math.isnan(self.reference_scale):
            unit = self.reference_scale
        elif self.trials or unit == 0:
            unit = 1.0
        return outside / unit if unit else math.nan

    @property
    def effect(self) -> float:
        """The difference as a share of its reference scale; NaN without one."""
        return self.estimate / self.reference_scale if self.reference_scale else math.nan

    def to_json(self) -> dict[str, Any]:
        """Return the fields, those with their default value left out."""
        default = {f.name: f.default for f in fields(self)}
        always = ("estimate", "low", "high", "status")
        return {
            name: value
            for name, value in vars(self).items()
            if name in always or (value == value and value not in (default[name], {}))
        }


Measured = Iterator[Measurement | dict[str, Any]]
"""Measurements, and facts: numbers for the claim's note and for figures."""


def name_of(policy: str) -> str:
    """Return the label of a policy; of an unknown one the id itself."""
    return POLICIES[policy].label if policy in POLICIES else policy


def place_of(
    run: Outcome, quantity: str = "", rival: str = "", arm: int | None = None, horizon: bool = True
) -> Place:
    """Return the place of an outcome; without its horizon, if the claim has one horizon."""
    about = {"case": run.case, "label": run.info.label, "policy": run.policy, "rival": rival}
    return Place(quantity=quantity, arm=arm, horizon=run.horizon if horizon else None, **about)


def exact(value: float) -> Interval:
    """Return the interval of a number about which nothing is random."""
    return value, value, value


def against(comparison: Comparison) -> tuple[int, float]:
    """Return the sort key of a comparison: those that speak most against their claim last."""
    rank = ("vacuous", "holds", "negligible", "undecided", "fails").index(comparison.status)
    return rank, -math.inf if math.isnan(comparison.margin) else comparison.margin
