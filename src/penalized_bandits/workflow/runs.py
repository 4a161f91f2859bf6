"""One run at a time in a folder, and none while jobs of a killed one are at work in it.

Locks are the kernel's: it takes them back when a process ends, however that happens, so
none is ever stale.  A run holds one on a file; each of its jobs, and the run too, shares
one on the folder itself, which nobody deletes by accident.  A file system without locks
(some network ones) is taken as it is: there only the user knows what runs.
"""

import json
import os
import secrets
import socket
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from penalized_bandits.common.errors import RunError, WriteError
from penalized_bandits.storage.files import left_over, remedy, whole_file
from penalized_bandits.storage.origins import harmed

try:
    import fcntl
except ImportError:  # no POSIX
    fcntl = None

NOTES_TEXT = """\
Snakemake's notes on the results are in this folder. This file is an input of all jobs that
begin from nothing: where the folder is lost, nobody knows which config and code the results
were made with, and everything is made again.
"""

_SELF = secrets.token_hex(8)
"""This process; numbers of processes come again, in containers nearly always."""

INSIDE = "PENALIZED_BANDITS_INSIDE_A_RUN"
"""Set for a Snakemake that a job of a run starts: it has no folder to take."""


def _lock(handle: int, *, shared: bool = False, wait: bool = False) -> bool:
    """Lock an open file or folder; return whether it was possible.

    Where there are no locks it counts as possible.
    """
    if fcntl is None:
        return True
    kind = fcntl.LOCK_SH if shared else fcntl.LOCK_EX
    try:
        fcntl.flock(handle, kind | (0 if wait else fcntl.LOCK_NB))
    except BlockingIOError:
        return False
    except OSError:  # a file system without locks
        return True
    return True


