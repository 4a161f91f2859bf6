"""A part of the config: what each model of its keys is made from."""

import reprlib

from pydantic import BaseModel, ConfigDict


class _Short(reprlib.Repr):
    def repr_int(self, x: int, level: int) -> str:
        # Python refuses to write thousands of digits, or names an address in the memory.
        return "int too long to show" if x.bit_length() > 2_000 else super().repr_int(x, level)


_SHORT = _Short()
_SHORT.maxstring = _SHORT.maxother = _SHORT.maxlong = 120
_SHORT.maxlist = _SHORT.maxdict = _SHORT.maxtuple = _SHORT.maxset = 12
_SHORT.maxlevel = 3


class Section(BaseModel):
    """A part of the config: unknown keys and wrong types are errors."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


def brief(value: object) -> str:
    """Return the ``repr`` of a value, cut short however large or nested it is."""
    text = _SHORT.repr(value)
    return text if len(text) <= 120 else f"{text[:117]}..."
