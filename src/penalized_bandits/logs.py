"""Logs of workflow jobs: a file for each, and short errors for users."""

import logging
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from penalized_bandits.errors import UserError

_FORMAT = "%(asctime)s %(levelname)-7s %(message)s"


@contextmanager
def job_log(path: str | Path) -> Iterator[logging.Logger]:
    """Log a job to a file, warnings and errors to the terminal as well.

    An error that is the user's to mend ends the job with its message alone; the
    traceback of any other goes to the file too.
    """
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    to_file = logging.FileHandler(path, mode="w", encoding="utf-8")
    to_terminal = logging.StreamHandler(sys.stderr)
    to_terminal.setLevel(logging.WARNING)
    log = logging.getLogger("penalized_bandits")
    log.setLevel(logging.INFO)
    log.handlers = [to_file, to_terminal]
    for handler in log.handlers:
        handler.setFormatter(logging.Formatter(_FORMAT))
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
