"""Values given on the command line: lists with commas, pairs with an equals sign."""

import math
from typing import Any, NoReturn

import typer


def refuse(option: str, why: str) -> NoReturn:
    """Raise BadParameter with the option and what is wrong with its value."""
    raise typer.BadParameter(why, param_hint=f"'{option}'")


def listed(what: str) -> Any:
    """Return an option that is a list, with its help."""
    return typer.Option(metavar="LIST", help=what)


def names(text: str) -> list[str]:
    """Split names at commas."""
    return [name.strip() for name in text.split(",")]


def number(option: str, text: str) -> float:
    """Read a finite number."""
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        refuse(option, f"{text.strip()!r} is not a number")
    return value


def whole_number(name: str, metavar: str, what: str, least: int, most: int | None = None) -> Any:
    """Return an option that is a whole number, such as 10000 or 1e4, with its help."""

    def read(text: str) -> int:
        try:
            value = int(text)
        except ValueError:
            value = number(name, text)
        if int(value) != value or value < least or (most is not None and value > most):
            limit = f"at least {least}" if most is None else f"from {least} to {most}"
            refuse(name, f"{text} is not a whole number {limit}")
        return int(value)

    return typer.Option(name, metavar=metavar, min=least, max=most, parser=read, help=what)


def numbers(option: str, text: str) -> list[float]:
    """Read numbers with commas between them."""
    return [number(option, part) for part in text.split(",")]


def one_or_more(option: str, text: str) -> float | list[float]:
    """Read one number, which is meant for all arms, or a list of them, one an arm."""
    values = numbers(option, text)
    return values[0] if len(values) == 1 else values


def rounds(option: str, text: str, horizon: int) -> list[int]:
    """Read rounds up to the horizon, with commas between them."""
    values = numbers(option, text)
    for value in values:
        if not (value.is_integer() and 1 <= value <= horizon):
            refuse(option, f"{value:g} is not a round from 1 to the horizon {horizon}")
    return [int(value) for value in values]


def pairs(option: str, text: str) -> dict[str, float]:
    """Read ``name=number`` pairs with commas between them; a bare number has the name ''."""
    found: dict[str, float] = {}
    for part in text.split(","):
        name, equals, value = part.rpartition("=")
        name = name.strip()
        if (equals and not name) or name in found:
            refuse(option, f"{part.strip()!r} must be a number, or policy=number once a policy")
        found[name] = number(option, value)
    return found
