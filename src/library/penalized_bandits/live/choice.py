"""Choices of a live player, each with an id and the chance with which it was made."""

import math
import re
import secrets
import warnings
from bisect import bisect
from collections.abc import Callable, Iterator
from heapq import heappop, heappush
from typing import Any

import numpy as np

from penalized_bandits.common.errors import BanditError, LateRewardsWarning
from penalized_bandits.engine.play import Arms, Play

ID = re.compile(r"(\d{1,10})-(\d{1,10})-([0-9a-f]{8})")
"""The number of a choice, its arm and a word."""
MOST_DRAWS = 2**20
"""Monte Carlo draws for the probability of a choice are no more."""


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

    def __new__(cls, arm: int, id: str = "", probability: float = 1.0) -> "Choice":  # noqa: A002
        """Make a choice of an arm."""
        choice = super().__new__(cls, arm)
        choice.id, choice.probability = id, probability
        return choice


class Choices:
    """The choices of each arm whose rewards may come."""

    def __init__(self, play: Play, remembered: int) -> None:
        self._most, self.issued, self._silent = remembered, play.rounds, list(play.arms)
        seen = [play.observed[k] or play.waiting[k] for k in play.arms]
        self.quiet = [0 if seen[k] else play.pulls[k] for k in play.arms]
        """Choices since an arm's last reward, shape (K,)."""
        self.open = [dict[int, float]() for _ in play.arms]
        """When each choice without a reward was made, by its number, oldest first, shape (K,)."""
        self.late: list[list[tuple[int, float]] | None] = [[] for _ in play.arms]
        """Rewards after the arm's oldest open choice, a heap of (number, reward); None once a
        choice without a reward was given up, or the heap got too long; shape (K,)."""
        self.gone = [0 for _ in play.arms]
        """Of choices up to this number it is not known how they ended, shape (K,)."""
        self.words = [(1, secrets.token_hex(4))]
        """The words of ids, each after the number of its first choice."""

    def facts(self) -> dict[str, Any]:
        """Return all that a state has of the choices."""
        opened = [[*each.items()] for each in self.open]
        words = [pair for pair in self.words if pair[0] <= self.issued]
        return {"open": opened, "late": self.late, "gone": self.gone, "words": words}

    def restore(self, facts: dict[str, Any]) -> None:
        """Bring new choices to a state; the next ones have another word."""
        self.open = [{int(number): at for number, at in each} for each in facts["open"]]
        self.late = [None if each is None else [*map(tuple, each)] for each in facts["late"]]
        self.gone, self.words = facts["gone"], [*map(tuple, facts["words"])]
        self.renew()

    def renew(self, word: str | None = None) -> None:
        """Give ids another word from the next choice on."""
        self.words = [pair for pair in self.words if pair[0] <= self.issued]
        word = word or secrets.token_hex(4)
        if not self.words or self.words[-1][1] != word:
            self.words.append((self.issued + 1, word))

    def add_arm(self) -> None:
        """Add an arm without choices."""
        self.open.append({})
        self.late.append([])
        for numbers in (self.quiet, self.gone):
            numbers.append(0)

    def issue(self, arm: int, probability: float, patience: int, at: float) -> Choice:
        """Return the next choice, made at a time, with a new id."""
        self.issued += 1
        self.open[arm][self.issued] = at
        if len(self.open[arm]) > self._most:
            self.give_up(arm, self.oldest(arm))
        self.quiet[arm] += 1
        self._silent += [arm] if self.quiet[arm] == patience else []
        return Choice(arm, f"{self.issued}-{arm}-{self.words[-1][1]}", probability)

    def warn(self, patience: int) -> None:
        """Warn once of each arm that was chosen often since its last reward."""
        while self._silent:
            if self.quiet[arm := self._silent.pop()] >= patience:
                warnings.warn(
                    f"arm {arm} was chosen {patience} times since a reward of it came: report "
                    "rewards of 0 too, or set patience to the choices that a delay takes; an arm "
                    "that never had one gets its floor alone, once other arms have rewards",
                    LateRewardsWarning,
                    stacklevel=3,
                )

    def meant(self, arm: int, number: int | None, due: int) -> int | None:
        """Return the number of the choice that a reward is of, ``due`` ones waiting beside it.

        Without an id it is of the oldest, whose number may be forgotten; if others wait, it may be
        theirs, so that the arm's complete choices end here.
        """
        if number is None:
            number = self.oldest(arm) if len(self.open[arm]) > due else None
            if due:
                self.give_up(arm, number)
        return number

    def oldest(self, arm: int) -> int | None:
        """Return the number of an arm's oldest choice without a reward, if it has one."""
        return next(iter(self.open[arm]), None)

    def give_up(self, arm: int, number: int | None, without_reward: bool = True) -> None:
        """Forget a choice; without a reward the complete ones of its arm end there."""
        if number is not None:
            self.open[arm].pop(number, None)
            self.gone[arm] = max(self.gone[arm], number)
        if without_reward:
            self.late[arm] = None

    def settled(self, arm: int, number: int, reward: float) -> Iterator[float]:
        """Take a reward that came after a choice; yield those before the arm's oldest open one."""
        heap = self.late[arm]
        if heap is None or len(heap) >= self._most:
            self.late[arm] = None
            return
        heappush(heap, (number, reward))
        oldest = self.oldest(arm) or math.inf
        while heap and heap[0][0] < oldest:
            yield heappop(heap)[1]

    def of_id(self, name: str, key: str, used: set[int]) -> tuple[int, int]:
        """Return arm and number of a choice that waits for its reward, and is not used yet."""
        match = ID.fullmatch(key)
        if match and (number := int(match[1])) <= self.issued and number not in used:
            arm = int(match[2])
            # The last word whose first choice is not after this one; "g" is after all words.
            at = bisect(self.words, (number, "g")) - 1
            if at >= 0 and self.words[at][1] == match[3] and arm < len(self.open):
                if number in self.open[arm]:
                    return arm, number
                elsewhere = any(number in each for each in self.open)  # replayed otherwise
                if number > self.gone[arm] and not elsewhere:
                    raise RepeatedRewardError(
                        f"{name} is choice {key!r}, which waits for no reward: it was reported "
                        "before"
                    )
        raise BanditError(
            f"{name} is choice {key!r}, which waits for no reward: it was reported before, given "
            f"up, made by another player or after the last save, or its arm has {self._most} newer "
            "ones without a reward"
        )


def chances(
    play: Play,
    noise: Callable[[int, int], float],
    draws: int,
    batch: tuple[int, Arms | None, bool],
) -> Callable[[int], float]:
    """Return a function of the arm: its chance to be in a batch, as ``Play.batch`` takes it."""
    if not (play.policy.draws and draws):
        return lambda arm: math.nan if play.policy.draws else 1.0  # noqa: ARG005
    hits = np.ones(len(play.arms))
    for i in range(draws):
        twin = play.twin(lambda arm, n, i=i: noise(arm, n * MOST_DRAWS + i))
        hits[list(twin.batch(*batch))] += 1
    return lambda arm: float(hits[arm] / (1 + draws))
