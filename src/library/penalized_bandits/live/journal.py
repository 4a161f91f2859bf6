"""A journal of a live player: the file from which it comes back, whatever ended its process."""

import json
import os
import warnings
import zlib
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

import numpy as np

from penalized_bandits.common.changes import Change
from penalized_bandits.common.errors import BanditError, WriteError, whole
from penalized_bandits.common.files import remedy, whole_file
from penalized_bandits.engine.disk import turn
from penalized_bandits.live._state import BY_ARM
from penalized_bandits.live.player import Player
from penalized_bandits.policies import Policy

EVENTS = {
    "choose": ("n", "available", "repeat", "at"),
    "update": ("taken",),
    "observe": ("arm", "rewards"),
    "expire": ("before", "as_reward"),
    "add_arm": ("fairness", "penalty", "name", "ceiling"),
    "retire_arm": ("fairness", "rest"),
}
"""Methods of a player that change it, and the facts of each that its line has."""
NO_LOCK = "two processes could have it open, as its file system keeps no locks: choose another"


class Journal:
    """A file in which each event of a player is before it happens, so that none is ever lost.

    The first line is a snapshot of the player, each other one an event since then.  A new snapshot
    takes the place of all lines in one step, so that there is no moment at which two files
    contradict each other.  Whoever opens the file gets the player of the last whole line, equal to
    the last bit; a line that the end of a process or of the power has cut short is an event that
    never returned.  If a line cannot be written, on a full disk, the method raises WriteError, and
    the event is neither in the player nor in the file: it can be tried again.  A file that was
    truncated, replaced or deleted is detected at the next event; the player then takes no more.  So
    does a fork of this process: open the journal there, after the fork.  A copy of the file at any
    moment is a journal.

    Parameters
    ----------
    path
        The file.  One process has it open at a time; on a network file system whose locks are of
        one machine (NFS with ``nolock`` or ``local_lock``), one on each.
    new
        The player to begin with if there is no such file; else it is ignored, with a warning that
        names what it has otherwise.
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
        If the disk is full, or the file cannot be written or locked, or is not what it was.

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
        self._closed: BanditError | WriteError | None = None
        self._file: Any = None
        lock = self._path.with_name(f".{self._path.name}.lock")
        with ExitStack() as stack:
            try:
                stack.enter_context(turn(lock, wait=False))
            except BlockingIOError:
                raise BanditError(f"path is {str(path)!r}, which is open elsewhere") from None
            except OSError as error:
                no_lock = f"{path}: {error.strerror}: {NO_LOCK}"
                raise WriteError(remedy(error, lock.parent) or no_lock) from None
            exists = self._path.exists()
            player, self._begun = _read(self._path, policy) if exists else (new, {})
            if not isinstance(player, Player) or player._journal:
                right = f"a player without a journal, as there is no file {str(path)!r} yet"
                raise BanditError(f"new is {new!r:.80}: it must be {right}")
            if exists and isinstance(new, Player):
                self._warn(_about(new), _about(player))
            self.player, self._begun = player, self._begun or _about(player)
            player._choices.renew(player._play.rounds)
            self._next: tuple[tuple[int, int], int] | None = None
            player._together(self._write_snapshot)
            player._journal = self
            stack.callback(lambda: self._file.close())
            self._held = stack.pop_all()

    def _warn(self, new: dict[str, Any], there: dict[str, Any]) -> None:
        """Warn of arguments in which the player in the file differs from the one asked for."""
        # Arms that came or went since then are no reason.
        differ = [k for k in new if new[k] != there[k] and new[k] != self._begun.get(k)]
        if differ:
            what = "; ".join(f"{k} {new[k]!s:.80} (there {there[k]!s:.80})" for k in differ)
            warnings.warn(
                f"the player in {str(self._path)!r} goes on as it is: new has another {what}, "
                "which is ignored; begin another file, or change the arms of journal.player",
                stacklevel=3,
            )

    def _write_snapshot(self) -> None:
        """Write a snapshot in place of all lines."""
        word = self.player._choices.words[-1][1]
        line = _line({"word": word, "begun": self._begun, "state": self.player.state()})
        with whole_file(self._path) as temporary:
            temporary.write_bytes(line)
            # Whatever comes in between, the next event knows this file too.
            self._next = _identity(temporary.stat()), len(line)
        self._adopt()

    def _adopt(self) -> None:
        """Go on with the snapshot that was written last, if it is there."""
        if self._next and self._next[0] == _identity(self._path.stat()):
            if self._file:
                self._file.close()
            self._file = self._path.open("r+b", buffering=0)
            self._place, self._size = self._next
            self._events, self._next = 0, None

    def close(self) -> None:
        """Write a snapshot, if the disk has room, and leave the file; refuse all later events."""
        self.player._together(self._close)

    def _close(self) -> None:
        if self._closed is None:
            with suppress(OSError):
                self._check_file()
                self._write_snapshot()
            self._leave(BanditError(f"the journal {str(self._path)!r} was closed: open it again"))

    def _leave(self, why: BanditError | WriteError) -> None:
        """Take part in no further event."""
        self._closed = self._closed or why
        self._held.close()

    def _forked(self) -> None:
        """Refuse events in a process that was forked from the one that has the file open."""
        text = f"the journal {str(self._path)!r} is open in the process that forked this one"
        self._leave(BanditError(f"{text}: open one here, after the fork"))

    def _check_file(self) -> None:
        """Raise an error unless the file is that of the last event, and as long as it was then."""
        if self._closed is None:
            status, reason = None, "is not there"
            with suppress(FileNotFoundError):
                self._adopt()
                status, reason = self._path.stat(), "is another file"
            if status and _identity(status) == self._place:
                if status.st_size == self._size:
                    return
                reason = "has another length"
            text = f"the journal {str(self._path)!r} {reason} since its last event: it was changed,"
            rest = "or an event interrupted; bring it back and open it again, or keep the player"
            self._leave(WriteError(f"{text} {rest} with save()"))
        raise type(self._closed)(str(self._closed))  # type: ignore[arg-type]

    def _commit(self, event: str, facts: tuple[Any, ...], changes: list[Change]) -> None:
        """Write a line for an event and let it happen, or neither."""
        # How many samples a probability is of is no matter of the player's state.
        named = dict(zip(EVENTS[event], facts, strict=False))
        line = _line([event, named, zlib.crc32(self.player._play.pulls.tobytes())])
        changes.append((vars(self), "_size", self._size + len(line)))
        changes.append((vars(self), "_events", self._events + 1))
        try:
            self._file.seek(self._size)
            rest = memoryview(line)
            while rest:
                rest = rest[self._file.write(rest) :]
            if self._fsync:
                os.fsync(self._file.fileno())
            self.player._changes = changes
            self.player._finish()
        except BaseException as error:
            # If the event has not happened, its line goes; or the next event finds it there.
            with suppress(OSError):
                self.player._finish()
                self._file.truncate(self._size)
            message = remedy(error, self._path) if isinstance(error, OSError) else None
            if message:
                raise WriteError(message) from None
            raise
        if self._events % self._every == 0:
            with suppress(OSError):  # all events are there; after as many the next attempt
                self._write_snapshot()


def _identity(file: os.stat_result) -> tuple[int, int]:
    return file.st_dev, file.st_ino


def _about(player: Player) -> dict[str, Any]:
    """Return the arguments of a player."""
    arms = {key: getattr(player, key).tolist() for key in BY_ARM}
    return {"policy": player.policy.id, **arms, "names": player.names, **player._given}


def _line(content: object) -> bytes:
    """Return a line with a checksum before its text."""
    text = json.dumps(content, default=np.ndarray.tolist).encode()
    return b"%08x %s\n" % (zlib.crc32(text), text)


def _content(line: bytes) -> Any:
    """Return the content of a line; None if its checksum differs."""
    check, _, text = line.partition(b" ")
    return json.loads(text) if check == b"%08x" % zlib.crc32(text) else None


def _read(path: Path, policy: str | Policy | None) -> tuple[Player, dict[str, Any]]:
    """Return the player of a journal, and its arguments when the journal began."""
    content = path.read_bytes()
    if not content:
        raise BanditError(
            f"{str(path)!r} is empty, which no journal ever is: if it was one, take a copy of it; "
            "else delete it, and the journal begins with new"
        )
    *lines, _cut_short = content.split(b"\n")
    first, *events = [_content(line) for line in lines] or [None]
    if events and events[-1] is None:
        events.pop()  # cut short by the end of the power
    if first is None or None in events:
        bad = 1 if first is None else events.index(None) + 2
        raise BanditError(f"line {bad} of {str(path)!r} is no line of a journal, or was changed")
    player = Player.from_state(first["state"], policy)
    player._choices.renew(player._play.rounds, first["word"])
    for number, (event, facts, check) in enumerate(events, start=2):
        if check != zlib.crc32(player._play.pulls.tobytes()):
            raise BanditError(
                f"the lines of {str(path)!r} before line {number} give other choices than they "
                "gave: read it with the versions of Python and of the packages that wrote it"
            )
        player._do(getattr(player, f"_{event}"), *(facts[name] for name in EVENTS[event]))
    return player, first["begun"]
