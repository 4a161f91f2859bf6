"""Errors that name what is at fault and what would be right, and checks that raise them."""

from decimal import Decimal
from importlib import import_module
from numbers import Real
from typing import Any

LARGEST = 1e12
"""Means, penalty rates, standard deviations and tunings are no larger in size: sums over a run, and
their squares, stay finite, and a mean of order 1 keeps its first digits when a rate is added."""
TINY = 1e-300  # the least number that is above 0
MOST_ROUNDS = 2**31 - 1
"""Pulls and replicates are counted in 32 bits."""


class UserError(Exception):
    """An error whose message is all that a user needs: no traceback is shown."""


class BanditError(UserError, ValueError):
    """An instance, policy, tuning or simulation request that makes no sense.

    >>> issubclass(BanditError, ValueError)
    True
    """


class PlainPythonWarning(UserWarning):
    """A policy runs in plain Python, hundreds of times slower than a compiled one."""


class UnitRewardsWarning(UserWarning):
    """A policy that is made for rewards in [0, 1] meets some that may leave it."""


class ExplorationWarning(UserWarning):
    """A policy explores too little for the noise of the rewards."""


class LateRewardsWarning(UserWarning):
    """A live player has chosen an arm many times since a reward of it came."""


class WriteError(UserError, OSError):
    """A file that could not be written: the disk is full, or not writable."""


class MissingExtraError(UserError, ImportError):
    """An optional dependency that is not installed; the message has the command."""


def extra(name: str, module: str) -> Any:
    """Import a module of the extra ``name``; MissingExtraError if a package is missing."""
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        raise MissingExtraError(
            f"this needs {error.name!r}: pip install 'penalized-bandits[{name}]' "
            f"(of a checkout: './src/library[{name}]')"
        ) from None


def short_of_memory(error: BaseException | None) -> bool:
    """Return whether an error, or one behind it, is of the machine's memory, by type or words."""
    if error is None or isinstance(error, MemoryError):
        return error is not None
    signs = ("Cannot allocate memory", "failed to map segment", "can't start new thread")
    behind = error.__cause__ or error.__context__
    return any(sign in str(error) for sign in signs) or short_of_memory(behind)


def is_number(value: Any) -> bool:
    """Return whether a value is one real number of any type; texts, dates and arrays are none."""
    # NumPy counts differences of dates among the whole numbers.
    kind = getattr(getattr(value, "dtype", None), "kind", "")
    some = kind in tuple("biuf") if kind else isinstance(value, Real | Decimal)
    return some and not (getattr(value, "ndim", 0) or getattr(value, "mask", False))


def within(value: Any, low: float, high: float) -> bool:
    """Return whether a value is one number from ``low`` to ``high``; nan is not."""
    try:
        return is_number(value) and low <= float(value) <= high
    except OverflowError:
        return False


def whole(
    name: str, value: Any, least: int | None = None, most: int | None = None, why: str = ""
) -> int:
    """Return a whole number of any type, such as 1e4; BanditError if it is none or out of range."""
    truth = isinstance(value, bool) or getattr(getattr(value, "dtype", None), "kind", "") == "b"
    try:
        if truth or not is_number(value) or (number := int(value)) != value:
            raise ValueError
    except (ValueError, ArithmeticError):  # such as nan and infinity
        raise BanditError(f"{name} is {value!r:.80}: it must be a whole number") from None
    if least is not None and number < least:
        raise BanditError(f"{name} is {number}: it must be at least {least}")
    if most is not None and number > most:
        raise BanditError(f"{name} is {number}: it must be at most {most}{why}")
    return number


def one_of(name: str, value: Any, *known: Any) -> None:
    """Raise BanditError unless a value is one of those that are known."""
    if value not in known:
        raise BanditError(f"{name} is {value!r:.80}: it must be {' or '.join(map(repr, known))}")


def number_in(name: str, value: Any, low: float, high: float, right: str) -> float:
    """Return a number of any type from ``low`` to ``high``; BanditError if it is none."""
    if not within(value, low, high):
        raise BanditError(f"{name} is {value!r:.80}: it must be {right}")
    return float(value)


def at_least_0(name: str, value: Any) -> float:
    """Return a number of any type from 0 to ``LARGEST``; BanditError if it is none."""
    return number_in(name, value, 0, LARGEST, f"finite, >= 0, at most {LARGEST:g}")
