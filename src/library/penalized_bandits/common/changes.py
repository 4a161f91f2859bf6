"""What an event changes, computed on the side, so that it happens whole or not at all.

A change ``(where, key, value)`` stands for ``where[key] = value``.  Values never depend on what
``where`` holds then: applied once more, from the first one on, changes give the same.
"""

from collections.abc import Iterable
from typing import Any, TypeAlias

Change: TypeAlias = tuple[Any, Any, Any]

GONE = object()  # the value of a key that goes


def apply(changes: Iterable[Change]) -> None:
    """Carry out changes in order."""
    for where, key, value in changes:
        if value is GONE:
            where.pop(key, None)
        else:
            where[key] = value
