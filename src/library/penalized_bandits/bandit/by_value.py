"""Frozen dataclasses with arrays: compared, hashed, copied and printed by their parameters."""

from dataclasses import dataclass, fields
from functools import partial
from typing import Any

import numpy as np

MOST, MOST_OF_ONE = 300, 60
"""Characters of a ``repr``; where it has more, of the text of each of up to four parameters."""


@dataclass(frozen=True, eq=False, repr=False)
class ByValue:
    """A frozen dataclass whose fields may be arrays; None stands for what is not given."""

    def _given(self) -> dict[str, Any]:
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        return {name: value for name, value in values.items() if value is not None}

    def __reduce__(self) -> tuple[Any, ...]:
        """Copy and pickle by the parameters: arrays of a copy are read-only too."""
        return partial(type(self), **self._given()), ()

    def _key(self) -> dict[str, Any]:
        # With 0.0 added, as -0.0 equals it but has other bytes.
        values = self._given().items()
        return {n: (v.shape, (v + 0.0).tobytes()) if hasattr(v, "shape") else v for n, v in values}

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(tuple(self._key().items()))

    def __repr__(self) -> str:
        # Rows that there is no room for are not written at all.
        values = self._given().items()
        text = {n: repr(v[:MOST].tolist() if hasattr(v, "shape") else v) for n, v in values}
        if sum(len(name) + len(part) + 3 for name, part in text.items()) > MOST - 20:
            cut = MOST_OF_ONE - 3
            text = {n: t if len(t) <= MOST_OF_ONE else f"{t[:cut]}..." for n, t in text.items()}
        return f"{type(self).__name__}({', '.join(f'{n}={t}' for n, t in text.items())})"


def parameters_of(rewards: object) -> dict[str, Any]:
    """Return the parameters of a reward family besides the means, as JSON has them."""
    given = {name: value for name, value in vars(rewards).items() if value is not None}
    return {n: v.tolist() if isinstance(v, np.ndarray) else v for n, v in given.items()}
