"""Measure claims, and decide them: from replicates to parts, from parts to verdicts."""

from dataclasses import replace
from typing import Any

from penalized_replication.claims import claim, entry_of
from penalized_replication.claims.base import verdict_of
from penalized_replication.claims.evidence import Evidence
from penalized_replication.claims.parts import Part
from penalized_replication.claims.power import power_of
from penalized_replication.claims.results import ClaimResult
from penalized_replication.common.errors import ClaimError, NotMeasuredError


def measure(identifier: str, evidence: Evidence) -> ClaimResult:
    """Measure a claim; where the config provides too little data, the result says what is missing.

    Raises ClaimError if two parts have the same fields.
    """
    experiments = ", ".join(entry_of(identifier).experiments)
    parts: dict[Any, Part] = {}
    facts: dict[str, Any] = {}
    missing = f"no case of {experiments} meets the statement's conditions"
    try:
        for item in claim(identifier).measure(evidence):
            if isinstance(item, Part):
                if item.key in parts:
                    raise ClaimError(f"{identifier} has two parts {item.key}")
                parts[item.key] = item
            else:
                facts |= item
    except NotMeasuredError as error:
        parts, missing = {}, f"{error} (it is measured on {experiments})"
    if not parts:
        return ClaimResult(identifier, missing=missing)
    return ClaimResult(identifier, tuple(parts.values()), facts)


def decide(result: ClaimResult) -> ClaimResult:
    """Return a measured result with its verdict, and the power of its rule."""
    verdict = verdict_of(result.parts, claim(result.id).kind)
    detection, weakest = power_of(result.parts)
    return replace(result, verdict=verdict, detection=detection, weakest=weakest)
