"""How large a difference is, as a share of what is at stake."""

from dataclasses import replace

from penalized_bandits.claims.base import Part

NEGLIGIBLE = 0.01
"""A difference is negligible if its whole interval is within this share of its stake."""
VERSION = (
    "Judged is the arXiv version of the paper (2211.08311), whose abstract speaks of superiority "
    "and of a better trade-off; the abstract of the IEEE version (DOI 10.1109/TIT.2025.3525666) "
    "speaks of usefulness and of a good trade-off."
)


def percent(share: float) -> str:
    """Write a share that may have either sign in per cent."""
    return f"{share:+.2%}" if abs(share) >= 5e-5 else "0.00%"


def negligible(low: float, high: float, stake: float) -> bool:
    """Whether an interval is within 1 % of the stake."""
    return max(abs(low), abs(high)) < NEGLIGIBLE * stake


def sized(part: Part, of: str) -> Part:
    """Say in a part how large its difference is; one that is negligible decides nothing."""
    if part.stake == 0:
        return part
    detail = f"{percent(part.estimate / part.stake)} of {of}"
    if negligible(part.low, part.high, part.stake):
        return replace(part, status="undecided", detail=f"negligible: {detail}")
    return replace(part, detail=detail)
