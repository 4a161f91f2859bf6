"""Strict and fast reading of files of ratings, block by block."""

import io
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from penalized_bandits.datasets.errors import RatingsFormatError
from penalized_bandits.datasets.manifest import RatingsLayout

INTEGER = r"(?:0|[1-9][0-9]{0,17})"
"""Pattern of an id or a time: plain digits, small enough for 64 bits."""
INTEGER_MEANING = "digits 0-9 without sign, space or leading zero, at most 18"
NO_TEXT = re.compile(rb"(?m)^(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)|\x00")
"""What shows that a file is not in the expected encoding."""
_MAX_LINE = 1 << 16
_FIELDS = ("user id", "movie id", "rating", "time")


class Ratings(NamedTuple):
    """Ratings of consecutive lines in the order of the file, each array of shape (n,)."""

    first_line: int
    """Line of the file, from 1, that the first of them stands in."""
    users: NDArray[np.int64]
    movies: NDArray[np.int64]
    level_codes: NDArray[np.intp]
    """Index of the rating among the levels."""


def shorten(text: str | bytes, length: int = 80) -> str:
    """Return ``repr`` of a text cut to ``length`` characters or bytes."""
    return repr(text[:length]) + ("..." if len(text) > length else "")


def no_text_problem(found: re.Match[bytes]) -> str:
    """Say what a match of ``NO_TEXT`` is."""
    if found[0] == b"\x00":
        return "NUL bytes; expected text, not UTF-16 or binary data"
    return "a byte order mark; expected text without one, not UTF-16"


def line_at(data: bytes, at: int, lines_before: int = 0) -> tuple[int, bytes]:
    """Return the number, from 1, and the text of the line that a byte of data stands in."""
    end = data.find(b"\n", at)
    line = data[data.rfind(b"\n", 0, at) + 1 : len(data) if end < 0 else end]
    return lines_before + data.count(b"\n", 0, at) + 1, line.removesuffix(b"\r")


def rating_blocks(
    blocks: Iterable[bytes], layout: RatingsLayout, levels: Sequence[str], place: str
) -> Iterator[Ratings]:
    """Yield the ratings of a file, whose content may be cut into blocks anywhere.

    Raises RatingsFormatError at the first line that is not exactly as layout and levels say, or if
    there is none; the message names ``place``, line (from 1), the text and what is expected.
    """
    level = "|".join(re.escape(level) for level in levels)
    line = re.escape(layout.separator).join((INTEGER, INTEGER, f"(?:{level})", INTEGER))
    # The first start of a line at which no good line stands.
    bad_line = re.compile(rb"(?m)^(?!" + line.encode() + rb"\r?\n)")
    values = np.array([float(level) for level in levels])
    lines_before = 0
    found = False
    for chunk in _whole_lines(blocks, place):
        text = chunk
        if layout.header is not None and lines_before == 0:
            text = _without_header(chunk, layout.header, place)
            lines_before = 1
        bad = bad_line.search(text)
        if bad is not None and bad.start() < len(text):
            number, faulty = line_at(text, bad.start(), lines_before)
            problem = _problem(faulty, layout.separator, levels)
            raise RatingsFormatError(f"{place}: line {number}: {problem}: {shorten(faulty)}")
        if text:
            found = True
            rows = pd.read_csv(
                io.BytesIO(text.replace(layout.separator.encode(), b",")),
                header=None,
                names=["user", "movie", "rating", "time"],
                usecols=["user", "movie", "rating"],
                dtype={"user": np.int64, "movie": np.int64, "rating": np.float64},
            )
            users, movies = rows["user"].to_numpy(), rows["movie"].to_numpy()
            codes = np.searchsorted(values, rows["rating"].to_numpy())
            yield Ratings(lines_before + 1, users, movies, codes)
        lines_before += text.count(b"\n")
    if not found:
        raise RatingsFormatError(f"{place}: line 1: no ratings; expected one per line")


def _whole_lines(blocks: Iterable[bytes], place: str) -> Iterator[bytes]:
    """Cut the blocks anew, after line ends; the last line gets one if it has none."""
    rest = b""
    lines = 0
    for block in blocks:
        head, newline, tail = block.rpartition(b"\n")
        if newline:
            chunk = rest + head + newline
            lines += chunk.count(b"\n")
            yield chunk
            rest = tail
        else:
            rest += block
        if len(rest) > _MAX_LINE:
            raise RatingsFormatError(
                f"{place}: line {lines + 1}: longer than {_MAX_LINE} bytes: {shorten(rest)}"
            )
    if rest:
        yield rest + b"\n"


def _without_header(chunk: bytes, header: str, place: str) -> bytes:
    first, _, rest = chunk.partition(b"\n")
    first = first.removesuffix(b"\r")
    if first != header.encode():
        no_text = NO_TEXT.search(first)
        problem = no_text_problem(no_text) if no_text else f"expected the header {header!r}"
        raise RatingsFormatError(f"{place}: line 1: {problem}: {shorten(first)}")
    return rest


def _problem(line: bytes, separator: str, levels: Sequence[str]) -> str:
    """Say what is wrong with a line that is known to be wrong."""
    no_text = NO_TEXT.search(line)
    if no_text is not None:
        return no_text_problem(no_text)
    form = separator.join(_FIELDS)
    if not line.strip():
        return f"blank line; expected {form!r}"
    fields = line.split(separator.encode())
    if len(fields) != len(_FIELDS):
        return f"{len(fields)} fields; expected {len(_FIELDS)}: {form!r}"
    for name, field in zip(_FIELDS, fields, strict=True):
        if name == "rating":
            if field.decode("latin-1") not in levels:
                return f"rating {shorten(field)}; expected one of {', '.join(levels)}"
        elif not re.fullmatch(INTEGER.encode(), field):
            return f"{name} {shorten(field)}; expected {INTEGER_MEANING}"
    return f"stray characters at the end of the line; expected {form!r}"
