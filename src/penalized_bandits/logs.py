"""Logs of workflow jobs: a file for each, and short lines for whoever looks on."""

import logging
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from penalized_bandits.errors import UserError

_FORMAT = "%(asctime)s %(levelname)-7s %(message)s"


def _is_progress(record: logging.LogRecord) -> bool:
    return getattr(record, "progress", False)


class _Terse(logging.Formatter):
    """Progress as a bare line, everything else as in the file."""

    def format(self, record: logging.LogRecord) -> str:
        return record.getMessage() if _is_progress(record) else super().format(record)


def _to_stderr() -> logging.Handler:
    """Make a handler for warnings and errors, and for progress where stderr is a terminal.

    Jobs that run side by side share the terminal: they write whole lines, and never go
    back to change one.
    """
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_Terse(_FORMAT))
    shows_progress = sys.stderr.isatty()
    handler.addFilter(
        lambda record: (
            record.levelno >= logging.WARNING or (shows_progress and _is_progress(record))
        )
    )
    return handler


@contextmanager
def job_log(path: str | Path) -> Iterator[logging.Logger]:
    """Log a job to a file; warnings, errors and progress to the terminal as well.

    An error that is the user's to mend ends the job with its message alone; the
    traceback of any other goes to the file too.
    """
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    to_file = logging.FileHandler(path, mode="w", encoding="utf-8")
    to_file.setFormatter(logging.Formatter(_FORMAT))
    log = logging.getLogger("penalized_bandits")
    log.setLevel(logging.INFO)
    log.handlers = [to_file, _to_stderr()]
    try:
        yield log
    except UserError as error:
        log.error("%s", error)
        sys.exit(1)
    except Exception:
        log.exception("unexpected error")
        raise
    finally:
        to_file.close()
