"""The program, and the tables that its commands print."""

import re
import shlex
import sys
from pathlib import Path
from typing import Any

import pandas as pd
from typer import Typer
from typer.testing import CliRunner

from penalized_bandits.cli import app as library

PROGRAM = Path(sys.executable).with_name("penalized-bandits")


def printed(*arguments: str, app: Typer = library) -> str:
    """Return what a command prints to a pipe, without an error."""
    result = CliRunner().invoke(app, arguments)
    assert result.exit_code == 0, result.stderr
    return result.stdout


def failed(command: str, code: int, app: Typer = library) -> str:
    """Return the one line on stderr of a command that fails, with a code."""
    result = CliRunner().invoke(app, shlex.split(command))
    assert result.exit_code == code, result.output
    assert result.stdout == ""
    assert isinstance(result.exception, SystemExit)
    line, end, rest = result.stderr.partition("\n")
    assert (end, rest) == ("\n", "")
    return line


def tables_in(text: str) -> dict[str, list[dict[Any, Any]]]:
    """Return the tables of an output by title, rows by heading; empty cells as above."""
    found: dict[str, list[dict[Any, Any]]] = {}
    for block in text.split("\n\n"):
        title, headings, rule, *lines = [*block.rstrip("\n").split("\n"), "", ""]
        if set(rule) == {"-", " "}:
            places = [slice(*dashes.span()) for dashes in re.finditer("-+", rule)]
            head, *rows = ([line[x].strip() for x in places] for line in (headings, *lines[:-2]))
            table = pd.DataFrame(rows, columns=pd.Index(head)).replace("", pd.NA).ffill().fillna("")
            found[title] = table.to_dict("records")
    return found
