"""Strict reading of files of movies: the title of each movie id."""

from __future__ import annotations

import csv
import io
import re
from typing import TYPE_CHECKING

from penalized_bandits.datasets.counts_rules import CONTROL
from penalized_bandits.datasets.errors import RatingsFormatError
from penalized_bandits.datasets.rating_lines import (
    INTEGER,
    INTEGER_MEANING,
    encoding_problem,
    shorten,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from penalized_bandits.datasets.manifest import MoviesLayout


def read_titles(data: bytes, layout: MoviesLayout, place: str) -> dict[int, str]:
    """Read the titles of a file of movies.

    Parameters
    ----------
    data : bytes
        The whole file.
    layout : MoviesLayout
        Separator, encoding and number of fields.
    place : str
        Archive and member, for messages.

    Returns
    -------
    dict of int to str
        Title of each movie id, in the order of the file.

    Raises
    ------
    RatingsFormatError
        At the first line that breaks the layout, repeats an id, or is not in the
        layout's encoding; the message names place, line (from 1) and the text.
    """
    titles: dict[int, str] = {}
    for number, fields in _rows(_decode(data, layout, place), layout, place):
        where = f"{place}: line {number}"
        if len(fields) != layout.fields:
            text = layout.separator.join(fields)
            raise RatingsFormatError(
                f"{where}: {len(fields)} fields; expected {layout.fields} separated by "
                f"{layout.separator!r}, the first two movie id and title: {shorten(text)}"
            )
        movie, title = fields[0], fields[1]
        if not re.fullmatch(INTEGER, movie):
            raise RatingsFormatError(
                f"{where}: movie id {shorten(movie)}; expected {INTEGER_MEANING}"
            )
        if int(movie) in titles:
            raise RatingsFormatError(
                f"{where}: movie id {movie} stands in an earlier line too; expected once"
            )
        if not title.strip() or CONTROL.search(title):
            raise RatingsFormatError(
                f"{where}: title {shorten(title)}; expected text in {layout.encoding} "
                "without control characters"
            )
        titles[int(movie)] = title
    if not titles:
        raise RatingsFormatError(f"{place}: line 1: no movies; expected one per line")
    return titles


def _decode(data: bytes, layout: MoviesLayout, place: str) -> str:
    # One line at a time: a list of millions of empty lines would fill the memory.
    for number, line in enumerate(io.BytesIO(data), start=1):
        problem = encoding_problem(line)
        if problem is None and layout.encoding == "utf-8":
            try:
                line.decode()
            except UnicodeDecodeError as error:
                problem = f"not UTF-8 ({error.reason} at byte {error.start + 1})"
        if problem is not None:
            text = shorten(line.removesuffix(b"\n"))
            raise RatingsFormatError(f"{place}: line {number}: {problem}: {text}")
    if layout.encoding == "latin-1" and not data.isascii() and _is_utf8(data):
        # Any bytes are Latin-1, but accents of a Latin-1 text are hardly ever UTF-8.
        number, line = next(
            (number, line.removesuffix(b"\n"))
            for number, line in enumerate(io.BytesIO(data), start=1)
            if not line.isascii()
        )
        raise RatingsFormatError(
            f"{place}: line {number}: UTF-8; expected Latin-1 titles: {shorten(line)}"
        )
    return data.decode(layout.encoding)


def _is_utf8(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


def _rows(text: str, layout: MoviesLayout, place: str) -> Iterator[tuple[int, list[str]]]:
    """Yield line number and fields of each movie."""
    # Only "\n" ends a line: str.splitlines would also cut at characters of titles.
    lines = [line.removesuffix("\r") for line in text.removesuffix("\n").split("\n")]
    first = 1
    if layout.header is not None:
        if lines[0] != layout.header:
            raise RatingsFormatError(
                f"{place}: line 1: expected the header {layout.header!r}, got {shorten(lines[0])}"
            )
        first = 2
    if text == "" or len(lines) < first:
        return
    if not layout.quoted:
        for number, line in enumerate(lines[first - 1 :], start=first):
            yield number, line.split(layout.separator)
        return
    body = io.StringIO("\n".join(lines[first - 1 :]) + "\n", newline="")
    reader = csv.reader(body, delimiter=layout.separator, strict=True)
    try:
        for fields in reader:
            yield reader.line_num + first - 1, fields
    except csv.Error as error:
        number = reader.line_num + first - 1
        raise RatingsFormatError(f"{place}: line {number}: {error}") from error
