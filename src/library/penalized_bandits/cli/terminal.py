"""Tables and progress on the terminal."""

import math
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager


def table(headings: Sequence[str], rows: Iterable[Sequence[str]], title: str = "") -> str:
    """Return a table as text, a line a row; headings that begin with ``>`` stand over numbers."""
    from tabulate import tabulate

    sides = ["right" if heading.startswith(">") else "left" for heading in headings]
    names = [heading.removeprefix(">") for heading in headings]
    text = tabulate(rows, names, colalign=sides, headersalign=sides, disable_numparse=True)
    lines = [*([title] if title else []), *(line.rstrip() for line in text.splitlines())]
    return "\n".join(lines)


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


@contextmanager
def progress_bar(total: int, what: str) -> Iterator[Callable[[int], None]]:
    """Yield a function that adds units done, of ``total``; threads may call it at once.

    The bar is shown if stderr is a terminal, and vanishes at the end.
    """
    from rich.console import Console
    from rich.progress import Progress

    bars = Progress(console=Console(stderr=True), transient=True, disable=not sys.stderr.isatty())
    with bars:
        task = bars.add_task(what, total=total)
        yield lambda units: bars.advance(task, units)
