"""Tables and progress on the terminal."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from penalized_bandits.common.numbers import format_number, thousands

if TYPE_CHECKING:
    from pandas import DataFrame

    from penalized_bandits.bandit.instances import Instance


def table(frame: "DataFrame", title: str = "") -> str:
    """Return a frame as text, a line a row: numbers to the right, with commas, text to the left."""
    columns: list[list[str]] = []
    for name, cells in frame.map(_cell).items():
        heading = str(name).replace("_", " ")
        pad = str.rjust if cells.str.match(r"$|[-\u2212]?[\d∞]").all() else str.ljust
        width = max(map(len, [heading, *cells]))
        columns.append([pad(text, width) for text in (heading, *cells)])
    lines = ("  ".join(line).rstrip() for line in zip(*columns, strict=True))
    return "\n".join([*([title] if title else []), *lines])


def _cell(value: Any) -> str:
    if isinstance(value, str):
        return value
    return thousands(value) if isinstance(value, int) else format_number(value)


def arms_of(bandit: "Instance", horizon: int) -> "DataFrame":
    """Return a row for each arm of a bandit with its numbers; the level is tau_k T."""
    import numpy as np
    import pandas as pd

    kinds = np.select([bandit.optimal, bandit.critical], ["optimal", "critical"], "non-critical")
    numbers = {"mean": bandit.means, "gap": bandit.gaps, "penalty": bandit.penalties}
    level = bandit.fairness * horizon
    arms = range(1, bandit.n_arms + 1)
    return pd.DataFrame({"arm": arms, **numbers, "kind": kinds, "level τT": level})


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
