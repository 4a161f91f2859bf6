"""Progress of long work: how much is done, how much time is left."""

import logging
import threading
import time

AT_LEAST, AT_MOST = 5.0, 60.0
"""Seconds between two lines: short work says nothing, long work ever less often."""


def duration(seconds: float) -> str:
    """Write a duration in the unit that suits it: seconds, minutes or hours."""
    if seconds < 100:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 6000 else f"{seconds / 3600:.1f} h"


class Progress:
    """Count units of work and log now and then where it stands.

    A line begins with ``name`` (e.g. ``"setting_1/K20"``), because jobs run side by side, and is
    marked as progress for `penalized_bandits.workflow.job.job_log`.
    """

    def __init__(self, total: int, log: logging.Logger, name: str, unit: str = "pulls") -> None:
        self._total = max(total, 1)
        self._log = log
        self._name = name
        self._unit = unit
        self._done = 0
        self._lock = threading.Lock()
        self._start = time.monotonic()
        self._first: tuple[float, int] | None = None
        self._next = AT_LEAST

    def __call__(self, units: int) -> None:
        """Add units that were done; threads may call it at once."""
        with self._lock:
            self._done += units
            spent = time.monotonic() - self._start
            if self._first is None:
                # What came before the first units (compiling) says nothing of the rest.
                self._first = (spent, self._done)
            elif spent >= self._next and self._done < self._total:
                self._next = spent + min(max(spent / 2, AT_LEAST), AT_MOST)
                self._say(spent, *self._first)

    def _say(self, spent: float, began: float, with_done: int) -> None:
        pace = (spent - began) / max(self._done - with_done, 1)
        self._log.info(
            "%s: %.0f %% (%s, about %s left)",
            self._name,
            100 * self._done / self._total,
            duration(spent),
            duration(pace * (self._total - self._done)),
            extra={"progress": True},
        )

    def finish(self) -> None:
        """Log the total and the rate."""
        spent = max(time.monotonic() - self._start, 1e-9)
        self._log.info(
            "done: %.3g %s in %.1f s (%.3g ns each)",
            self._done,
            self._unit,
            spent,
            spent / max(self._done, 1) * 1e9,
        )
