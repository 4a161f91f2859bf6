"""The folder of compiled kernels, and the locks under which they are compiled."""

import atexit
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path

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
    folder = Path(chosen) if chosen else Path(sys.prefix) / "var" / "cache"
    folder = folder / "penalized_bandits"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return folder
    except OSError:
        return _private_folder()


def lock_of(digest: str, name: str) -> Path:
    """Return the file that is locked while a kernel is compiled."""
    return cache_root() / digest / f"{name}.lock"


def forget(digest: str, name: str) -> None:
    """Remove the files of a kernel, as far as there are any."""
    with suppress(OSError):
        for file in (cache_root() / digest).rglob(f"*{name}-*.nb[ic]"):
            file.unlink(missing_ok=True)


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
