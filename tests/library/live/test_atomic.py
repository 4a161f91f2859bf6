"""Events of a live player, with an exception at each line of each: whole, or not at all."""

import math
import os
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

import penalized_bandits
from penalized_bandits import Arm, BanditError, Policy, Round
from penalized_bandits.common.errors import WriteError
from penalized_bandits.live import Choice, Journal, Player, _arms, choice, player
from penalized_bandits.live.journal import _read

PACKAGE = str(Path(penalized_bandits.__file__).parent)


class Stopped(BaseException):
    """What a time limit or an interrupt raises."""


class Raising:
    """Count the package's lines that are run, and raise at one of them."""

    def __init__(self, at: int = -1) -> None:
        self.lines, self._at = 0, at

    def __call__(self, frame: FrameType, event: str, _: object) -> Any:
        if not frame.f_code.co_filename.startswith(PACKAGE):
            return None
        if event == "line":
            self.lines += 1
            if self.lines - 1 == self._at:
                raise Stopped
        return self

    def run(self, act: Callable[[], object]) -> None:
        before = sys.gettrace()
        sys.settrace(self)
        try:
            act()
        finally:
            sys.settrace(before)


def urgent(arm: Arm) -> float:
    return arm.queue if arm.below and arm.n % 3 > 0 else -math.inf


def keeping(state: Round) -> int:
    state.memory[0] += state.means
    return int((state.memory[0] / state.pulls).argmax())


POLICIES: list[str | Policy] = [
    *("hard_threshold_ucb", "lfg", "thompson_floors", "banditq"),
    Policy("urgent", index=lambda arm: arm.mean + arm.radius, urgency=urgent),
    Policy("keeping", choose=keeping, memory=1),
]


def waiting(one: Player, n: int) -> Choice:
    opened = [(n, k) for k, each in enumerate(one._choices.open) for n in each]
    number, arm = sorted(opened)[n]
    return Choice(arm, f"{number}-{arm}-{one._choices.words[0][1]}")


EVENTS: dict[str, Callable[[Player], object]] = {
    "choose": lambda p: p.choose(),
    "with a probability": lambda p: p.choose(draws=1),
    "batch": lambda p: p.choose(3),
    "by arm": lambda p: p.update(int(waiting(p, 1)), 0.3),
    "by id": lambda p: p.update(waiting(p, 0).id, 1.0),
    "many": lambda p: p.update([waiting(p, 2).id, int(waiting(p, 1))], [0.5, 0.25]),
    "expire": lambda p: p.expire(0.0),
    "expire as 0": lambda p: p.expire(0.0, as_reward=0.0),
    "snapshot": lambda p: p._journal and p._together(p._journal._write_snapshot),
}
BY_ARM: dict[str, Callable[[Player], object]] = {
    "some": lambda p: p.choose(available=[0, 2]),
    "without repetition": lambda p: p.choose(2, repeat=False),
    "observe": lambda p: p.observe(1, [0.5, 1.0]),
    "add": lambda p: p.add_arm(0.1, 0.5, "d"),
    "retire": lambda p: p.retire_arm("b", [0.2, 0.0, 0.3]),
}


@pytest.fixture(autouse=True)
def same_each_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "fsync", lambda _: None)
    monkeypatch.setattr(choice.secrets, "token_hex", lambda n: "0" * 2 * n)
    for module in (_arms, player):
        monkeypatch.setattr(module, "now", lambda: 1e9)


def started(policy: str | Policy) -> Player:
    tuning = {"lfg": 2.0, "banditq": 5.0}.get(str(policy))
    one = Player(policy, [0.2, 0.1, 0.3], 0.5, tuning=tuning, names=["a", "b", "c"], patience=9)
    for n in range(5):
        chosen = one.choose(2)
        one.update(chosen[n % 2].id, n % 3 / 2)
    one.update(waiting(one, -1).id, 0.1)
    return one


