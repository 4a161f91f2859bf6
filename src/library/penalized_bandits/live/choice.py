"""Choices of a live player, each with an id and the chance with which it was made."""

import math
import re
import secrets
import time
import warnings
from bisect import bisect
from collections import Counter
from collections.abc import Callable, Container, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain, islice
from typing import Any, Self

import numpy as np

from penalized_bandits.common.changes import GONE, Change
from penalized_bandits.common.errors import BanditError, LateRewardsWarning
from penalized_bandits.engine._scores import FAIRNESS, QUIET
from penalized_bandits.engine.play import Play
from penalized_bandits.policies.base import Round

ID = re.compile(r"(\d{1,10})-(\d{1,10})-([0-9a-f]{8})")
"""The number of a choice, its arm and a word."""
MOST_DRAWS = 2**20  # Monte Carlo draws for the probability of a choice are no more


class RepeatedRewardError(BanditError):
    """A reward of a choice that has one: of a retry, whose first attempt was taken after all.

    A choice that was given up, or that this player never made, raises another BanditError.

    Examples
    --------
    >>> player = Player("ucb1", fairness=[0.0, 0.0], penalties=0.0)
    >>> choice = player.choose()
    >>> for attempt in (1, 2):
    ...     try:
    ...         player.update(choice.id, 1.0)
    ...     except RepeatedRewardError:
    ...         print("was taken before")
    was taken before
    """


class Choice(int):
    """The chosen arm, a whole number from 0, with an id for its reward and a probability for logs.

    Examples
    --------
    >>> choice = Choice(2, "17-2-a1b2c3d4", 0.25)
    >>> choice, ["a", "b", "c"][choice], choice.id, choice.probability
    (2, 'c', '17-2-a1b2c3d4', 0.25)
    """

    id: str
    """The number of the choice, from 1, its arm and a word of the player's own.  A restored player
    has another word, so that a choice that a crash has undone is never taken for a new one."""
    probability: float
    """Chance of the choice, given all before it: 1 for a policy that draws no numbers; for others
    nan, unless ``choose`` was given ``draws``.  In a batch without repetition it is the chance that
    the arm is in the batch."""
    name: str = ""
    """Name of the arm; empty if arms have none."""
    number: int
    """Number of the choice, from 1; 0 if only its id has it."""

    def __new__(cls, arm: int, id: str = "", probability: float = 1.0, number: int = 0) -> Self:  # noqa: A002
        """Make a choice of an arm."""
        choice = int.__new__(cls, arm)
        choice.id, choice.probability, choice.number = id, probability, number
        return choice


_BOOTED = getattr(time, "CLOCK_BOOTTIME", None)
_elapsed = time.monotonic if _BOOTED is None else partial(time.clock_gettime, _BOOTED)
_START = time.time() - _elapsed()


def now() -> float:
    """Return seconds since 1970, to the millisecond: within a process they go on if clocks move."""
    return int((_START + _elapsed()) * 1e3) / 1e3


