"""A job of the workflow, around what its script does: log, errors, origins of its outputs.

Scripts import this first.  Imports make a hundred thousand objects and no garbage, and the
collector goes over them again and again: a tenth of the time of a short job.  It rests until
the job begins.  The linear algebra behind numpy and scipy starts threads for each core when it
is imported; a job has one core, and matrices so small that threads would only wait for one
another.
"""

import gc
import logging
import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from penalized_bandits.common.errors import UserError
from penalized_bandits.storage.files import remedy
from penalized_bandits.storage.origins import SUFFIX, origin_path, write_origin
from penalized_bandits.workflow import planned

gc.disable()
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

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


class _File(logging.FileHandler):
    """A log file; on a full disk the terminal has to do."""

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802  (its name there)
        if not isinstance(sys.exception(), OSError):
            super().handleError(record)

    def close(self) -> None:
        with suppress(OSError):  # what is buffered does not fit either
            super().close()


def _to_file(path: Path) -> logging.Handler | None:
    """Open a log file; None where that is impossible, which the job itself may not mind."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handler = _File(path, mode="w", encoding="utf-8")
    except OSError:
        return None
    handler.setFormatter(logging.Formatter(_FORMAT))
    return handler


@contextmanager
def job_log(path: str | Path) -> Iterator[logging.Logger]:
    """Log a job to a file; warnings, errors and progress to the terminal as well.

    An error that is the user's to mend, or the machine's, ends the job with its message
    alone; the traceback of any other goes to the file too.
    """
    to_file = _to_file(Path(path))
    log = logging.getLogger("penalized_bandits")
    log.setLevel(logging.INFO)
    log.handlers = [handler for handler in (to_file, _to_stderr()) if handler is not None]
    # What was imported stays: the collector need not go over it, now or, which takes a
    # fifth of the time of a short job, as the process ends.
    gc.freeze()
    gc.enable()
    try:
        yield log
    except UserError as error:
        log.error("%s", error)
        sys.exit(1)
    except OSError as error:
        message = remedy(error, path)
        if message is None:
            log.exception("unexpected error")
            raise
        log.error("%s", message)
        sys.exit(1)
    except MemoryError as error:
        log.error("not enough memory (%s): smaller jobs (simulation.chunks) need less", error)
        sys.exit(1)
    except Exception:
        log.exception("unexpected error")
        raise
    finally:
        if to_file is not None:
            to_file.close()
        gc.freeze()


@dataclass
class Job:
    """A job at work."""

    log: logging.Logger
    ratings: Mapping[str, Any] | None = None
    """Where its ratings came from, for the origins; by default what its inputs say."""


@contextmanager
def job(snakemake: Any) -> Iterator[Job]:
    """Run what a script does as a job of Snakemake: see `job_log`.

    When the block is done each origin among the outputs is written, for the outputs of its
    name, from the param ``made_with``; a script that writes them itself has none.

    Raises SystemExit if the job failed for a reason that is the user's or the machine's to mend:
    among them code that is not what the run was planned with (`workflow.planned`).
    """
    with job_log(snakemake.log[0]) as log:
        inputs = [str(path) for path in snakemake.input]
        planned.check(inputs)
        running = Job(log)
        yield running
        # Snakemake takes away what a job that fails has written.
        planned.check(inputs)
        made_with = snakemake.params.get("made_with")
        outputs = [str(path) for path in snakemake.output]
        for origin in (path for path in outputs if made_with and path.endswith(SUFFIX)):
            files = [f for f in outputs if origin in (str(origin_path(f)), f"{f}{SUFFIX}")]
            write_origin(origin, made_with, files, inputs, running.ratings)
