"""A part of the config: what each model of its keys is made from."""

import reprlib
from collections.abc import Iterator, Mapping
from typing import Any

from pydantic import BaseModel, ConfigDict

_SHORT = reprlib.Repr()
_SHORT.maxstring = _SHORT.maxother = 120
_SHORT.maxlevel = 2


class Section(BaseModel):
    """A part of the config: unknown keys and wrong types are errors.

    Its checks are built when it is first used: a job uses few of the sections.
    """

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, defer_build=True)

    def model_post_init(self, _context: Any, /) -> None:
        """Check all keys together, once each is right."""
        self._check()

    def _check(self) -> None:
        """Raise ValueError if values of several keys do not fit together."""


def brief(value: object) -> str:
    """Return the ``repr`` of a value, cut short however large or nested it is."""
    return _SHORT.repr(value)


def leaves(values: Mapping[str, Any], before: str = "") -> Iterator[tuple[str, Any]]:
    """Yield the values of nested sections, each by its key in one piece: ``pages.notebooks``."""
    for key, value in values.items():
        if isinstance(value, Mapping) and value:
            yield from leaves(value, f"{before}{key}.")
        else:
            yield f"{before}{key}", value
