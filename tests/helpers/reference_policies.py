"""Policies as their papers state them, in plain NumPy: those of floors and shares."""

import math
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from penalized_bandits.common.typing import FloatArray
from penalized_bandits.policies.samples import beta
from reference_kl import kl_bound

HORIZON = 600
SEED = 8


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

ETA, WIDTH, WEIGHT = 9.0, 4.0, 6.0


def frank_wolfe(game: Game) -> FloatArray:
    return ucb1(game) + np.where(game.pulls < game.tau * (game.n - 1), game.rates, 0.0)


def smooth_threshold(game: Game) -> FloatArray:
    return ucb1(game) + game.rates * np.clip((game.tau * game.n - game.pulls) / WIDTH, 0.0, 1.0)


def plan_and_track(game: Game) -> FloatArray:
    """Fill the simplex with the pieces of the objective, the best first."""
    bounds, n_arms = ucb1(game), len(game.tau)
    sizes = np.concatenate([game.tau, np.ones(n_arms)])
    shares, left = np.zeros(n_arms), 1.0
    values = np.concatenate([bounds + game.rates, bounds])
    for piece in np.argsort(-values, kind="stable"):
        size = min(sizes[piece], left)
        shares[piece % n_arms] += size
        left -= size
    # Two arms are often behind by the same but for the last bit: one minus the others, in order.
    leader = int(bounds.argmax())
    shares[leader] = 1.0
    for k in range(n_arms):
        shares[leader] -= shares[k] if k != leader else 0.0
    return game.n * shares - game.pulls


def drawn(shares: FloatArray, uniform: float) -> FloatArray:
    """Score the arm that is drawn by inversion."""
    return np.eye(len(shares))[np.searchsorted(np.cumsum(shares), uniform, side="right")]


def revenue_floors(game: Game) -> FloatArray:
    levels = 3.03 * math.log(game.n) / game.pulls
    upper = np.array([kl_bound(m, level) for m, level in zip(game.means, levels, strict=True)])
    lower = np.array(
        [1 - kl_bound(1 - m, level) for m, level in zip(game.means, levels, strict=True)]
    )
    floors = game.tau * game.means
    # Where a floor is not sure to be reached the shares come to more than 1.
    shares = np.divide(floors, np.maximum(lower, floors), np.zeros_like(floors), where=floors > 0)
    if shares.sum() >= 1:
        shares = floors / upper
    return drawn(shares + (1 - shares.sum()) * np.eye(len(shares))[upper.argmax()], game.numbers[0])


def maximiser(scores: FloatArray) -> FloatArray:
    """Maximise sum log p + sum scores p over the simplex, by bisection."""
    low, high = scores.max() + 1.0, scores.max() + len(scores)
    for _ in range(100):
        middle = (low + high) / 2
        low, high = (middle, high) if (1 / (middle - scores)).sum() > 1 else (low, middle)
    return 1 / (high - scores)


def banditq(game: Game) -> FloatArray:
    n_arms, t = len(game.tau), game.n - len(game.tau) - 1
    mixed = min(0.5, math.sqrt(n_arms / t)) if t else 0.5
    point = game.extra.setdefault("point", np.full(n_arms, 1 / n_arms))
    game.extra["shares"] = (1 - mixed) * point + mixed / n_arms
    return drawn(game.extra["shares"], game.numbers[0])


def after_banditq(game: Game, arm: int) -> None:
    n_arms, extra = len(game.tau), game.extra
    if game.n <= n_arms:
        return
    one = np.eye(n_arms)[arm]
    reward, point = game.rewards[arm][-1], extra["point"]
    queues = extra.get("queues", np.zeros(n_arms)) + game.tau * game.means - reward * one
    extra["queues"] = np.maximum(queues, 0)
    gained = (extra["queues"] + WEIGHT) * reward * one / extra["shares"]
    scale = extra.get("scale", np.ones(1))
    eta = n_arms / scale[0]
    nearby = maximiser(eta * gained - 1 / point)
    apart = (nearby / point - 1 - np.log(nearby / point)).sum()
    extra["scale"] = scale + gained @ (nearby - point) - apart / eta
    extra["sum"] = extra.get("sum", np.zeros(n_arms)) + gained
    extra["point"] = maximiser(n_arms / extra["scale"][0] * extra["sum"])


def sampled(game: Game) -> FloatArray:
    """Sample from the posterior of each mean, of Bernoulli laws."""
    successes = np.clip([math.fsum(seen) for seen in game.rewards], 0, game.pulls)
    failures = game.pulls - successes
    drawn_from = zip(game.numbers, 1 + successes, 1 + failures, strict=True)
    return np.array([beta(*parameters) for parameters in drawn_from])


def tscsf_b(game: Game) -> FloatArray:
    return game.extra["queues"] + ETA * sampled(game)


def thompson_floors(game: Game) -> FloatArray:
    edges = np.append(np.cumsum(game.tau), 1.0)
    place = int(np.searchsorted(edges, game.numbers[0], side="right"))
    return np.eye(len(game.tau))[place] if place < len(game.tau) else sampled(game)
