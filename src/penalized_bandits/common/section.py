"""A part of the config: what each model of its keys is made from."""

import reprlib

from pydantic import BaseModel, ConfigDict

_SHORT = reprlib.Repr()
_SHORT.maxstring = _SHORT.maxother = 120
_SHORT.maxlevel = 2


class Section(BaseModel):
    """A part of the config: unknown keys and wrong types are errors."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


def brief(value: object) -> str:
    """Return the ``repr`` of a value, cut short however large or nested it is."""
    return _SHORT.repr(value)
