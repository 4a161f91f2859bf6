"""Progress of long work: how much is done, how much time is left."""

import logging
import threading
import time


class Progress:
    """Count units of work and log the state every few seconds.

    Parameters
    ----------
    total
        Units of work in all.
    log
        Where lines go.
    unit
        What is counted, e.g. ``"pulls"``.
    every
        Seconds between two lines.
    """

    def __init__(
        self, total: int, log: logging.Logger, unit: str = "pulls", every: float = 5.0
    ) -> None:
        self._total = max(total, 1)
        self._log = log
        self._unit = unit
        self._every = every
        self._done = 0
        self._lock = threading.Lock()
        self._start = self._last = time.monotonic()

    def __call__(self, units: int) -> None:
        """Add units that were done; threads may call it at once."""
        with self._lock:
            self._add(units)

    def _add(self, units: int) -> None:
        self._done += units
        now = time.monotonic()
        if now - self._last >= self._every:
            self._last = now
            spent = now - self._start
            left = spent * (self._total - self._done) / max(self._done, 1)
            self._log.info(
                "%5.1f%%  %.3g of %.3g %s  %.0f s spent, about %.0f s left",
                100 * self._done / self._total,
                self._done,
                self._total,
                self._unit,
                spent,
                left,
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
