"""Compiled functions on disk: how they are kept, the folder of kernels, and its locks."""

import atexit
import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None


@cache
def _private_folder() -> Path:
    """Create a folder for this process alone, removed when it ends."""
    folder = tempfile.mkdtemp(prefix="penalized_bandits-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return Path(folder)


def cache_root() -> Path:
    """Return the folder of compiled kernels.

    ``PENALIZED_BANDITS_CACHE`` where set, else numba's own ``NUMBA_CACHE_DIR``, else
    the environment's ``var`` folder; a private one where that cannot be written.
    """
    chosen = os.environ.get("PENALIZED_BANDITS_CACHE") or os.environ.get("NUMBA_CACHE_DIR")
    folder = Path(chosen or Path(sys.prefix) / "var" / "cache") / "penalized_bandits"
    try:
        # No shell expands ~ in quotes or in a service's settings.
        folder = folder.expanduser()
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return folder
    except (OSError, RuntimeError):  # RuntimeError: nobody knows where ~ is
        return _private_folder()


def lock_of(digest: str, name: str) -> Path:
    """Return the file that is locked while a kernel is compiled."""
    return cache_root() / digest / f"{name}.lock"


def kept(function: Callable[..., None], signature: str | Any, **options: Any) -> Any:
    """Return a function compiled for a signature, and kept on disk where that is possible."""
    from numba import njit  # takes long to import, and the live player needs no more than locks
    from numba.core.caching import FunctionCache
    from numba.core.errors import NumbaError

    for _ in range(2):
        try:
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

    Raises BlockingIOError if another holds it and ``wait`` is false.
    """
    lock.parent.mkdir(parents=True, exist_ok=True)
    with lock.open("a") as file:
        if fcntl is not None:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
            except BlockingIOError:
                raise
            except OSError:  # a file system without locks: rather compile it twice
                pass
        yield
