"""Logged rewards: which arm each row is of, and counts by value, so that a law is few numbers."""

import math
from collections.abc import Hashable
from typing import Any

import numpy as np

from penalized_bandits.bandit.checks import is_row, numbers
from penalized_bandits.common.errors import LARGEST, BanditError, within
from penalized_bandits.common.typing import FloatArray, IntArray

STEPS = 20
"""Values are counted on 0, 1/20, ..., 1: exact for stars in quarters, fifths, tenths."""


def _column(frame: Any, name: str) -> list[Any]:
    try:
        column = frame[name]
    except Exception:  # each library has an error of its own
        known = "it must be a dict of lists or a DataFrame that has it"
        raise BanditError(f"frame has no column {name!r}: {known}") from None
    if not is_row(column):
        raise BanditError(f"column {name!r} is {column!r:.80}: it must be a list, a value a row")
    if getattr(getattr(column, "dtype", None), "kind", "") in ("m", "M"):
        # Of ns the next line makes whole numbers; a missing date does not equal itself.
        return [str(x) if x == x else None for x in column]
    # Python's own types, which print as they were written.
    return [x.item() if isinstance(x, np.generic) else x for x in column]


def logged(frame: Any, arm: str, reward: str) -> tuple[tuple[Hashable, ...], IntArray, FloatArray]:
    """Return the names of K arms, sorted, and each row's arm and reward, (N,); or BanditError."""
    names, rewards = _column(frame, arm), _column(frame, reward)
    if not len(names) == len(rewards) > 0:
        sizes = f"{len(names)} and {len(rewards)} rows"
        raise BanditError(f"columns {arm!r} and {reward!r} have {sizes}: as many, and one at least")
    try:
        values = numbers(f"column {reward!r}", rewards)
    except BanditError:
        row = next(i for i, x in enumerate(rewards) if not within(x, -LARGEST, LARGEST))
        raise BanditError(
            f"row {row} of column {reward!r} is {rewards[row]!r:.80}: a reward must be a finite "
            f"number, at most {LARGEST:g} in size"
        ) from None
    if values.ndim != 1:
        raise BanditError(f"column {reward!r} must have one number a row")
    try:
        distinct = set(names)
        # A missing value does not equal itself.
        for name in (name for name in distinct if name is None or (name == name) is not True):
            row = next(i for i, other in enumerate(names) if other is name)
            raise BanditError(f"row {row} of column {arm!r} is {name!r}, no arm")
        place = {name: k for k, name in enumerate(sorted(distinct))}
    except TypeError as error:
        raise BanditError(f"column {arm!r} must hold texts or numbers alone: {error}") from None
    return (*place,), np.array([place[name] for name in names]), values


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
