"""A journal of a live player: the file from which it comes back, whatever ended its process."""

import json
import os
import zlib
from collections.abc import Callable
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

import numpy as np

from penalized_bandits.common.errors import BanditError, WriteError, whole
from penalized_bandits.common.files import remedy, whole_file
from penalized_bandits.engine.disk import turn
from penalized_bandits.live.player import Player
from penalized_bandits.policies import Policy

EVENTS = ("choose", "update", "observe", "expire", "add_arm", "retire_arm")
"""Methods of a player that change it; their names with an underscore carry them out."""


class Journal:
    """A file in which each event of a player is before it happens, so that none is ever lost.

    The first line is a snapshot of the player, each other one an event since then.  A new snapshot
    takes the place of all lines in one step, so that there is no moment at which two files
    contradict each other.  Whoever opens the file gets the player of the last whole line, equal to
    the last bit; a line that the end of a process or of the power has cut short is an event that
    never returned.  If a line cannot be written, on a full disk, the method raises WriteError, and
    the event is neither in the player nor in the file: it can be tried again.

    Parameters
    ----------
    path
        The file.  One process has it open at a time, where its file system has locks.
    new
        The player to begin with if there is no such file; else it is ignored.
    policy
        The policy of the player in the file, if it is an own one.
    fsync
        Whether an event is on the disk before its method returns, so that it outlives a power cut.
        If not, it outlives its process alone.
    snapshot_every
        Events after which a snapshot is written, as when the file is opened or closed.

    Raises
    ------
    BanditError
        If another process has the file open, a line before the last was changed, its events do not
        give the choices that they gave, or a parameter makes no sense.
    WriteError
        If the disk is full, or the file cannot be written.

    Examples
    --------
    >>> from contextlib import closing
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     file, new = f"{folder}/player.journal", Player("ucb1", [0.0, 0.0], penalties=0.0)
    ...     with closing(Journal(file, new)) as journal:
    ...         choice = journal.player.choose()
    ...     journal = Journal(file)
    ...     journal.player.update(choice.id, 1.0)
    ...     journal.close()
    ...     journal.player.counts
    [1, 0]
    """

    player: Player
    """The player whose events are in the file; copies of it are in none."""

    def __init__(
        self,
        path: Path | str,
        new: Player | None = None,
        *,
        policy: str | Policy | None = None,
        fsync: bool = True,
        snapshot_every: int = 10_000,
    ) -> None:
        self._path, self._fsync = Path(path).resolve(), fsync
        self._every = whole("snapshot_every", snapshot_every, 1)
        with ExitStack() as stack:
            try:
                lock = self._path.with_name(f".{self._path.name}.lock")
                stack.enter_context(turn(lock, wait=False))
            except BlockingIOError:
                raise BanditError(f"path is {str(path)!r}, which is open elsewhere") from None
            player = _read(self._path, policy) if self._path.exists() else new
            if not isinstance(player, Player) or player._journal:
                raise BanditError(
                    f"new is {new!r:.80}: it must be a player without a journal, as there is no "
                    f"file {str(path)!r} yet"
                )
            self.player = player
            player._choices.renew()
            self._snapshot()
            player._journal = self
            self._held = stack.pop_all()
            self._closed = False

    def _snapshot(self) -> None:
        """Write a snapshot in place of all lines."""
        with self.player._lock:
            word = self.player._choices.words[-1][1]
            line = _line({"word": word, "state": self.player.state()})
            before = self._path.stat().st_ino if self._path.exists() else None
            try:
                with whole_file(self._path) as temporary:
                    temporary.write_bytes(line)
            finally:
                # Whatever came in between, the lines are those of the file that is there.
                if self._path.exists() and self._path.stat().st_ino != before:
                    self._size, self._events = len(line), 0

    def close(self) -> None:
        """Write a snapshot, if the disk has room, and leave the file to others.

        The player refuses all further events.
        """
        with self.player._lock:
            if not self._closed:
                with suppress(OSError):
                    self._snapshot()
                self._closed = True
                self._held.close()

    def _leave(self) -> None:
        """Let a process that was forked go on without the journal, which is the parent's."""
        self.player._journal, self._closed = None, True
        self._held.close()

    def _carry_out(self, event: str, facts: dict[str, Any], act: Callable[[], Any]) -> Any:
        """Write a line for an event and carry it out, or neither."""
        if self._closed:
            raise BanditError(f"the journal {str(self._path)!r} was closed: open it again")
        line = _line([event, facts, _check(self.player)])
        try:
            with self._path.open("r+b", buffering=0) as file:
                file.seek(self._size)
                rest = memoryview(line)
                while rest:
                    rest = rest[file.write(rest) :]
                if self._fsync:
                    os.fsync(file.fileno())
            result = act()
        except BaseException as error:
            with suppress(OSError):  # the next line is written over what is left
                os.truncate(self._path, self._size)
            if not isinstance(error, Exception) or isinstance(error, MemoryError):
                # The player may be half changed; opened again, the file has it as it was.
                self._closed = True
                self._held.close()
            message = remedy(error, self._path) if isinstance(error, OSError) else None
            if message and not isinstance(error, WriteError):
                raise WriteError(message) from None
            raise
        self._size, self._events = self._size + len(line), self._events + 1
        if self._events % self._every == 0:
            with suppress(OSError):  # all events are there; after as many the next attempt
                self._snapshot()
        return result


def _line(content: object) -> bytes:
    """Return a line with a checksum before its text."""
    text = json.dumps(content, default=np.ndarray.tolist).encode()
    return b"%08x %s\n" % (zlib.crc32(text), text)


def _content(line: bytes) -> Any:
    """Return what a line has; None if its checksum differs."""
    check, _, text = line.partition(b" ")
    return json.loads(text) if check == b"%08x" % zlib.crc32(text) else None


def _check(player: Player) -> int:
    """Return a checksum of the pulls."""
    return zlib.crc32(np.array(player._play.pulls, np.int64).tobytes())


def _read(path: Path, policy: str | Policy | None) -> Player:
    """Return the player of a journal."""
    *lines, _cut_short = path.read_bytes().split(b"\n")
    first, *events = [_content(line) for line in lines] or [None]
    if events and events[-1] is None:
        events.pop()  # cut short by the end of the power
    if first is None or None in events:
        damaged = 1 if first is None else events.index(None) + 2
        raise BanditError(
            f"line {damaged} of {str(path)!r} is no line of a journal, or was changed"
        )
    player = Player.from_state(first["state"], policy)
    player._choices.renew(first["word"])
    for number, (event, facts, check) in enumerate(events, start=2):
        if check != _check(player):
            raise BanditError(
                f"the lines of {str(path)!r} before line {number} give other choices than they "
                "gave: read it with the versions of Python and of the packages that wrote it"
            )
        try:
            getattr(player, f"_{EVENTS[EVENTS.index(event)]}")(**facts)
        except Exception:
            if number <= len(events):  # else it failed then too, and its line was to go
                raise
    return player
