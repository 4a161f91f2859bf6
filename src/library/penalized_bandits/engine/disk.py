"""Compiled functions on disk: how they are kept, the folder of kernels, and its locks."""

import fcntl
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from penalized_bandits.common.garbage import objects_that_stay


def cache_root() -> Path:
    """Return the folder of compiled kernels: of a variable, else in the environment's ``var``."""
    chosen = os.environ.get("PENALIZED_BANDITS_CACHE") or os.environ.get("NUMBA_CACHE_DIR")
    # No shell expands ~ in quotes or in a service's settings.
    return Path(chosen or Path(sys.prefix) / "var" / "cache").expanduser() / "penalized_bandits"


def kept(function: Callable[..., None], signature: str | Any, **options: Any) -> Any:
    """Return a function compiled for a signature, and kept on disk where that is possible."""
    from numba import njit  # takes long to import, and the live player needs no more than locks
    from numba.core.caching import FunctionCache
    from numba.core.errors import NumbaError

    for _ in range(2):
        try:
            with objects_that_stay():
                return njit(signature, cache=True, **options)(function)
        except NumbaError:
            raise
        except Exception:
            # numba trusts its files, of which one may be cut short, and needs a folder and space.
            with suppress(Exception):
                FunctionCache(function).flush()
    return njit(signature, **options)(function)


@contextmanager
def turn(lock: Path, *, wait: bool = True) -> Iterator[None]:
    """Hold a lock, which the system releases however the process ends.

    Without ``wait``: BlockingIOError where another holds it, OSError where there are no locks.
    """
    lock.parent.mkdir(parents=True, exist_ok=True)
    with lock.open("a") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
        except OSError:
            if not wait:
                raise
        yield
