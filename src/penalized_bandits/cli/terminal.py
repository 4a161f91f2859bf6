"""Tables and text on the terminal: with colours there, plain wherever else they go."""

import math
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from rich.table import Table

_UNBOUNDED = 10_000
_WORD = 8
"""Characters that a column of words keeps on a narrow terminal."""


def table(*headings: str, title: str | None = None) -> "Table":
    """Return an empty table that is never cut.

    Headings that begin with ``>`` stand over numbers, with ``<`` over names: both are not broken.
    """
    from rich import box
    from rich.table import Table

    made = Table(
        title=title,
        title_justify="left",
        title_style="bold",
        box=box.SIMPLE_HEAD,
        padding=(0, 1, 0, 0),
        pad_edge=False,
        show_edge=False,
    )
    for heading in headings:
        if heading.startswith(">"):
            made.add_column(heading[1:], justify="right", no_wrap=True)
        elif heading.startswith("<"):
            made.add_column(heading[1:], no_wrap=True)
        else:
            made.add_column(heading, overflow="fold")
    return made


def _least_width(made: "Table") -> int:
    """Return the width below which rich would cut what it may not break."""
    widths = (
        max(len(str(cell)) for cell in (column.header, *column.cells)) if column.no_wrap else _WORD
        for column in made.columns
    )
    return sum(width + 1 for width in widths)


def show(*parts: object) -> None:
    """Print texts and tables to stdout, with a line between them.

    Away from a terminal no line is broken, so that a row of a table is one line.
    """
    from rich.console import Console
    from rich.table import Table

    console = Console(highlight=False, markup=False, emoji=False)
    if not console.is_terminal:
        console.width = _UNBOUNDED
    least = (_least_width(part) for part in parts if isinstance(part, Table))
    console.width = max(console.width, *least, 1)
    with console.capture() as captured:
        for number, part in enumerate(parts):
            if number:
                console.print()
            console.print(part, soft_wrap=isinstance(part, str) and not console.is_terminal)
    typer.echo("\n".join(line.rstrip() for line in captured.get().rstrip().split("\n")))


def plus_minus(mean: float, half_width: float) -> str:
    """Write a mean and the half width of its interval, which has two significant digits.

    >>> plus_minus(1234.567, 8.91)
    '1234.6 ± 8.9'
    """
    if not math.isfinite(half_width):
        return f"{mean:.6g}"
    if half_width <= 0:
        return f"{mean:.6g} ± 0"
    digits = max(0, 1 - math.floor(math.log10(half_width)))
    return f"{mean:.{digits}f} ± {half_width:.{digits}f}"