class Case:
    def __init__(
        self, policy: str | Policy, event: Callable[[Player], object], folder: Path
    ) -> None:
        self.policy, self.event, self.folder = policy, event, folder
        self.before = started(policy).state()
        one = self.new()
        event(one)
        self.after = one.state()
        one.choose()  # what draws is compiled by now

    def new(self, journal: str = "") -> Player:
        one = Player.from_state(self.before, self.policy)
        if journal:
            Journal(self.folder / journal, one, policy=self.policy, fsync=False)
        return one

    def places(self, *, journal: bool) -> int:
        one, counter = self.new("counted" if journal else ""), Raising()
        counter.run(lambda: self.event(one))
        self.end(one)
        return counter.lines

    def end(self, one: Player) -> None:
        if one._journal:
            one._journal._held.close()
            for file in self.folder.iterdir():
                file.unlink()

    def wrong(self, at: int, *, journal: bool) -> Iterator[str]:
        """Raise at a line; yield what then differs."""
        one = self.new("journal" if journal else "")
        with suppress(Stopped):
            Raising(at).run(lambda: self.event(one))
        state, closed, restarted = one.state(), False, ""
        if state not in (self.before, self.after):
            yield "half of it happened"
        if journal:
            restarted = self.restarted(one)
            try:
                one._journal._check_file()
            except (BanditError, WriteError):
                closed = True
            if restarted not in (self.before, self.after):
                yield "half of it is in the file"
            if not closed and restarted != state:
                yield "file and player differ"
        if not closed:
            second = threading.Thread(target=one.choose, daemon=True)
            second.start()
            second.join(1.0)
            if second.is_alive():
                yield "the lock is held"
        if journal and not closed and self.restarted(one) != one.state():
            yield "file and player differ after another choice"
        self.end(one)

    def restarted(self, one: Player) -> str:
        try:
            return _read(self.folder / "journal", self.policy)[0].state()
        except BanditError as error:
            return str(error)


ALL = [(policy, True) for policy in POLICIES] + [("hard_threshold_ucb", False), ("banditq", False)]


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # files left open
@pytest.mark.parametrize(("policy", "journal"), ALL, ids=lambda value: getattr(value, "id", value))
def test_an_event_is_whole_or_none(policy: str | Policy, journal: bool, tmp_path: Path) -> None:
    # Of BanditQ arms neither sleep nor come and go.
    events = EVENTS if policy == "banditq" else EVENTS | BY_ARM
    places = 0
    for name, event in events.items():
        case = Case(policy, event, tmp_path)
        lines = case.places(journal=journal)
        assert lines > 80 or (name == "snapshot" and not journal)
        for at in range(lines):
            assert not [*case.wrong(at, journal=journal)], (name, at)
        places += lines
    assert places > 1_500


def failing(error: type[BaseException] | None) -> Callable[[Any], float]:
    def index(arm: Arm) -> float:
        if arm.n == 8 and error:
            raise error
        return math.nan if arm.n == 8 else arm.mean + arm.pulls / 100

    return index


@pytest.mark.parametrize("error", [None, ZeroDivisionError, RecursionError, KeyboardInterrupt])
@pytest.mark.parametrize("slots", [1, 4])
def test_a_formula_that_fails_leaves_all_as_it_was(
    error: type[BaseException] | None, slots: int, tmp_path: Path
) -> None:
    policy = Policy("mine", index=failing(error), first_pulls=False)
    new = Player(policy, [0.0, 0.0, 0.0], 0.0)
    with closing(Journal(tmp_path / "journal", new, policy=policy, fsync=False)) as journal:
        one = journal.player
        one.update(one.choose(7), [0.5] * 7)
        before, content = one.state(), journal._path.read_bytes()
        with pytest.raises(error or BanditError):
            one.choose(slots)
        assert (one.state(), journal._path.read_bytes()) == (before, content)
        one.observe(0, 0.5)
        assert _read(journal._path, policy)[0].state() == one.state()


def test_a_refused_choice_does_not_start_the_rule() -> None:
    policy = Policy("mine", index=lambda arm: math.nan if arm.n == 2 else arm.mean)
    one = Player(policy, [0.0, 0.0], 0.0)
    one.update(one.choose(), 0.5)
    twin = Player.from_state(one.state(), policy)
    with pytest.raises(BanditError, match="nan as the index of arm 0 in round 2"):
        one.choose(available=[0])
    assert one.state() == twin.state()
    assert [one.choose() for _ in range(6)] == [twin.choose() for _ in range(6)]
