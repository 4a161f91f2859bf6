"""Errors of the command line: one line on stderr, and an exit code."""

import sys
import warnings
from io import TextIOWrapper
from typing import Any, NoReturn

import typer
from typer.core import TyperGroup

from penalized_bandits.common.errors import UserError, short_of_memory
from penalized_bandits.common.files import remedy

PROGRAM = "penalized-bandits"
INTERRUPTED = 130  # exit code of a command that was stopped with Ctrl-C
UNNAMED = "output, temporary file (TMPDIR) or compiled policy (PENALIZED_BANDITS_CACHE)"
"""The file of an error that names none: stdout's, or of numba, matplotlib, tempfile."""


def _fail(message: str, code: int) -> NoReturn:
    typer.echo(" ".join(message.split()), err=True)
    sys.exit(code)


class Commands(TyperGroup):
    """The subcommands; errors of the user are one line, without a traceback.

    Exit code 2: arguments are no use.  1: a user can mend it.  Own mistakes keep their traceback.
    """

    program = PROGRAM

    def main(self, *args: Any, **extra: Any) -> NoReturn:
        """Run a command and leave with its exit code."""
        try:
            extra |= {"prog_name": self.program, "standalone_mode": False}
            code = super().main(*args, **extra)
        except typer.TyperException as error:
            context = getattr(error, "ctx", None)
            command = self.program if context is None else context.command_path
            message = error.format_message().rstrip(".")
            _fail(f"{command}: {message} (see {command} --help)", error.exit_code)
        except Exception as error:
            if short_of_memory(error):
                _fail(f"{self.program}: not enough memory: {error}".rstrip(": "), 1)
            if not isinstance(error, UserError | OSError):
                raise
            known = remedy(error, UNNAMED) if isinstance(error, OSError) else None
            _fail(f"{self.program}: {known or error}", 1)
        if code == INTERRUPTED:
            _fail(f"{self.program}: interrupted", INTERRUPTED)
        sys.exit(code or 0)


def run(app: typer.Typer) -> None:
    """Run a program on the arguments of this process."""
    program = getattr(app.info.cls, "program", PROGRAM)
    warnings.showwarning = lambda message, *_: typer.echo(f"{program}: {message}", err=True)
    for stream in (sys.stdout, sys.stderr):
        # Greek letters must not end a command where the terminal has none.
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")
    app()
