"""Events of a live player: worked out on the side, they happen whole or not at all."""

import math
import os
import threading
from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any, TypeVar, cast
from weakref import WeakSet

import numpy as np
from numpy.typing import ArrayLike

from penalized_bandits.common.changes import Change, apply
from penalized_bandits.engine._scores import PULLS
from penalized_bandits.engine.play import Play
from penalized_bandits.live._checks import named
from penalized_bandits.live.choice import Choices, chances
from penalized_bandits.statistics.anytime import Tally

T = TypeVar("T")
Method = TypeVar("Method", bound=Callable[..., Any])
Taken = tuple[int, int | None, float]
"""A reward that is taken: arm, number of the choice if it is known, and its value."""
Event = tuple[list[Change], Any]  # what an event changes, and what its method returns


def alone(method: Method) -> Method:
    """Let a method run while no other thread's does, after past events are applied."""

    @wraps(method)
    def locked(self: Any, *given: Any, **named: Any) -> Any:
        # In one line: before the end of a longer block an exception would leave the lock held.
        with self._lock: return (self._finish() if self._changes else None) or method(self, *given, **named)  # noqa: E501, E701  # fmt: skip

    return cast("Method", locked)


class Events:
    """What a player knows, and how an event changes it.

    A method with the name of an event and an underscore works it out on the side.  The event has
    happened once its changes are assigned to ``_changes``: whatever comes then, they are applied.
    """

    _other_noise: Callable[[Any, int], Any]

    def __init__(self, play: Play, names: Any, given: dict[str, Any]) -> None:
        self._play, self._lock, self._given = play, threading.RLock(), given
        self._choices = Choices(play, given["remembered"])
        self._journal: Any = None
        self._changes: list[Change] = []
        self._tally = Tally(play.n_arms)
        self._numbers = {} if names is None else named(names, play.n_arms)
        _ALL.add(self)

    @alone
    def _together(self, act: Callable[[], T]) -> T:
        return act()

    def _finish(self) -> None:
        """Apply the changes of an event that has happened; interrupted, do so once more."""
        apply(self._changes)
        self._changes = []

    def _do(self, event: Callable[..., Event], *facts: Any) -> Any:
        """Carry out an event whose facts are checked, whole or not at all; a journal has them."""
        journal = self._journal
        if journal is None:
            self._changes, result = event(*facts)
            self._finish()
        else:
            journal._check_file()
            changes, result = event(*facts)
            journal._commit(event.__name__[1:], facts, changes)
        return result

    def _due(self, arm: int) -> int:
        play, tally = self._play, self._tally
        return int(play.stats[PULLS, arm]) - (play.seen(arm) - tally.history[arm]) - tally.lost[arm]

    def _choose(
        self, n: int, available: ArrayLike | None, repeat: bool, at: float, draws: int = 0
    ) -> Event:
        there = None if available is None else np.asarray(available, np.int64)
        play, random = self._play, bool(self._play.policy.draws)
        first = play.rounds + 1
        if n == 1 and not draws:
            arm, changes = play.turn(there)
            arms, shares = [arm], [math.nan if random else 1.0]
        else:
            play, arms, shares = play.twin(), list[int](), list[float]()
            for size in [1] * n if repeat and draws else [n]:
                chance = chances(play, self._other_noise, draws, (size, there, repeat))
                some = [*play.batch(size, there, repeat)]
                arms, shares = arms + some, shares + [chance(k) for k in some]
            changes = [(vars(self), "_play", play)]
        more, issued = self._choices.issue(first, arms, shares, at)
        return changes + more, issued

    def _update(self, taken: list[Taken]) -> Event:
        if len(taken) == 1:
            k, number, value = taken[0]
            late, done = self._choices.rewarded(k, [(number, value)], self._due)
            more = self._tally.counted([(k, value)], [(k, reward) for reward in done])
            return self._shown(k, [value], [number]) + late + more, None
        by_arm: dict[int, list[tuple[int | None, float]]] = {}
        for k, number, value in taken:
            by_arm.setdefault(k, []).append((number, value))
        changes, complete = list[Change](), list[tuple[int, float]]()
        for k, pairs in by_arm.items():
            late, done = self._choices.rewarded(k, pairs, self._due)
            numbers, values = zip(*pairs, strict=True)
            changes += self._shown(k, [*values], numbers) + late
            complete += [(k, value) for value in done]
        return changes + self._tally.counted([(k, x) for k, _, x in taken], complete), None

    def _shown(self, arm: int, rewards: list[float], numbers: Sequence[int | None]) -> list[Change]:
        """Return the changes of rewards; a policy with a memory is shown the rounds of choices."""
        if self._play.policy.memory and None in numbers:
            numbers = self._choices.made(arm, numbers, self._due(arm))
        return self._play.rewarded(arm, rewards, numbers)

    def _observe(self, arm: int, rewards: list[float]) -> Event:
        if not rewards:
            return [], None
        changes = self._play.rewarded(arm, rewards)
        # They are of no choice: they come after those issued.
        new = [(self._play.rounds, reward) for reward in rewards]
        late, complete = self._choices.settled(arm, new, ())
        more = self._tally.counted([(arm, r) for r in rewards], [(arm, r) for r in complete])
        history = self._tally.history, arm, self._tally.history[arm] + len(rewards)
        return [*changes, *late, *more, history], None

    def _expire(self, before: float, as_reward: float | None) -> Event:
        choices, changes, given_up = self._choices, list[Change](), list[int]()
        taken, complete = list[tuple[int, float]](), list[tuple[int, float]]()
        for k, opened in enumerate(choices.open):
            old = [number for number, at in opened.items() if at <= before]
            # Those whose ids are forgotten come first.
            n = self._due(k) - len(opened) + len(old)
            given_up.append(n)
            if n and as_reward is None:
                changes += choices.given_up(k, old)
                changes.append((self._tally.lost, k, self._tally.lost[k] + n))
            elif n and as_reward is not None:
                made = [choices.gone[k]] * (n - len(old)) + old
                changes += self._play.rewarded(k, [as_reward] * n, made)
                closed = [(number, as_reward) for number in old]
                late, done = choices.rewarded(k, closed, self._due) if closed else ([], [])
                changes += late + choices.given_up(k, old, without_reward=False)
                taken += [(k, as_reward)] * n
                complete += [(k, reward) for reward in done]
        return changes + self._tally.counted(taken, complete), given_up

    def _add_arm(
        self, fairness: list[float], penalty: float, name: str | None, *ceiling: list[float]
    ) -> Event:
        arm, grown = self._play.n_arms, self._play.with_arm(penalty, fairness, *ceiling)
        changes: list[Change] = [(vars(self), "_play", grown)]
        changes += self._choices.with_arm() + self._tally.with_arm()
        return changes + ([] if name is None else [(self._numbers, name, arm)]), arm

    def _retire_arm(self, fairness: list[float], rest: list[int]) -> Event:
        play = self._play.with_fairness(fairness)
        play.in_service = np.array(rest, np.int64)
        return [(vars(self), "_play", play)], None


_ALL: WeakSet[Events] = WeakSet()


def _after_fork() -> None:
    """Give the child's players a lock that no thread holds and ids of their own, and no journal."""
    for player in _ALL:
        player._lock = threading.RLock()
        player._choices.renew(player._play.rounds)
        if player._journal:
            player._journal._forked()


os.register_at_fork(after_in_child=_after_fork)
