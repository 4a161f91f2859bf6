"""Rewards in [0, 1] counted by value, so that an arm's law is a few numbers."""

import math

STEPS = 20
"""Values are counted on 0, 1/20, ..., 1: exact for stars in quarters, fifths, tenths."""


def twentieth(reward: float) -> tuple[int, float]:
    """Return the value i that a reward, i / ``STEPS``, counts for, and the part that i + 1 has.

    One between two values counts for both in parts that keep its mean, so that its law is
    spread and the bound too large rather than too small; one outside [0, 1] at the nearest end.
    """
    place = (reward if 0.0 <= reward <= 1.0 else 0.0 if reward < 0.0 else 1.0) * STEPS
    value = math.floor(place + 0.5)
    if abs(place - value) < 1e-6:
        return value, 0.0
    value = math.floor(place)
    return value, place - value
