"""The size of a difference, as a share of its reference scale."""

from dataclasses import replace

from penalized_bandits.claims.parts import Part

NEGLIGIBLE = 0.01
"""A difference is negligible if its whole interval is within this share of its scale."""


def is_negligible(low: float, high: float, scale: float) -> bool:
    """Whether an interval is within 1 % of the reference scale."""
    return max(abs(low), abs(high)) < NEGLIGIBLE * scale


def unless_negligible(part: Part) -> Part:
    """Return the part on a difference; a negligible one decides nothing."""
    if part.reference_scale and is_negligible(part.low, part.high, part.reference_scale):
        return replace(part, status="undecided", reason="negligible")
    return part
