"""Reference implementations of policies: a game with all rewards kept, and shared formulas."""

import math
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from penalized_bandits.common.typing import FloatArray


@dataclass
class Game:
    """What a policy has seen before round n."""

    tau: FloatArray
    rates: FloatArray
    sigma: float
    n: int = 1
    rewards: list[list[float]] = field(default_factory=list)
    extra: dict[str, FloatArray] = field(default_factory=dict)
    numbers: list[float] = field(default_factory=list)
    """That of each arm in this round, for policies that draw."""

    @property
    def pulls(self) -> FloatArray:
        return np.array([float(len(seen)) for seen in self.rewards])

    @property
    def means(self) -> FloatArray:
        return np.array([math.fsum(seen) / len(seen) for seen in self.rewards])

    @property
    def threshold(self) -> FloatArray:
        """The hard threshold of eq. (11)."""
        return np.where(self.pulls < self.tau * self.n, self.rates, 0.0)


def ucb1(game: Game) -> FloatArray:
    return game.means + np.sqrt(2 * math.log(game.n) / game.pulls)


def after_lfg(game: Game, arm: int) -> None:
    queues = game.extra.setdefault("queues", np.zeros(len(game.tau)))
    served = np.zeros(len(game.tau))
    served[arm] = 1.0
    game.extra["queues"] = np.maximum(queues + game.tau - served, 0.0)


def nothing(game: Game, arm: int) -> None:
    del game, arm


Score = Callable[[Game], FloatArray]
Reference = tuple[Score, Callable[[Game, int], None], float | None]
"""The score, what follows a pull, and the tuning."""
