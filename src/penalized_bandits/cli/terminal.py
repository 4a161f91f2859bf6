"""Tables and text on the terminal: with colours there, plain wherever else they go."""

import math
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from rich.table import Table

_UNBOUNDED = 10_000


def table(*headings: str, title: str | None = None) -> "Table":
    """Return an empty table; headings that begin with ``>`` stand over numbers."""
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
        else:
            made.add_column(heading)
    return made


def show(*parts: object) -> None:
    """Print texts and tables to stdout, with a line between them.

    Away from a terminal no line is broken, so that a row of a table is one line.
    """
    from rich.console import Console

    console = Console(highlight=False, markup=False, emoji=False)
    if not console.is_terminal:
        console.width = _UNBOUNDED
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
