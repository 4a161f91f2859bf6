"""The theory in numbers: measured, predicted by the fluid approximation, and the limit."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from penalized_bandits.claims.ledger.render import signed_percent
from penalized_bandits.claims.results import ClaimResult
from penalized_bandits.common.numbers import estimate, format_number
from penalized_bandits.pages.forest import worst_first


@dataclass(frozen=True)
class Prediction:
    """The part of a claim that is furthest from its prediction."""

    claim: str
    quantity: str
    where: str
    """The case, and the number of cases."""
    measured: str
    predicted: str
    limit: str
    ratio: str
    """Measured over predicted with its interval, if that is what decides."""


def predictions(results: Sequence[ClaimResult]) -> list[Prediction]:
    """Return the predictions of all claims that have one."""
    found = []
    for result in results:
        parts = [p for p in worst_first(result.parts) if not math.isnan(p.predicted)]
        for part in parts[:1]:
            decides = not math.isnan(part.measured)
            prediction = Prediction(
                result.id,
                part.quantity or result.quantity,
                part.name + (f", furthest of {len(parts)}" if len(parts) > 1 else ""),
                format_number(part.measured if decides else part.estimate),
                format_number(part.predicted),
                format_number(part.asymptote) or "none",
                estimate(part.estimate, part.low, part.high) if decides else "",
            )
            found.append(prediction)
    return found


def effect_range(result: ClaimResult, scale: str) -> str:
    """Return the least and the largest difference of a claim as shares of its reference scale.

    ``scale`` is the name of the scale.  Empty without one.
    """
    effects = [part.effect for part in result.parts if not math.isnan(part.effect)]
    if not effects:
        return ""
    low, high = (signed_percent(effect, 1) for effect in (min(effects), max(effects)))
    return f"{low} to {high} of {scale}, over {len(effects)} comparisons"
