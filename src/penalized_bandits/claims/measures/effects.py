"""The size of a difference, as a share of its reference scale."""

from dataclasses import replace

import numpy as np

from penalized_bandits.claims.parts import Part
from penalized_bandits.common.typing import FloatArray

NEGLIGIBLE = 0.01
"""A difference is negligible if its whole interval is within this share of its scale."""


def unless_negligible(part: Part, intervals: FloatArray | None = None) -> Part:
    """Return the part on a difference; as negligible if all its intervals are within 1 %.

    ``intervals`` has the ends wherever the difference is taken; by default they are the part's.
    """
    ends = np.array([part.low, part.high]) if intervals is None else intervals
    small = np.abs(ends).max() < NEGLIGIBLE * part.reference_scale
    return replace(part, status="negligible") if small else part
