"""Frozen dataclasses with arrays: compared, hashed, copied and printed by their parameters."""

from dataclasses import dataclass, fields
from typing import Any

import numpy as np

MOST, MOST_OF_ONE = 300, 60
"""Characters of a ``repr``; where it has more, of the text of each of up to four parameters."""


@dataclass(frozen=True, eq=False, repr=False)
class ByValue:
    """A frozen dataclass whose fields may be arrays; None stands for what is not given."""

    def __reduce__(self) -> tuple[Any, ...]:
        """Copy and pickle by the parameters: arrays of a copy are read-only too."""
        return type(self), tuple(getattr(self, field.name) for field in fields(self))

    def _key(self) -> tuple[Any, ...]:
        # Of numbers, not of bytes: 0.0 and -0.0 are equal.
        given = self.__reduce__()[1]
        return tuple(
            (v.shape, *v.ravel().tolist()) if isinstance(v, np.ndarray) else v for v in given
        )

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def __repr__(self) -> str:
        given = {field.name: getattr(self, field.name) for field in fields(self)}
        # Rows that there is no room for are not written at all.
        text = {
            name: repr(value[:MOST].tolist() if isinstance(value, np.ndarray) else value)
            for name, value in given.items()
            if value is not None
        }
        if sum(len(name) + len(part) + 3 for name, part in text.items()) > MOST - 20:
            text = {
                n: t if len(t) <= MOST_OF_ONE else f"{t[: MOST_OF_ONE - 3]}..."
                for n, t in text.items()
            }
        return f"{type(self).__name__}({', '.join(f'{n}={t}' for n, t in text.items())})"