class Choices:
    """The choices of each arm whose rewards may come."""

    def __init__(self, play: Play, remembered: int) -> None:
        arms = range(play.n_arms)
        self._most = remembered
        self.open = [dict[int, float]() for _ in arms]
        """When each choice without a reward was made, by its number, oldest first, shape (K,)."""
        self.late: list[list[tuple[int, float]] | None] = [[] for _ in arms]
        """Rewards (number, reward) after the arm's oldest open choice, in order; None once a choice
        without a reward was given up, or there were too many; shape (K,)."""
        self.gone = [0 for _ in arms]
        """Of choices up to this number it is not known how they ended, shape (K,)."""
        self.words = [(1, secrets.token_hex(4))]
        """The words of ids, each after the number of its first choice."""

    def facts(self, issued: int) -> dict[str, Any]:
        """Return all that a state has of the choices, so many in all."""
        opened = [[*each.items()] for each in self.open]
        words = [pair for pair in self.words if pair[0] <= issued]
        return {"open": opened, "late": self.late, "gone": self.gone, "words": words}

    def restore(self, facts: dict[str, Any], issued: int) -> None:
        """Bring new choices to a state; the next ones have another word."""
        self.open = [{int(number): at for number, at in each} for each in facts["open"]]
        self.late = [None if each is None else sorted(map(tuple, each)) for each in facts["late"]]
        self.gone, self.words = facts["gone"], [*map(tuple, facts["words"])]
        self.renew(issued)

    def renew(self, issued: int, word: str | None = None) -> None:
        """Give ids another word from the next choice on, after so many."""
        words = [pair for pair in self.words if pair[0] <= issued]
        word = word or secrets.token_hex(4)
        self.words = words + ([] if words and words[-1][1] == word else [(issued + 1, word)])

    def with_arm(self) -> list[Change]:
        """Return the changes that an arm without choices makes."""
        new = {"open": {}, "late": [], "gone": 0}
        return [(vars(self), name, [*getattr(self, name), one]) for name, one in new.items()]

    def issue(
        self, first: int, arms: list[int], shares: list[float], at: float
    ) -> tuple[list[Change], list[Choice]]:
        """Return the changes of choices made at a time, and the choices, from number ``first``."""
        word, numbered = self.words[-1][1], enumerate(zip(arms, shares, strict=True), first)
        issued = [Choice(arm, f"{i}-{arm}-{word}", share, i) for i, (arm, share) in numbered]
        changes: list[Change] = [(self.open[one], one.number, at) for one in issued]
        for arm, n in Counter(arms).items():
            excess = len(self.open[arm]) + n - self._most
            if excess > 0:
                own = (choice.number for choice in issued if choice == arm)
                changes += self.given_up(arm, [*islice(chain(self.open[arm], own), excess)])
        return changes, issued

    def rewarded(
        self, arm: int, taken: Sequence[tuple[int | None, float]], due: Callable[[int], int]
    ) -> tuple[list[Change], list[float]]:
        """Return the changes of rewards of an arm's choices; ``due`` counts those that wait so far.

        The second value has rewards that now come before the arm's oldest open choice, in order.
        Without its number a reward is of the oldest, whose number may be forgotten; if others wait,
        it may be theirs, so that the arm's complete choices end here.
        """
        opened, (number, reward) = self.open[arm], taken[0]
        if len(taken) == 1 and not self.late[arm] and number == next(iter(opened), 0):
            # Of the oldest choice, as most are.
            return [(opened, number, GONE)], [] if self.late[arm] is None else [reward]
        closed = {number: reward for number, reward in taken if number is not None}
        unnamed = [reward for number, reward in taken if number is None]
        lost, left, rest = list[int | None](), 0, 0
        if unnamed:
            left, rest = len(opened) - len(closed), due(arm) - len(taken)
        oldest = (number for number in opened if number not in closed)
        for reward in unnamed:
            number = next(oldest, None) if left > rest else None
            left -= number is not None
            if rest:
                lost.append(number)
            elif number is not None:
                closed[number] = reward
        changes: list[Change] = [(opened, number, GONE) for number in closed]
        late, complete = self.settled(arm, [*closed.items()], closed)
        return changes + late + (self.given_up(arm, lost) if lost else []), complete

    def given_up(
        self, arm: int, numbers: Sequence[int | None], without_reward: bool = True
    ) -> list[Change]:
        """Return the changes of forgotten choices; without a reward the complete ones end."""
        known = [number for number in numbers if number is not None]
        changes: list[Change] = [(self.open[arm], number, GONE) for number in known]
        changes.append((self.gone, arm, max([self.gone[arm], *known])))
        return [*changes, (self.late, arm, None)] if without_reward else changes

    def settled(
        self, arm: int, new: list[tuple[int, float]], closed: Container[int]
    ) -> tuple[list[Change], list[float]]:
        """Return the changes of `rewarded` for rewards (number, reward); choices are ``closed``."""
        late = self.late[arm]
        if late is None or not new:
            return [], []
        oldest = next((n for n in self.open[arm] if n not in closed), math.inf)
        if new[0][0] != new[-1][0] or new[0][0] >= oldest:
            new = sorted(new)
        if new[-1][0] < oldest and not (late and late[0][0] < oldest):
            return [], [reward for _, reward in new]
        fit = len(late) + len(new) <= self._most
        if fit and new[0][0] >= oldest and not (late and late[-1] > new[0]):
            return [(late, slice(len(late), None), new)], []
        new = sorted([*late, *new])
        done = bisect(new, (oldest,))
        rest = new[done:] if len(new) - done <= self._most else None
        return [(self.late, arm, rest)], [reward for _, reward in new[:done]]

    def made(self, arm: int, numbers: Sequence[int | None], due: int) -> list[int]:
        """Return the numbers of choices; those not known are the oldest of ``due`` that wait."""
        known, forgotten = {*numbers}, due - len(self.open[arm])
        opened = (number for number in self.open[arm] if number not in known)
        oldest = chain([self.gone[arm]] * forgotten, opened)
        return [next(oldest) if n is None else n for n in numbers]

    def waits(self, choice: Choice) -> bool:
        """Return whether a choice that this player made waits for its reward."""
        (since, word), number = self.words[-1], choice.number
        return number >= since and choice.id.endswith(word) and number in self.open[choice]

    def of_id(self, name: str, key: str, issued: int, used: Container[int]) -> tuple[int, int]:
        """Return arm and number of a choice, of those issued, that waits and is not used."""
        match = ID.fullmatch(key)
        if match and (number := int(match[1])) <= issued and number not in used:
            arm = int(match[2])
            # The last word whose first choice is not after this one; "g" is after all words.
            at = bisect(self.words, (number, "g")) - 1
            if at >= 0 and self.words[at][1] == match[3] and arm < len(self.open):
                if number in self.open[arm]:
                    return arm, number
                elsewhere = any(number in each for each in self.open)  # replayed otherwise
                if number > self.gone[arm] and not elsewhere:
                    text = f"{name} is choice {key!r}, which waits for no reward:"
                    raise RepeatedRewardError(f"{text} it was reported before")
        raise BanditError(
            f"{name} is choice {key!r}, which waits for no reward: it was reported before, given "
            f"up, made by another player or after the last save, or its arm has {self._most} newer "
            "ones without a reward"
        )


