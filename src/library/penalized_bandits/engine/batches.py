"""Arms of a large batch at which its slots need not look.

A slot looks at each arm once.  Of a batch it need not, where index and urgency never fall unless
the arm is pulled (``Hints.index_is_nondecreasing``): of the arms with the m largest indices one at
least is not pulled before the last of m slots, so that only arms can be pulled whose index in that
slot reaches the m-th largest of now; and of arms that are alike in all only the first m.  Halving a
batch of K slots again and again thus takes K log K looks in all, as long as no arms but those that
are alike have equal indices.
"""

import numpy as np

from penalized_bandits.common.typing import BoolArray, FloatArray

MARGIN = 1e-9
"""Relative margin of bounds: far more than rounding can make of them."""


def contenders(now: FloatArray, then: FloatArray, size: int) -> BoolArray:
    """Return which arms, (K,), may be pulled in the next ``size`` slots.

    ``now`` and ``then`` are urgency and index of each arm, (2, K), in the first and the last slot.
    """
    every = np.ones(now.shape[1], bool)
    if np.isnan((now, then)).any():
        return every
    left = ~every
    for low, high in zip(now, then, strict=True):
        least = np.partition(low, -size)[-size]
        if least > -np.inf:
            bound = least - MARGIN * (1.0 + abs(least)) if least < np.inf else least
            return left | (high >= bound)
        left |= high > -np.inf
    return every


def first_alike(facts: FloatArray, most: int) -> BoolArray:
    """Return which arms, (K,), have fewer than ``most`` before them with the same facts (.., K)."""
    order, place = np.lexsort(facts), np.arange(facts.shape[1])
    new = (np.diff(facts[:, order], prepend=np.nan) != 0).any(axis=0)
    rank = place - np.maximum.accumulate(np.where(new, place, 0))
    left = np.zeros(len(place), bool)
    left[order[rank < most]] = True
    return left
