"""Policies, each written again from its source, pull the same arms.

The loops here keep all rewards and the multipliers or queues round by round, as the sources
state them; engine and oracle share the formulas of ``policies/*.py`` and could both be wrong.
"""

import math
from itertools import pairwise

import numpy as np
import pytest

from penalized_bandits.bandit.instances import Instance
from penalized_bandits.bandit.rewards import Bernoulli, Beta, Gaussian, RewardFamily
from penalized_bandits.engine.oracle import RewardTape, noise_of, trace
from penalized_bandits.policies import POLICIES
from penalized_bandits.policies.kl import upper_bound
from penalized_bandits.typing import FloatArray
from written_again import Again, Game, after_lfg, kl_bound, nothing, ucb1
from written_again_next_door import NEXT_DOOR

HORIZON = 600
SEED = 8


def kl_ucb(game: Game) -> FloatArray:
    return np.array(
        [
            kl_bound(mean, math.log(game.n) / pulls)
            for mean, pulls in zip(game.means, game.pulls, strict=True)
        ]
    )


def ucb_v(game: Game) -> FloatArray:
    variances = np.array([float(np.var(seen)) for seen in game.rewards])
    log = math.log(game.n)
    return (
        game.means
        + game.threshold
        + np.sqrt(2 * variances * log / game.pulls)
        + 3 * log / game.pulls
    )


def scaled(game: Game) -> FloatArray:
    return game.means + game.sigma * np.sqrt(2 * math.log(game.n) / game.pulls)


def soft_threshold(game: Game) -> FloatArray:
    level = game.tau * game.n
    return ucb1(game) + game.rates * np.maximum(level - game.pulls, 0.0) / level


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


def strict_rate(game: Game) -> FloatArray:
    short = game.tau * game.n - game.pulls
    return short if short.max() > 0 else ucb1(game)


def primal_dual(game: Game) -> FloatArray:
    return ucb1(game) + game.extra["multipliers"]


STEP = 1 / math.sqrt(HORIZON)
ALPHA, ETA, EXPLORED = 1.5, 9.0, 20


def after_primal_dual(game: Game, arm: int) -> None:
    before = game.extra.setdefault("multipliers", np.zeros(len(game.tau)))
    served = np.zeros(len(game.tau))
    served[arm] = STEP
    arrived = np.minimum(before + STEP * game.tau, game.rates)
    game.extra["multipliers"] = np.maximum(arrived - served, 0.0)


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
    served = np.zeros(n_arms)
    served[arm] = 1.0
    game.extra["queues"] = np.maximum(game.extra["queues"] + game.tau - served + margin, 0.0)


AGAIN: dict[str, Again] = {
    "ucb1": (ucb1, nothing, None),
    "hard_threshold_ucb": (lambda game: ucb1(game) + game.threshold, nothing, None),
    "soft_threshold_ucb": (soft_threshold, nothing, None),
    "fair_learn": (fair_learn, nothing, ALPHA),
    "lfg": (lfg, after_lfg, ETA),
    "explore_then_commit": (explore_then_commit, nothing, EXPLORED),
    "kl_ucb": (kl_ucb, nothing, None),
    "kl_hard_threshold": (lambda game: kl_ucb(game) + game.threshold, nothing, None),
    "hard_threshold_variance": (ucb_v, nothing, None),
    "hard_threshold_sigma": (lambda game: scaled(game) + game.threshold, nothing, None),
    "ucb_sigma": (scaled, nothing, None),
    "strict_rate_ucb": (strict_rate, nothing, None),
    "primal_dual": (primal_dual, after_primal_dual, STEP),
    "pond": (pond, after_pond, 1.0),
    **NEXT_DOOR,
}
FAMILIES: dict[str, tuple[RewardFamily, float]] = {
    # With the sub-Gaussian constant that each has.
    "bernoulli": (Bernoulli(), 0.5),
    "beta": (Beta(), 0.5),
    "gaussian": (Gaussian(0.2), 0.2),
}


