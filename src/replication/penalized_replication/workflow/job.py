"""A job of the workflow, around what its script does: params, log, progress, errors.

Scripts import this first.  Imports make a hundred thousand objects and no garbage, and the
collector goes over them again and again, a tenth of the time of a short job: it rests until
the job begins.
"""

import gc
import logging
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from resource import RUSAGE_SELF, getrusage
from typing import Any

from penalized_bandits.common.errors import UserError, short_of_memory
from penalized_bandits.common.files import digest_of, remedy
from penalized_replication.common import arithmetic  # noqa: F401  before numpy
from penalized_replication.common.errors import RunError
from penalized_replication.storage.files import hash_of

gc.disable()


def _log(path: Path) -> logging.Logger:
    """Log to a file, where it can be written; warnings, and on a terminal progress, to stderr."""
    log = logging.getLogger(__name__.partition(".")[0])
    log.setLevel(logging.INFO)
    # On a full disk the terminal has to do.
    logging.raiseExceptions = False
    shown = logging.StreamHandler(sys.stderr)
    shown.addFilter(lambda r: r.levelno >= logging.WARNING or hasattr(r, "progress"))
    shown.setLevel(logging.INFO if sys.stderr.isatty() else logging.WARNING)
    log.handlers = [shown]
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        written = logging.FileHandler(path, mode="w", encoding="utf-8")
        written.setFormatter(logging.Formatter("%(asctime)s %(levelname)-7s %(message)s"))
        log.handlers.append(written)
    return log


def _check_code(snakemake: Any) -> None:
    """Raise RunError if code was edited since the run was planned: each job imports it anew."""
    files = [Path(file) for file in snakemake.input.get("code", ())]
    if files and hash_of(map(digest_of, files)) != snakemake.params.code:
        newest = max(files, key=lambda file: file.stat().st_mtime)
        raise RunError(f"{newest} changed while the run was at work: run the same command again")


def sections_of(params: Any) -> dict[str, dict[str, Any]]:
    """Return sections by experiment, defaults filled in, from params of a rule.

    ``experiments`` has their order, ``section_KEY`` the values of a key: ``{"log_laws.gaps": x}``.
    """
    from penalized_replication.experiments.catalogue import EXPERIMENTS

    given: dict[str, dict[str, Any]] = {name: {} for name in params["experiments"]}
    for param, values in params.items():
        for name, value in values.items() if param.startswith("section_") else ():
            of, _, key = name.partition(".")
            given[of][key] = value
    return {
        name: EXPERIMENTS[name].section.model_validate(keys).model_dump(mode="json")
        for name, keys in given.items()
    }


@contextmanager
def job(snakemake: Any) -> Iterator[logging.Logger]:
    """Run what a script does as a job of Snakemake, with a log.

    An error that is the user's to mend, or the machine's, ends the job with its message alone; so
    does code that is not as planned.  The traceback of any other goes to the log.
    """
    path = Path(snakemake.log[0])
    log = _log(path)
    gc.freeze()
    gc.enable()
    try:
        # Not above: it brings numpy, which reads the variables set there when it is imported.
        from penalized_replication.extensions import load

        load(snakemake.config.get("extensions", ()))
        _check_code(snakemake)
        yield log
        log.info("peak memory %.0f MiB", getrusage(RUSAGE_SELF).ru_maxrss / 1024)
        # Snakemake takes away what a job that fails has written.
        _check_code(snakemake)
    except Exception as error:
        message = str(error) if isinstance(error, UserError) else None
        if short_of_memory(error):
            said = " ".join(str(error).split()) or type(error).__name__
            message = f"not enough memory ({said}): smaller jobs (simulation.chunks) need less"
        elif message is None and isinstance(error, OSError):
            message = remedy(error, path)
        if message is None:
            log.exception("unexpected error")
            raise
        log.error("%s", message)
        sys.exit(1)
    finally:
        for handler in log.handlers:
            with suppress(OSError):
                handler.close()
        gc.freeze()


class Progress:
    """Count pulls, and log ever less often how many percent of a job, by its name, are done."""

    def __init__(self, total: int, log: logging.Logger, name: str) -> None:
        self._total, self._log, self._name = total, log, name
        self._lock, self._start, self._done = threading.Lock(), time.monotonic(), 0
        self._next = 5.0  # seconds: short jobs log their end alone

    def __call__(self, pulls: int) -> None:
        """Add pulls that were done; threads may call it at once."""
        with self._lock:
            self._done += pulls
            spent = time.monotonic() - self._start
            if spent >= self._next and self._done < self._total:
                self._next = 1.5 * spent
                share = self._done / self._total
                # The first pulls take the time of compiling: no estimate before 5 %.
                left = f", about {spent / share - spent:.0f} s left" if share >= 0.05 else ""
                message = f"{self._name}: {100 * share:.0f} % after {spent:.0f} s{left}"
                self._log.info(message, extra={"progress": True})

    def finish(self) -> None:
        """Log the total and the rate."""
        spent = time.monotonic() - self._start
        each = spent / max(self._done, 1) * 1e9
        self._log.info("done: %.3g pulls in %.1f s (%.3g ns each)", self._done, spent, each)