@contextmanager
def at_work(folder: Path | str = ".") -> Iterator[None]:
    """Mark a job as at work in a folder for as long as the block lasts."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        _lock(handle, shared=True, wait=True)
        yield
    finally:
        os.close(handle)


def _holders(folder: Path) -> list[int]:
    """Return the processes that hold a lock on a folder, where the system tells (Linux)."""
    try:
        lines = Path("/proc/locks").read_text(encoding="ascii").splitlines()
        inode = folder.stat().st_ino
    except (OSError, UnicodeDecodeError):
        return []
    fields = [line.split() for line in lines]
    found = {int(f[4]) for f in fields if f[1] == "FLOCK" and f[5].endswith(f":{inode}")}
    return sorted(found - {os.getpid()})


class Run:
    """A run in a folder, from reading its rules to its end."""

    def __init__(self, folder: Path | str = ".", notes: str = ".snakemake") -> None:
        self._folder = Path(folder)
        self._file = self._folder / notes / "run.lock"
        self.notes = self._folder / notes / "notes.txt"
        self._handle: int | None = None
        self._at_work: int | None = None
        self._problem: str | None = None

    def keep_notes(self, say: Callable[[str], None], results: Path | str = "results") -> None:
        """Make the file that says that notes on the results were kept, if it is not there.

        It is younger than every result: results that lie there without notes are stale.
        """
        if self.notes.exists():
            return
        newest = max((p.stat().st_mtime for p in _files([self._folder / results])), default=0.0)
        try:
            with whole_file(self.notes) as temporary:
                temporary.write_text(NOTES_TEXT, encoding="utf-8")
                if newest > time.time():
                    os.utime(temporary, (newest + 1, newest + 1))
        except WriteError as error:
            self._problem = str(error)
            say(self._problem)

    def prepare(self, say: Callable[[str], None], results: Path | str = "results") -> None:
        """Take the folder before looking at what is in it, if no other run has it.

        Jobs that outlived a killed run are waited for: they could write over what this
        one makes, or has found to be up to date.  What stands in the way of a run is said
        now, and stops it when it begins: there may be nothing to do.  Damaged results are
        deleted, so that they are made again.
        """
        if INSIDE in os.environ or self._problem is not None:
            return
        try:
            self._file.parent.mkdir(parents=True, exist_ok=True)
            handle = os.open(self._file, os.O_RDWR | os.O_CREAT, 0o644)
        except OSError as error:
            self._problem = remedy(error, self._file) or str(error)
            say(self._problem)
            return
        places = (self._file.parent, self._folder / results)
        self._problem = next((why for p in places if (why := _why_not_writable(p))), None)
        if self._problem is not None:
            os.close(handle)
            say(self._problem)
            return
        again = self._owner().get("run") == _SELF
        if not again and not _lock(handle):
            os.close(handle)
            return
        self._handle = handle
        with suppress(OSError):  # only for the message
            os.ftruncate(handle, 0)
            os.pwrite(handle, json.dumps(_here()).encode(), 0)
        if not again:
            self._wait_for_jobs(say)
        for path in harmed(self._folder / results):
            say(f"{path} is not what was written: it is deleted, to be made again.")
            path.unlink(missing_ok=True)

    def _wait_for_jobs(self, say: Callable[[str], None]) -> None:
        folder = os.open(self._folder, os.O_RDONLY)
        try:
            if not _lock(folder):
                holders = _holders(self._folder)
                which = f" (process {', '.join(map(str, holders))})" if holders else ""
                say(
                    f"Jobs of a run that was killed are still at work in this folder{which}: "
                    "waiting until they are done."
                )
                _lock(folder, wait=True)
                # What they wrote since the notes were begun anew is stale as well.
                with suppress(OSError):
                    self.notes.touch()
        finally:
            os.close(folder)

    def _owner(self) -> dict[str, object]:
        try:
            owner = json.loads(self._file.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}
        return owner if isinstance(owner, dict) else {}

    def begin(self, results: Path | str = "results", dated: Iterable[Path | str] = ()) -> None:
        """Begin to work; the folder is this run's until the process ends.

        What killed jobs left behind is deleted, and files from the future (``dated`` are
        folders of files that results stand on) are dated back, in their order.

        Raises RunError if another run has the folder, or results cannot be written.
        """
        if self._problem is not None:
            raise RunError(self._problem)
        if self._handle is None:
            owner = self._owner()
            which = f" (process {owner['pid']} on {owner['host']})" if "pid" in owner else ""
            raise RunError(
                f"another run{which} is working in this folder: wait until it ends, or stop it; "
                "then run the same command again"
            )
        self._at_work = os.open(self._folder, os.O_RDONLY)
        _lock(self._at_work, shared=True)
        results = self._folder / results
        for path in left_over(results):
            path.unlink(missing_ok=True)
        date_back([results, self.notes, *dated])

    def end(self) -> None:
        """Let others have the folder; the end of the process does the same."""
        for handle in (self._handle, self._at_work):
            if handle is not None:
                os.close(handle)
        self._handle = self._at_work = None


def _here() -> dict[str, object]:
    return {"pid": os.getpid(), "host": socket.gethostname(), "run": _SELF}


def _why_not_writable(folder: Path) -> str | None:
    """Say why a megabyte cannot be written to a folder, and what to do; None if it can."""
    if not folder.is_dir():
        return None
    probe = folder / f".{secrets.token_hex(8)}.probe"
    try:
        with probe.open("wb") as file:
            file.write(bytes(2**20))
            os.fsync(file.fileno())
    except OSError as error:
        problem = remedy(error, folder) or f"{folder}: {error}"
        return problem.replace(str(probe), str(folder))
    finally:
        with suppress(OSError):
            probe.unlink(missing_ok=True)
    return None


def _files(places: Iterable[Path | str]) -> Iterator[Path]:
    for place in map(Path, places):
        if place.is_dir():
            yield from (path for path in place.rglob("*") if path.is_file())
        elif place.is_file():
            yield place


def date_back(places: Iterable[Path | str]) -> list[Path]:
    """Date files from the future back to now, keeping which are older than which.

    After a clock was set back they would count as newer than all that is made from them.
    ``places`` are files, and folders with all that is below; returns those dated back.
    """
    now = time.time_ns()
    times = {path: path.stat().st_mtime_ns for path in _files(places)}
    future = sorted({when for when in times.values() if when > now})
    if not future:
        return []
    newest = max((when for when in times.values() if when <= now), default=now - 10**9)
    new = {
        when: newest + (now - newest) * rank // len(future) for rank, when in enumerate(future, 1)
    }
    changed = [path for path, when in times.items() if when in new]
    for path in changed:
        with suppress(PermissionError):  # another user's
            os.utime(path, ns=(now, new[times[path]]))
    return changed
