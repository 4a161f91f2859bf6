"""Tables on the terminal."""

from typing import TYPE_CHECKING, Any

from penalized_bandits.common.numbers import format_number

if TYPE_CHECKING:
    from pandas import DataFrame


def table(frame: "DataFrame", title: str = "") -> str:
    """Return a frame as text, a line a row: numbers to the right, with commas, text to the left."""
    columns: list[list[str]] = []
    for name, cells in frame.astype(object).fillna("").map(_cell).items():
        heading = str(name).replace("_", " ")
        pad = str.rjust if cells.str.match(r"$|[-\u2212]?[\d∞]").all() else str.ljust
        width = max(map(len, [heading, *cells]))
        columns.append([pad(text, width) for text in (heading, *cells)])
    lines = ("  ".join(line).rstrip() for line in zip(*columns, strict=True))
    return "\n".join([*([title] if title else []), *lines])


def _cell(value: Any) -> str:
    if isinstance(value, str):
        return value
    return f"{value:,}" if isinstance(value, int) else format_number(value)
