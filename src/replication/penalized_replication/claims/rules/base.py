"""What a rule is: parameters that decide comparisons, and the sentence that follows from them."""

import dataclasses
import json
import math
from abc import ABC, abstractmethod
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from penalized_bandits.common.files import digest
from penalized_bandits.common.numbers import CONFIDENCE
from penalized_replication.claims.comparisons import (
    Comparison,
    Measurement,
    Status,
    against,
    exact,
)

LEVEL = round(1 - CONFIDENCE, 12)


@dataclass(frozen=True, kw_only=True)
class Rule(ABC):
    """When a comparison holds and when it fails; a class for each form of data.

    Whoever changes what a class decides gives it another version: `digest_of` has the version and
    all parameters, and a test compares the code of each class with that of its version.
    """

    of: str
    """What is estimated, with its unit."""
    over: str
    """Where: cases, policies and horizons."""
    level: float = LEVEL
    """Of the interval of a comparison, or of all tests that decide the claim together."""
    version: ClassVar[int] = 1

    @property
    def quantity(self) -> str:
        """What the estimate is, with its unit."""
        return self.of

    @property
    def can_fail(self) -> bool:
        """Whether a comparison can fail."""
        return True

    @abstractmethod
    def _condition(self) -> str:
        """Return when a comparison holds and when it fails."""

    @abstractmethod
    def _compare(self, measurement: Measurement) -> Comparison:
        """Return the comparison of a measurement that has data."""

    def decide(self, measurements: Sequence[Measurement], shared: int = 1) -> list[Comparison]:
        """Return the comparison of each measurement.

        A rule with a family of tests decides them together here, at its level divided by
        ``shared``, the number of runs among which a confirmation divides it.
        """
        del shared
        return self._each(measurements)

    def _each(self, measurements: Sequence[Measurement]) -> list[Comparison]:
        """Return the comparison of each measurement; undecided without data."""
        return [
            m.compared(exact(math.nan), "undecided") if m.data is None else self._compare(m)
            for m in measurements
        ]

    def facts(self, measurements: Sequence[Measurement]) -> dict[str, Any]:
        """Return numbers for the note that depend on the rule's parameters."""
        del measurements
        return {}

    @property
    def sentence(self) -> str:
        """The rule for reading."""
        return f"{self.over}: {self.of} {self._condition()}."


def status_of(holds: bool, fails: bool) -> Status:
    """Return the status of a comparison that holds, fails, or does neither."""
    return "holds" if holds else "fails" if fails else "undecided"


def decided(rule: Rule, measurements: Sequence[Measurement], shared: int = 1) -> list[Comparison]:
    """Return the comparisons of a rule, one for each group of measurements."""
    found: list[Comparison] = []
    groups: dict[Hashable, Comparison] = {}
    made = rule.decide(measurements, shared)
    for measurement, comparison in zip(
        measurements, map(_counted, measurements, made), strict=True
    ):
        if measurement.group is None:
            found.append(comparison)
            continue
        other = groups.get(measurement.group)
        if other is None or _rank(comparison) > _rank(other):
            groups[measurement.group] = comparison
    return [*found, *groups.values()]


def _rank(comparison: Comparison) -> tuple[tuple[int, float], float]:
    return against(comparison), comparison.high


def _counted(measurement: Measurement, comparison: Comparison) -> Comparison:
    """Return a comparison as vacuous where the claim says nothing, or it could not have failed."""
    silent = measurement.counts == "never"
    certain = measurement.counts == "if it fails" and comparison.status == "holds"
    reason = measurement.reason or comparison.reason
    vacuous = replace(comparison, status="vacuous", reason=reason)
    return vacuous if silent or certain else comparison


def identity(rule: Rule) -> str:
    """Return a rule's class, version and parameters as text."""
    values = {"rule": type(rule).__name__, "version": rule.version, **dataclasses.asdict(rule)}
    return json.dumps(values, sort_keys=True, ensure_ascii=False)


def digest_of(text: str, rules: Mapping[str, Rule]) -> str:
    """Return the digest of a claim's own text and of the rules that decide it."""
    texts = [f"{key}: {identity(rule)}" for key, rule in rules.items()]
    return digest("\n".join([text, *texts]), 12)