def warn_of_silence(play: Play) -> None:
    """Warn once of each arm that was chosen often since its last reward."""
    while play.silent:
        if play.stats[QUIET, arm := play.silent.pop()] >= play.patience:
            warnings.warn(
                f"arm {arm} was chosen {play.patience} times since a reward of it came: report "
                "rewards of 0 too, or set patience to the choices that a delay takes; an arm "
                "that never had one gets its floor alone, once other arms have rewards",
                LateRewardsWarning,
                stacklevel=4,
            )


def chances(
    play: Play, noise: Callable[[Any, int], Any], draws: int, batch: tuple[int, Any, bool]
) -> Callable[[int], float]:
    """Return a function of the arm: its chance to be in a batch, as ``Play.batch`` takes it.

    Of a policy that draws its floors the rest alone is simulated, as they have known chances.
    """
    policy, floors, asked = play.policy, np.zeros(play.n_arms), list[float]()
    if not (policy.draws and draws):
        return lambda arm: math.nan if policy.draws else 1.0  # noqa: ARG005
    if policy.draws == "floors":
        floors, rule = play.stats[FAIRNESS], policy.choose

        def without_floors(state: Round) -> int:
            asked.append(float(state.fairness.sum()))
            return rule(state._replace(fairness=np.zeros_like(state.fairness)))  # type: ignore[misc]

        policy = replace(policy, choose=without_floors)
    hits = np.ones(play.n_arms)
    for i in range(draws):
        twin = play.twin(lambda arm, n, i=i: noise(arm, n * MOST_DRAWS + i))
        twin.policy = policy
        hits[list(twin.batch(*batch))] += 1
    if asked and batch[0] == 1:
        return lambda arm: float(floors[arm] + (1.0 - asked[0]) * hits[arm] / (1 + draws))
    # A batch without repetition has the first slot's arm, one alone if pulls are scheduled.
    return lambda arm: max(float(hits[arm] / (1 + draws)), float(floors[arm]) * bool(asked))
