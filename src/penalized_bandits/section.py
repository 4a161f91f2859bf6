"""A part of the config: what each model of its keys is made from."""

import reprlib

from pydantic import BaseModel, ConfigDict

_SHORT = reprlib.Repr()
_SHORT.maxstring = _SHORT.maxother = _SHORT.maxlong = 120
_SHORT.maxlist = _SHORT.maxdict = _SHORT.maxtuple = _SHORT.maxset = 12
_SHORT.maxlevel = 3


class Section(BaseModel):
    """A part of the config: unknown keys and wrong types are errors."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


def brief(value: object) -> str:
    """Return the ``repr`` of a value, cut short however large or nested it is."""
    try:
        text = _SHORT.repr(value)
    except ValueError:
        # A whole number of thousands of digits.
        text = f"{type(value).__name__} too long to show"
    return text if len(text) <= 120 else f"{text[:117]}..."
