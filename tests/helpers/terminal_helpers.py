"""Commands run with a terminal on stderr, or on stdout as well, and the tables they print."""

import os
import pty
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

PROGRAM = Path(sys.executable).with_name("penalized-bandits")


class Ran(NamedTuple):
    """Exit status of a command, and its output to a pipe and to the terminal."""

    status: int
    piped: str
    shown: str


def run_in_terminal(
    command: Sequence[str | Path], folder: Path | None = None, *, all_of_it: bool = False
) -> Ran:
    """Run a command whose stderr (with ``all_of_it`` stdout too) is a terminal.

    Line ends are as the command wrote them.
    """
    ours, theirs = pty.openpty()
    kept = {name: text for name, text in os.environ.items() if name not in ("COLUMNS", "NO_COLOR")}
    child = subprocess.Popen(
        command,
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=theirs if all_of_it else subprocess.PIPE,
        stderr=theirs,
        env=kept | {"TERM": "xterm-256color", "PYTHONUTF8": "1"},
    )
    os.close(theirs)
    shown = bytearray()
    try:
        while piece := os.read(ours, 65536):
            shown += piece
    except OSError:  # how Linux says that nobody has the terminal open any more
        pass
    finally:
        os.close(ours)
    piped = b"" if child.stdout is None else child.stdout.read()
    if child.stdout is not None:
        child.stdout.close()
    status = child.wait(timeout=600)
    return Ran(status, piped.decode(), shown.decode().replace("\r\n", "\n"))


def tables_in(text: str) -> dict[str, list[dict[str, str]]]:
    """Return the tables of an output by title, rows by heading; empty cells as above."""
    found: dict[str, list[dict[str, str]]] = {}
    for block in text.split("\n\n"):
        title, headings, rule, *lines = [*block.split("\n"), "", ""]
        if not rule or not set(rule) <= {"-", " "}:
            continue
        lines = lines[:-2]
        starts = _starts(headings, lines)
        rows: list[dict[str, str]] = []
        for line in lines:
            cells = {name: line[first:last].strip() for name, (first, last) in starts.items()}
            above = rows[-1] if rows else {}
            rows.append({name: cell or above.get(name, "") for name, cell in cells.items()})
        found[title] = rows
    return found


def _starts(headings: str, lines: list[str]) -> dict[str, tuple[int, int]]:
    """Return the first and last position of each column: all lines have two blanks between."""
    width = max(map(len, [headings, *lines]))
    padded = [line.ljust(width) for line in (headings, *lines)]
    blank = [all(line[i] == " " for line in padded) for i in range(width)]
    edges = [i for i in range(width) if not blank[i] and (i == 0 or all(blank[max(i - 2, 0) : i]))]
    spans = zip(edges, [*edges[1:], width], strict=True)
    return {headings[first:last].strip(): (first, last) for first, last in spans}
