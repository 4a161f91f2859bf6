"""Policies as their papers state them, in plain NumPy."""

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import cast

import numpy as np
from scipy.optimize import brentq

from penalized_bandits.common.typing import FloatArray
from penalized_bandits.policies import POLICIES
from penalized_bandits.policies.samples import beta
from reference_kl import empirical_bound, kl_bound
from strategies import kl

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
    game.extra["queues"] = np.maximum(queues + game.tau - np.eye(len(queues))[arm], 0.0)


def nothing(game: Game, arm: int) -> None:
    del game, arm


Score = Callable[[Game], FloatArray]
Reference = tuple[Score, Callable[[Game, int], None], float | None]
"""The score, what follows a pull, and the tuning."""

ETA, WIDTH, WEIGHT = 9.0, 4.0, 6.0
HALF_LIFE = 40.0
ALPHA, EXPLORED, STEP = 1.5, 20, 1 / math.sqrt(HORIZON)


def frank_wolfe_ucb(game: Game) -> FloatArray:
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


def kl_bounds(means: FloatArray, levels: FloatArray) -> FloatArray:
    return np.array([*map(kl_bound, means, levels)])


def revenue_floors(game: Game) -> FloatArray:
    levels = 3.03 * math.log(game.n) / game.pulls
    upper, lower = kl_bounds(game.means, levels), 1 - kl_bounds(1 - game.means, levels)
    floors = game.tau * game.means
    # Where a floor is not sure to be reached the shares come to more than 1.
    shares = np.divide(floors, np.maximum(lower, floors), np.zeros_like(floors), where=floors > 0)
    if shares.sum() >= 1:
        shares = floors / upper
    return drawn(shares + (1 - shares.sum()) * np.eye(len(shares))[upper.argmax()], game.numbers[0])


def maximiser(scores: FloatArray) -> FloatArray:
    """Maximise sum log p + sum scores p over the simplex: p = 1 / (v - scores)."""
    ends = scores.max() + 1.0, scores.max() + len(scores)
    v = brentq(lambda v: (1 / (v - scores)).sum() - 1, *ends, xtol=1e-15)
    return 1 / (cast("float", v) - scores)


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


def thompson_beta(game: Game) -> FloatArray:
    successes = np.clip([math.fsum(seen) for seen in game.rewards], 0, game.pulls)
    failures = game.pulls - successes
    drawn_from = zip(game.numbers, 1 + successes, 1 + failures, strict=True)
    return np.array([beta(*parameters) for parameters in drawn_from])


def tscsf_b(game: Game) -> FloatArray:
    return game.extra["queues"] + ETA * thompson_beta(game)


def thompson_floors(game: Game) -> FloatArray:
    edges = np.append(np.cumsum(game.tau), 1.0)
    place = int(np.searchsorted(edges, game.numbers[0], side="right"))
    return np.eye(len(game.tau))[place] if place < len(game.tau) else thompson_beta(game)


def kl_ucb(game: Game, times_log_log: float = 0.0) -> FloatArray:
    more = times_log_log * math.log(math.log(game.n)) if game.n > math.e else 0.0
    return kl_bounds(game.means, (math.log(game.n) + more) / game.pulls)


def empirical_kl_ucb(game: Game) -> FloatArray:
    log = math.log(game.n)
    level = log + math.log(max(log, 1.0))
    return np.array([empirical_bound(seen, level / len(seen)) for seen in game.rewards])


def imed(game: Game) -> FloatArray:
    means = np.clip(game.means, 0.0, 1.0)
    best = means.max()
    lags = kl(means, best) if best < 1 else np.where(means < 1, math.inf, 0.0)
    return -(game.pulls * lags + np.log(game.pulls))


def moss(game: Game) -> FloatArray:
    logs = np.log(HORIZON / (len(game.tau) * game.pulls))
    return game.means + np.sqrt(np.maximum(logs, 0.0) / game.pulls)


def normal_bound(seen: list[float], n: int) -> float:
    if len(seen) < 3:
        return math.inf
    factor = math.sqrt(n ** (2 / (len(seen) - 2)) - 1)
    return math.fsum(seen) / len(seen) + float(np.std(seen)) * factor


def ucb_normal(game: Game) -> FloatArray:
    return np.array([normal_bound(seen, game.n) for seen in game.rewards])


def ucb_v(game: Game) -> FloatArray:
    variances = np.array([float(np.var(seen)) for seen in game.rewards])
    log = math.log(game.n)
    return game.means + np.sqrt(2 * variances * log / game.pulls) + 3 * log / game.pulls


def ucb_sigma(game: Game) -> FloatArray:
    return game.means + game.sigma * np.sqrt(2 * math.log(game.n) / game.pulls)


def soft_threshold_ucb(game: Game) -> FloatArray:
    level = game.tau * game.n
    return ucb1(game) + game.rates * np.maximum(level - game.pulls, 0.0) / level


