"""Rewards that come late in ``simulate``, by a number of rounds, by a law or after a batch."""

import math
from collections import defaultdict
from typing import Any

import numpy as np
import pytest

import penalized_bandits as pb
from golden_pulls import takes
from penalized_bandits.engine._specialise import kernel
from penalized_bandits.engine.oracle import RewardTape
from penalized_bandits.engine.simulate import delays_of, simulate_part
from penalized_bandits.engine.streams import NO_NAMES
from penalized_bandits.live import Player
from strategies import random_instance, random_tuning

BANDIT = pb.Instance([0.9, 0.6, 0.5], [0.1, 0.2, 0.2], 0.35, pb.Bernoulli())
# Urgencies, queues with and without first pulls, a commitment, both kinds of draws, variances.
INDEX = ["hard_threshold_ucb", "fair_learn", "lfg", "lfg_original", "explore_then_commit"]
INDEX += ["thompson_hard_threshold", "tscsf_b", "hard_threshold_variance"]
LATE: Any = [(40, 1), (13, 7), (lambda u: math.inf if u > 0.9 else 90.5 * u, 30)]


def assert_equal(a: pb.Simulation, b: pb.Simulation) -> None:
    for name in ("pulls", "max_deficits", "reward_sums"):
        np.testing.assert_array_equal(getattr(a, name), getattr(b, name), name)


@pytest.mark.parametrize("policy", INDEX)
def test_compiled_is_plain(policy: str) -> None:
    kernel(pb.POLICIES[policy], "late")  # the error, where a simulation would be plain
    family = "gaussian" if takes(policy, "gaussian") else "categorical"
    rng = np.random.default_rng(INDEX.index(policy))
    bandit = random_instance(rng, family, 4, 9)
    changes = {90: bandit.means[..., ::-1]} if family == "gaussian" else {}
    given = policy, pb.Changing(bandit, changes), 200
    how: dict[str, Any] = {"tuning": random_tuning(rng, policy, 200), "replicates": 9}
    prompt = simulate_part(*given, checkpoints=range(1, 201), **how)
    assert_equal(simulate_part(*given, checkpoints=range(1, 201), **how, engine="late"), prompt)
    for delay, batch in LATE:
        how |= {"checkpoints": [1, 50, 200], "delays": delays_of(delay, 200), "batch": batch}
        plain = simulate_part(*given, **how, engine="plain")
        assert_equal(simulate_part(*given, **how, threads=2), plain)


@pytest.mark.parametrize("policy", ["kl_hard_threshold", "explore_then_commit", "imed"])
@pytest.mark.parametrize(("delay", "batch"), [(0, 1), (25, 1), (3, 10)])
def test_a_player_with_the_same_late_rewards(policy: str, delay: int, batch: int) -> None:
    tuning = 5.0 if pb.POLICIES[policy].tuning else None
    player = Player(policy, BANDIT.fairness, BANDIT.penalties, tuning=tuning)
    tape, due = RewardTape(BANDIT, 0, NO_NAMES), defaultdict[int, list[Any]](list)
    for n in range(1, 401):
        choice = player.choose()
        due[n + delay].append((choice, tape.reward(choice, player.pulls[choice])))
        for arrival in range(n - batch + 1, n + 1 if n % batch == 0 else 0):
            for earlier, reward in due[arrival]:
                player.update(earlier, reward)
    run = pb.simulate(policy, BANDIT, 400, tuning=tuning, delay=delay, batch=batch, replicates=1)
    assert run.pulls[0, 0].tolist() == player.pulls


def test_without_rewards_floors_alone_are_played() -> None:
    bandit = pb.Instance([0.2, 0.3, 0.9], [0.1, 0.3, 0.6], 0.5, pb.Bernoulli())
    first, second = (pb.simulate("ucb1", bandit, 500, delay=late) for late in (500, math.inf))
    assert_equal(first, second)
    assert np.abs(first.pulls - [50, 150, 300]).max() <= 1


def delays_met(order: list[int]) -> list[int]:
    """Return the delay of the first reward of each arm, arms pulled in this order."""
    came: dict[int, int] = {}

    def choose(state: pb.Round) -> int:
        came.update((k, state.n) for k in np.flatnonzero(state.observed).tolist() if k not in came)
        return order[min(state.n, len(order)) - 1]

    bandit = pb.Instance([0.5] * len(order), 0.0, 0.0, pb.Bernoulli())
    policy = pb.Policy("in_order", choose=choose, first_pulls=False)
    pb.simulate(policy, bandit, 300, replicates=1, delay=lambda u: 1 if u < 0.25 else 3)
    return [came[k] - order.index(k) - 2 for k in range(len(order) - 1)]


def test_policies_meet_the_same_delays_of_the_law() -> None:
    arms = list(range(200))
    met = np.array(delays_met([*arms, 200]))
    assert met.tolist() == delays_met([*reversed(arms), 200])
    assert set(met) == {1, 3}
    assert abs((met == 1).sum() - 50) < 4 * math.sqrt(200 * 0.25 * 0.75)


def test_the_later_the_more_regret() -> None:
    bandit = pb.Instance([0.9, 0.6, 0.5], 0.0, 0.0, pb.Bernoulli())
    runs = [pb.simulate("ucb1", bandit, 3000, seed=1, delay=d).regret() for d in (0, 100, 400)]
    for more in np.diff(np.hstack(runs)).T:
        assert more.mean() > 3 * more.std(ddof=1) / math.sqrt(len(more))


def test_hard_caps_are_kept_in_plain_python() -> None:
    capped = pb.Instance([0.9, 0.6], [0.3, 0.1], 0.3, pb.Bernoulli(), [0.4, 1.0], math.inf)
    run = pb.simulate("hard_threshold_ucb", capped, 100, checkpoints=range(1, 101), delay=30)
    assert (run.pulls[:, :, 0] <= 0.4 * run.checkpoints + 1).all()
