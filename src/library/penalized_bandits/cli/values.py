"""Values given on the command line: lists with commas, and what both commands take."""

from typing import Annotated, Any, NoReturn, TypeAlias

import typer


def refuse(option: str, why: str) -> NoReturn:
    """Raise BadParameter with the option and what is wrong with its value."""
    raise typer.BadParameter(why, param_hint=f"'{option}'")


def number(text: str, of: str = "") -> float:
    """Read a number; an error begins with what it is of."""
    try:
        return float(text)
    except ValueError:
        raise typer.BadParameter(f"{of}{text.strip()!r} is not a number") from None


def exact(text: str) -> float:
    """Read a number; a whole one keeps all its digits."""
    try:
        return int(text)
    except ValueError:
        return number(text)


def numbers(text: str) -> list[float]:
    """Read numbers with commas between them."""
    return [number(part) for part in text.split(",")]


def _one_or_more(text: str) -> float | list[float]:
    """Read one number, which is meant for all arms, or a list of them, one an arm."""
    values = numbers(text)
    return values[0] if len(values) == 1 else values


def listed(what: str, parser: Any = numbers) -> Any:
    """Return an option that is a list of numbers, with its help."""
    return typer.Option(metavar="LIST", parser=parser, help=what)


Means: TypeAlias = Annotated[Any, listed("Mean reward of each arm: 0.9,0.6,0.5.")]
Fairness: TypeAlias = Annotated[
    Any,
    listed(
        "Fairness fraction τ_k of each arm, or one number for every arm. The sum must be at most "
        "1.",
        _one_or_more,
    ),
]
Penalties: TypeAlias = Annotated[
    Any, listed("Penalty rate A_k of each arm, or one number for every arm.", _one_or_more)
]
Horizon: TypeAlias = Annotated[float, typer.Option(metavar="T", help="Number of rounds.")]