def thompson(game: Game) -> FloatArray:
    return game.pulls * game.means / (game.pulls + 1) + game.numbers / np.sqrt(game.pulls + 1)


def fair_learn(game: Game) -> FloatArray:
    deficits = game.tau * (game.n - 1) - game.pulls
    return deficits if deficits.max() > ALPHA else ucb1(game)


def lfg(game: Game) -> FloatArray:
    return game.extra["queues"] + ETA * np.minimum(ucb1(game), 1.0)


def explore_then_commit(game: Game) -> FloatArray:
    if game.pulls.min() < EXPLORED:
        return -game.pulls
    frozen = [math.fsum(seen[:EXPLORED]) / EXPLORED for seen in game.rewards]
    return np.array(frozen) + game.threshold


def strict_rate_ucb(game: Game) -> FloatArray:
    short = game.tau * game.n - game.pulls
    return short if short.max() > 0 else ucb1(game)


def primal_dual(game: Game) -> FloatArray:
    return ucb1(game) + game.extra["multipliers"]


def after_primal_dual(game: Game, arm: int) -> None:
    before = game.extra.setdefault("multipliers", np.zeros(len(game.tau)))
    arrived = np.minimum(before + STEP * game.tau, game.rates)
    game.extra["multipliers"] = np.maximum(arrived - STEP * np.eye(len(before))[arm], 0.0)


def pond(game: Game) -> FloatArray:
    n_arms = len(game.tau)
    delta = (1 - game.tau.sum()) / n_arms
    weight = delta * n_arms**0.25 * math.sqrt(2 * game.n / 3)
    queues = game.extra.setdefault("queues", np.zeros(n_arms))
    return weight * np.minimum(ucb1(game), 1.0) + queues


def after_pond(game: Game, arm: int) -> None:
    n_arms = len(game.tau)
    if game.n <= n_arms:
        return
    delta = (1 - game.tau.sum()) / n_arms
    margin = min(n_arms**0.75 * math.sqrt(6 / game.n), delta / 2)
    arrived = game.extra["queues"] + game.tau
    game.extra["queues"] = np.maximum(arrived - np.eye(n_arms)[arm] + margin, 0.0)


def forgetting(game: Game) -> FloatArray:
    """The largest lack over all windows that end now, and sums over all rewards so far."""
    owed = game.tau * game.n - game.pulls
    lacks = np.max(owed - game.extra["owed"], axis=0)
    if lacks.max() > 1 - 1e-6:
        return lacks
    ages = game.n - 1 - np.arange(1, game.n)
    weights = 0.5 ** (ages / HALF_LIFE) * (game.extra["arms"] == np.arange(len(owed))[:, None])
    counts = np.array([math.fsum(own) for own in weights])
    rewards = [own[own > 0] @ seen for own, seen in zip(weights, game.rewards, strict=True)]
    return np.array(rewards) / counts + np.sqrt(math.log(game.n) / 4 / counts)


def after_forgetting(game: Game, arm: int) -> None:
    before = game.extra.get("owed", np.zeros((1, len(game.tau))))
    game.extra["owed"] = np.vstack([before, game.tau * game.n - game.pulls])
    game.extra["arms"] = np.append(game.extra.get("arms", []), arm)


PLAIN = [
    *(ucb1, soft_threshold_ucb, kl_ucb, ucb_sigma, strict_rate_ucb, thompson, thompson_beta, imed),
    *(ucb_v, ucb_normal, empirical_kl_ucb, frank_wolfe_ucb, plan_and_track),
    *(revenue_floors, thompson_floors),
]
"""Scores by the name of their policy, without a tuning and without a memory of their own."""
REFERENCES: dict[str, Reference] = {score.__name__: (score, nothing, None) for score in PLAIN}
REFERENCES |= {
    "fair_learn": (fair_learn, nothing, ALPHA),
    "lfg": (lfg, after_lfg, ETA),
    "explore_then_commit": (explore_then_commit, nothing, EXPLORED),
    "primal_dual": (primal_dual, after_primal_dual, STEP),
    "pond": (pond, after_pond, 1.0),
    "kl_ucb_loglog": (lambda game: kl_ucb(game, 3.0), nothing, None),
    "moss": (moss, nothing, HORIZON / 4),
    "smooth_threshold_ucb": (smooth_threshold, nothing, WIDTH),
    "banditq": (banditq, after_banditq, WEIGHT),
    "tscsf_b": (tscsf_b, after_lfg, ETA),
    "forgetting_threshold": (forgetting, after_forgetting, HALF_LIFE),
}


def with_threshold(reference: Reference) -> Reference:
    score, _, tuning = reference
    return lambda game: score(game) + game.threshold, nothing, tuning


REFERENCES |= {
    policy: with_threshold(REFERENCES[rule.card.classical])
    for policy, rule in POLICIES.items()
    if "hard_threshold" in policy and rule.card.classical in REFERENCES
}
