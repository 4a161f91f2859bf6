"""Values given on the command line: lists with commas, and what both commands take."""

from contextlib import suppress
from typing import Annotated, Any, NoReturn, TypeAlias

import typer


def refuse(option: str, why: str) -> NoReturn:
    """Raise BadParameter with the option and the fault of its value."""
    raise typer.BadParameter(why, param_hint=f"'{option}'")


def number(text: str, of: str = "") -> float:
    """Read a number, of a whole one all digits; an error begins with the quantity's name."""
    for kind in (int, float):
        with suppress(ValueError):
            return kind(text)
    raise typer.BadParameter(f"{of}{text.strip()!r} is not a number")


def numbers(text: str) -> list[float]:
    """Read numbers with commas between them."""
    return [number(part) for part in text.split(",")]


def _one_or_more(text: str) -> float | list[float]:
    return number(text) if "," not in text else numbers(text)


def listed(what: str, parser: Any = numbers) -> Any:
    """Return an option that is a list of numbers, with its help."""
    return typer.Option(metavar="LIST", parser=parser, help=what)


_FOR = "of each arm, or one number for every arm."
Means: TypeAlias = Annotated[Any, listed("Mean reward of each arm: 0.9,0.6,0.5.")]
Fairness: TypeAlias = Annotated[
    Any, listed(f"Fairness fraction τ_k {_FOR} The sum must be at most 1.", _one_or_more)
]
Penalties: TypeAlias = Annotated[Any, listed(f"Penalty rate A_k {_FOR}", _one_or_more)]
Horizon: TypeAlias = Annotated[float, typer.Option(metavar="T", help="Number of rounds.")]
