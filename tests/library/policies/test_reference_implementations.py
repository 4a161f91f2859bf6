"""Policies, each reimplemented from its source, pull the same arms.

The loop here keeps all rewards and the multipliers or queues round by round, as the sources
state them; engine and oracle share the formulas of ``policies/*.py`` and could both be wrong.
"""

import math

import numpy as np
import pytest

from penalized_bandits import POLICIES, Instance, penalized_regret
from penalized_bandits.bandit.rewards import Bernoulli, Beta, Gaussian, RewardFamily
from penalized_bandits.engine.noise import noise_of
from penalized_bandits.engine.oracle import RewardTape, trace
from penalized_bandits.engine.simulate import simulate_part
from penalized_bandits.engine.streams import Stream
from reference_policies import HORIZON, REFERENCES, SEED, Game

FAMILIES: dict[str, tuple[RewardFamily, float]] = {
    # With the sub-Gaussian constant that each has.
    "bernoulli": (Bernoulli(), 0.5),
    "beta": (Beta(), 0.5),
    "gaussian": (Gaussian(0.2), 0.2),
}


def play(policy: str, instance: Instance, sigma: float, rounds: int) -> list[int]:
    score, after, _ = REFERENCES[policy]
    tape = RewardTape(instance, 0, Stream(SEED))
    own = POLICIES[policy]
    noise = noise_of(own, own.exploration_for(sigma), 0, SEED, ())
    n_arms = instance.n_arms
    game = Game(instance.fairness, instance.penalties, sigma)
    game.rewards = [[] for _ in range(n_arms)]
    arms: list[int] = []
    for n in range(1, rounds + 1):
        game.n, game.numbers = n, [noise(k, n) for k in range(n_arms)]
        arm = n - 1 if n <= n_arms else int(np.argmax(score(game)))
        game.rewards[arm].append(tape.reward(arm, len(game.rewards[arm]) + 1))
        after(game, arm)
        arms.append(arm)
    return arms


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("policy", REFERENCES)
def test_the_same_pulls(policy: str, family: str) -> None:
    rewards, sigma = FAMILIES[family]
    tau, rates = [0.11, 0.17, 0.23, 0.07], [0.3, 0.6, 0.2, 0.7]
    instance = Instance([0.83, 0.71, 0.47, 0.29], tau, rates, rewards)
    if family == "gaussian" and policy.startswith(("kl", "revenue")):
        instance = Instance([0.83, 0.71, 0.47, 0.5], 0.05, 0.3, Gaussian(0.02))
    # Two roots within each other for each arm and round take a millisecond.
    rounds = HORIZON // 5 if policy.startswith("empirical") else HORIZON
    played = trace(policy, instance, rounds, stream=Stream(SEED), tuning=REFERENCES[policy][2])
    assert played.arms == play(policy, instance, sigma if family != "gaussian" else 0.2, rounds)
    assert len(set(played.arms)) == 4


def test_the_margin_of_pond_falls_once_it_can_be_met() -> None:
    # From round 425 on it is below delta / 2.
    instance = Instance([0.8, 0.5], 0.1, 0.0, Bernoulli())
    played = trace("pond", instance, 1500, stream=Stream(SEED), tuning=1.0)
    assert played.arms == play("pond", instance, 0.5, 1500)


def test_own_numbers_are_as_wide_as_standard_normal_ones_and_independent_of_rewards() -> None:
    draw = noise_of(POLICIES["thompson"], 2.0, 0, 3, ("a",))
    drawn = np.array([[draw(k, n) for n in range(1, 2001)] for k in range(5)])
    assert drawn.std() == pytest.approx(1.0, rel=0.03)
    instance = Instance([0.5] * 5, 0.0, 0.0, Gaussian(1.0))
    tape = RewardTape(instance, 0, Stream(3, ("a",)))
    rewards = np.array([[tape.reward(k, n) for n in range(1, 2001)] for k in range(5)])
    assert abs(np.corrcoef(drawn.ravel(), rewards.ravel())[0, 1]) < 0.04


PUBLISHED = 330.67
"""Mean regret of UCB with sqrt(2 log t / N), Bernoulli means 0.1 to 0.9, T = 10000, over
100 runs: SMPyBandits, notebook "Do_we_even_need_UCB"."""
PUBLISHED_RUNS = 100


def test_ucb1_has_the_published_regret() -> None:
    means = np.arange(1, 10) / 10
    # SMPyBandits takes the logarithm of the rounds played so far, and breaks ties at random;
    # ours go to the lowest arm, which is the worst one here.
    bandit = Instance(means, 0.0, 0.0, Bernoulli())
    run = simulate_part("ucb1", bandit, 10_000, replicates=2000, log_of="n-1")
    # With no penalties this is the pseudo-regret, sum_k Delta_k N_k.  SMPyBandits can also
    # count rewards that were drawn: that has the same mean and more spread, so taking the
    # spread of ours for theirs makes the bound smaller, not larger.
    regret = penalized_regret(run.pulls[:, -1], bandit)
    sd = regret.std(ddof=1)
    se = sd * math.sqrt(1 / regret.size + 1 / PUBLISHED_RUNS)
    # Three standard errors of the difference: missed by chance with probability 0.003.
    assert abs(regret.mean() - PUBLISHED) < 3 * se
    # The bound has to mean something: it is below 3 % of the value.
    assert 3 * se < 0.03 * PUBLISHED
