"""Choices of a live player, each with an id and the chance with which it was made."""

import math
import secrets
import warnings
from collections.abc import Callable
from itertools import islice

import numpy as np

from penalized_bandits.common.errors import BanditError, LateRewardsWarning
from penalized_bandits.engine.play import Arms, Play

REMEMBERED = 100_000
"""Ids of so many of an arm's newest choices without a reward are kept."""
MOST_DRAWS = 2**20
"""Monte Carlo draws for the probability of a choice are no more."""


class Choice(int):
    """The chosen arm, a whole number from 0, with an id for its reward and a probability for logs.

    Examples
    --------
    >>> choice = Choice(2, "17-a1b2c3d4", 0.25)
    >>> choice, ["a", "b", "c"][choice], choice.id, choice.probability
    (2, 'c', '17-a1b2c3d4', 0.25)
    """

    id: str
    """The number of the choice, from 1, and a word of the player's own.  A restored player has
    another word, so that a choice that a crash has undone is never taken for a new one."""
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

    def __init__(self, ids: list[dict[str, None]], play: Play) -> None:
        seen = [play.observed[k] or play.waiting[k] for k in play.arms]
        self.open, self.quiet = ids, [0 if seen[k] else play.pulls[k] for k in play.arms]
        """Ids without a reward, oldest first; choices since an arm's last reward; shape (K,)."""
        self._arms = {key: k for k, keys in enumerate(ids) for key in keys}
        self._silent = list(play.arms)
        self.word = secrets.token_hex(4)

    def issue(self, arm: int, number: int, probability: float, patience: int) -> Choice:
        """Return a choice with a new id."""
        choice = Choice(arm, f"{number}-{self.word}", probability)
        self.open[arm][choice.id] = None
        self._arms[choice.id] = arm
        self.keep(arm, REMEMBERED)
        self.quiet[arm] += 1
        self._silent += [arm] if self.quiet[arm] == patience else []
        return choice

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

    def keep(self, arm: int, most: int) -> None:
        """Forget the oldest ids of an arm beyond a number."""
        for key in [*islice(self.open[arm], max(len(self.open[arm]) - most, 0))]:
            self.close(key)

    def close(self, key: str) -> None:
        """Forget an id."""
        del self.open[self._arms.pop(key)][key]

    def arm_of(self, name: str, key: str, used: set[str]) -> int:
        """Return the arm of a choice that waits for its reward."""
        if key in self._arms and key not in used:
            return self._arms[key]
        raise BanditError(
            f"{name} is choice {key!r}, which waits for no reward: it was reported before, or made "
            f"by another player, after the last save, or more than {REMEMBERED} choices ago"
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
