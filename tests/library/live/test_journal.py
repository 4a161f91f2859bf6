"""A journal: the player comes back bit for bit, whatever ended its process, and none is forked."""

import errno
import os
import resource
import shutil
import signal
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager, nullcontext
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from penalized_bandits import BanditError, Policy
from penalized_bandits.common.errors import WriteError
from penalized_bandits.engine import disk
from penalized_bandits.live import Choice, Journal, Player


def player_of(policy: str | Policy = "hard_threshold_ucb", **options: Any) -> Player:
    return Player(policy, [0.1, 0.2, 0.2], 0.5, **options)


@contextmanager
def full_disk(file: Path, room: int) -> Iterator[None]:
    """Let files grow to this one's size and some bytes more: writes are cut short, then fail."""
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (file.stat().st_size + room, limits[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)


class Service:
    def __init__(self, file: Path, draw: Callable[[Any], Any]) -> None:
        self.draw, self.file = draw, file
        self.options = {"fsync": draw(st.booleans()), "snapshot_every": draw(st.integers(1, 9))}
        memories = ["pond", "forgetting_threshold"]
        policy = draw(st.sampled_from(["hard_threshold_ucb", "thompson_hard_threshold", *memories]))
        tuning = 3.0 if policy in memories else None
        self.journal = Journal(file, player_of(policy, tuning=tuning, seed=3), **self.options)
        self.open, self.rewarded = list[Choice](), list[Choice]()
        self.events = ["choose", "reward", "reward", "retry", "give up"]
        self.events += [] if policy == "pond" else ["observe", "arms", "some"]

    @property
    def player(self) -> Player:
        return self.journal.player

    def event(self) -> Callable[[], int]:
        """Return a request, which returns the number of rewards that it brings."""
        kind, value = self.draw(st.sampled_from(self.events)), self.draw(st.floats(0, 1))
        if kind == "observe":
            return lambda: self.player.observe(1, [value, 0.5]) or 2
        if kind == "arms":
            rest = len(self.player._play.in_service)
            if rest > 2:
                return lambda: self.player.retire_arm(self.player._play.in_service[0], 0.1) or 0
            return lambda: 0 * self.player.add_arm(0.1, 0.5)
        if kind == "give up":
            self.open, lost = [], value < 0.5
            give_up = lambda: sum(self.player.expire(0.0, as_reward=None if lost else value))  # noqa: E731
            return lambda: give_up() * (not lost)
        if kind == "reward" and self.open:
            self.rewarded.append(self.open.pop(0))
            return lambda: self.player.update([self.rewarded[-1].id], [value]) or 1
        if kind == "retry" and self.rewarded:
            return self.retry
        some = self.player._play.in_service[:2] if kind == "some" else None
        self.answer, n = list[Choice](), self.draw(st.integers(1, 4))
        return lambda: self.open.extend(self.player.choose(n, available=some)) or 0

    def retry(self) -> int:
        with pytest.raises(BanditError, match="reported before"):
            self.player.update(self.rewarded[-1].id, 0.5)
        return 0

    def killed(self, event: Callable[[], int]) -> int:
        """End the process in the middle of an event, and try it again if it brings a reward."""
        before, content, known = self.player.state(), self.file.read_bytes(), [*self.open]
        rewards, after, later = event(), self.player.state(), self.file.read_bytes()
        self.open = known  # the answer never comes
        self.journal._held.close()  # as the system does
        written = len(later) - len(content)
        if later.startswith(content):
            # All lines are longer than 40 bytes.
            cut = self.draw(st.none() | st.integers(0, 40))
            written = written if cut is None else cut
            self.file.write_bytes(later[: len(content) + written])
        unfinished = self.file.with_name(f".{'0' * 16}.{self.file.name}")
        unfinished.write_bytes(content[:20])  # a snapshot that was not finished
        happened = not later.startswith(content) or len(content) + written == len(later)
        self.journal = Journal(self.file, **self.options)
        assert self.player.state() == (after if happened else before)
        assert not unfinished.exists()
        return rewards if happened else event()


@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_no_event_is_lost_or_counted_twice(data: st.DataObject) -> None:
    with TemporaryDirectory() as folder, ExitStack() as stack:
        service, rewards = Service(Path(folder) / "player.journal", data.draw), 0
        stack.callback(lambda: service.journal._held.close())
        for _ in range(data.draw(st.integers(1, 25))):
            event, fault = service.event(), data.draw(st.sampled_from(["", "", "full", "kill"]))
            if fault == "kill":
                rewards += service.killed(event)
                continue
            before, size = service.player.state(), service.file.stat().st_size
            if fault == "full":
                with full_disk(service.file, data.draw(st.integers(0, 20))):
                    full = pytest.raises(WriteError, match="raise the limit on the size of files")
                    # A refused retry writes nothing.
                    with full if event != service.retry else nullcontext():
                        event()
                assert (service.player.state(), service.file.stat().st_size) == (before, size)
            rewards += event()
        assert sum(service.player.counts) == rewards
        state = service.player.state()
        service.journal.close()
        with closing(Journal(service.file)) as journal:
            assert journal.player.state() == state


def test_fsync_is_before_an_event(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rounds, flush = list[int](), os.fsync
    for fsync in (True, False):
        with closing(Journal(tmp_path / "a.journal", player_of(), fsync=fsync)) as journal:
            player = journal.player
            with monkeypatch.context() as patch:
                patch.setattr(
                    os, "fsync", lambda fd, p=player: rounds.append(p.rounds) or flush(fd)
                )
                player.choose(2)
                player.choose(2)
    assert rounds == [0, 2]


def test_what_is_no_journal_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "a.journal"
    with pytest.raises(BanditError, match="new is None: it must be a player without a journal"):
        Journal(file)
    journal = Journal(file, player_of())
    with pytest.raises(BanditError, match=r"a.journal', which is open elsewhere"):
        Journal(file)
    with pytest.raises(BanditError, match="must be a player without a journal"):
        Journal(tmp_path / "b.journal", journal.player)
    for _ in range(3):
        journal.player.choose(2)
    content = file.read_bytes()
    journal.close()
    with pytest.raises(BanditError, match=r"a.journal' was closed: open it again"):
        journal.player.choose()
    lines = content.split(b"\n")
    file.write_bytes(content.replace(lines[1], lines[1].replace(b"choose", b"chosen")))
    with pytest.raises(BanditError, match=r"line 2 of .* is no line of a journal, or was"):
        Journal(file)
    file.write_bytes(b"no journal\n")
    with pytest.raises(BanditError, match="line 1 of"):
        Journal(file)
    file.write_bytes(b"")
    with pytest.raises(BanditError, match="is empty, which no journal ever is"):
        Journal(file)


def test_other_choices_on_replay_end_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As of another library whose last bit decides otherwise."""
    journal = Journal(tmp_path / "a.journal", player_of())
    journal.player.update(journal.player.choose(), 0.5)
    journal._held.close()
    monkeypatch.setattr(Player, "_choose", lambda *_: ([], []))
    with pytest.raises(BanditError, match=r"lines of .* before line 3 give other choices than"):
        Journal(journal._path)


def test_a_forked_process_leaves_the_journal_to_its_parent(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "a.journal", player_of())
    if (child := os.fork()) == 0:
        signal.alarm(10)
        try:
            journal.player.choose()
        except BanditError as error:
            refused = "open in the process that forked this one: open one here" in str(error)
            journal.close()
            Player.from_state(journal.player.state()).choose()
            os._exit(not refused)
        os._exit(2)
    assert os.waitpid(child, 0)[1] == 0
    assert (journal._events, len(journal._path.read_bytes().splitlines())) == (0, 1)
    with pytest.raises(BanditError, match="open elsewhere"):
        Journal(journal._path)
    journal.player.choose()
    journal.close()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda file: os.truncate(file, 0), "has another length"),
        (lambda file: file.write_bytes(file.read_bytes() + b"x"), "has another length"),
        (lambda file: Path(shutil.copy(file, f"{file}.1")).replace(file), "is another file"),
        (lambda file: file.unlink(), "is not there"),
    ],
)
def test_a_file_that_others_changed_is_noticed_at_the_next_event(
    change: Callable[[Path], object], message: str, tmp_path: Path
) -> None:
    file = tmp_path / "a.journal"
    journal = Journal(file, player_of())
    choice = journal.player.choose()
    state = journal.player.state()
    change(file)
    found = file.read_bytes() if file.exists() else None
    for event in (journal.player.choose, lambda: journal.player.update(choice, 0.5)):
        with pytest.raises(WriteError, match=f"{message} since its last event"):
            event()
    journal.close()
    assert (file.read_bytes() if file.exists() else None) == found
    assert journal.player.state() == state
    journal.player.save(tmp_path / "kept.json")
    with closing(Journal(tmp_path / "other", Player.load(tmp_path / "kept.json"))) as again:
        again.player.update(choice, 0.5)


def test_what_the_player_in_the_file_has_otherwise_is_named(tmp_path: Path) -> None:
    file = tmp_path / "a.journal"
    Journal(file, player_of()).close()
    other = Player("ucb1", [0.1, 0.2, 0.3], 0.5, noise=1.0)
    differ = r"another policy ucb1 \(there hard_t.*; fairness .*; noise 1.0 \(there 0.5\), which"
    with pytest.warns(UserWarning, match=differ):
        journal = Journal(file, other)
    player = journal.player
    assert player.policy.id == "hard_threshold_ucb"
    assert (player.fairness.tolist(), player.penalties.tolist()) == ([0.1, 0.2, 0.2], [0.5] * 3)
    player.retire_arm(0, [0.0, 0.2, 0.2])
    journal.close()
    # Neither what it began with nor what it is now is another.
    Journal(file, player_of()).close()
    Journal(file, Player("hard_threshold_ucb", [0.0, 0.2, 0.2], 0.5)).close()


@pytest.mark.parametrize(
    ("number", "message"),
    [
        (errno.EACCES, "Permission denied; make the folder writable"),
        (errno.ENOLCK, "as its file system keeps no locks: choose another"),
    ],
)
def test_a_file_that_cannot_be_locked_is_refused(
    number: int, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(disk.fcntl, "flock", fails)
    with pytest.raises(WriteError, match=message):
        Journal(tmp_path / "a.journal", player_of())
    assert not (tmp_path / "a.journal").exists()
    player_of().save(tmp_path / "player.json")  # without a lock: no process keeps it open