def play(policy: str, instance: Instance, sigma: float) -> list[int]:
    """Play a policy as it is written above."""
    score, after, _ = AGAIN[policy]
    tape = RewardTape(instance, 0, SEED, ())
    own = POLICIES[policy]
    noise = noise_of(own, own.exploration, 0, SEED, ())
    n_arms = instance.n_arms
    game = Game(instance.fairness, instance.penalties, sigma)
    game.rewards = [[] for _ in range(n_arms)]
    arms: list[int] = []
    for n in range(1, HORIZON + 1):
        game.n, game.numbers = n, [noise(k, n) for k in range(n_arms)]
        arm = n - 1 if n <= n_arms else int(np.argmax(score(game)))
        game.rewards[arm].append(tape.reward(arm, len(game.rewards[arm]) + 1))
        after(game, arm)
        arms.append(arm)
    return arms


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("policy", AGAIN)
def test_the_same_pulls(policy: str, family: str) -> None:
    rewards, sigma = FAMILIES[family]
    instance = Instance(
        [0.83, 0.71, 0.47, 0.29], [0.11, 0.17, 0.23, 0.07], [0.3, 0.6, 0.2, 0.7], rewards
    )
    if family == "gaussian" and policy.startswith(("kl", "revenue")):
        instance = Instance([0.83, 0.71, 0.47, 0.5], 0.05, 0.3, Gaussian(0.02))
    played = trace(policy, instance, HORIZON, seed=SEED, tuning=AGAIN[policy][2])
    assert played.arms == play(policy, instance, sigma if family != "gaussian" else 0.2)
    assert len(set(played.arms)) == 4


@pytest.mark.parametrize("mean", [0.0, 1e-300, 1e-9, 0.1, 0.9, 1 - 1e-9, 1.0])
@pytest.mark.parametrize("level", [0.0, 1e-12, 1e-3, 1.0, 30.0])
def test_kl_bound(mean: float, level: float) -> None:
    found = upper_bound(mean, level)
    assert mean <= found <= 1.0
    assert found == pytest.approx(kl_bound(mean, level), rel=1e-9, abs=2e-10)


def test_kl_bound_rises_with_the_level_and_takes_means_to_the_nearest_end() -> None:
    for mean in np.linspace(0, 1, 41).tolist():
        bounds = [upper_bound(mean, level) for level in np.geomspace(1e-6, 20, 400).tolist()]
        assert all(b >= a - 1e-12 for a, b in pairwise(bounds))
    assert upper_bound(-3.0, 0.5) == upper_bound(0.0, 0.5) == 1 - math.exp(-0.5)
    assert upper_bound(7.0, 0.5) == upper_bound(math.inf, 0.5) == 1.0


def test_thompson_draws_from_its_posterior() -> None:
    # One arm of 0 and one of 0.5, after 40 pulls each: theta ~ N(40 m / 41, 1 / 41).
    from penalized_bandits.policies import Arm
    from penalized_bandits.policies.thompson import hard_threshold_index, index

    noise = np.random.default_rng(1).standard_normal(20_000).tolist()
    arms = [
        Arm(
            n=100.0, mean=0.5, radius=0.1, pulls=40.0, below=True, fairness=0.6, penalty=0.25,
            queue=0.0, tuning=0.0, noise=z,
        )
        for z in noise
    ]  # fmt: skip
    drawn = np.array([index(arm) for arm in arms])
    assert drawn.mean() == pytest.approx(40 * 0.5 / 41, abs=4 / math.sqrt(41 * 20_000))
    assert drawn.std() == pytest.approx(1 / math.sqrt(41), rel=0.03)
    above = np.array([hard_threshold_index(arm) for arm in arms])
    np.testing.assert_allclose(above - drawn, 0.25)


def test_own_numbers_are_standard_normal_and_independent_of_the_rewards() -> None:
    draw = noise_of(POLICIES["thompson"], 2.0, 0, 3, ("a",))
    drawn = np.array([[draw(k, n) for n in range(1, 2001)] for k in range(5)])
    assert abs(drawn.mean()) < 4 / math.sqrt(drawn.size)
    assert drawn.std() == pytest.approx(1.0, rel=0.03)
    between = np.corrcoef(drawn)[np.triu_indices(5, 1)]
    assert np.abs(between).max() < 0.09
    along = [float(np.corrcoef(row[1:], row[:-1])[0, 1]) for row in drawn]
    assert max(map(abs, along)) < 0.09
    instance = Instance([0.5] * 5, 0.0, 0.0, Gaussian(1.0))
    tape = RewardTape(instance, 0, 3, ("a",))
    rewards = np.array([[tape.reward(k, n) for n in range(1, 2001)] for k in range(5)])
    assert abs(np.corrcoef(drawn.ravel(), rewards.ravel())[0, 1]) < 0.04
