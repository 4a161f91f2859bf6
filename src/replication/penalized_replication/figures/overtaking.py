"""Where the hard threshold overtakes UCB1, in words: what figures, pages and the README say."""

import math
from collections.abc import Sequence

from penalized_replication.claims.comparisons import Comparison

CLAIM, COMMITTING = "C34", "C36"
FIGURE_1_ENDS = 16_000
FINDING = "Fair shares pay off, later than the paper shows"
"""The headline, where the curves cross at longer horizons than the paper's."""


def crossings(late: Sequence[Comparison]) -> list[Comparison]:
    """Return the comparisons of the claim on UCB1 that have a horizon, in order."""
    return [one for one in late if one.status == "holds" and not math.isnan(one.estimate)]


def is_drawn(case: str) -> bool:
    """Whether means are drawn for each replicate, as in a cell of Setting 1, by the case's id."""
    return case.startswith("K") and "_tau" in case


def rounded(value: float) -> str:
    """Write a horizon with three digits."""
    digits = 2 - math.floor(math.log10(value))
    return f"{value:.{digits}f}" if digits > 0 else f"{int(round(value, digits)):,}"
