"""Arms that sleep, come and go; batches; ids, probabilities and files of a live player."""

import hashlib
import math
import os
import signal
import time
import warnings
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from penalized_bandits import POLICIES, BanditError, Bernoulli, Instance
from penalized_bandits.common.errors import LateRewardsWarning
from penalized_bandits.common.typing import FloatArray
from penalized_bandits.engine._scores import SUM
from penalized_bandits.engine.oracle import RewardTape, trace
from penalized_bandits.engine.streams import Stream
from penalized_bandits.live import Choice, Player
from penalized_bandits.theory.deficits import drift_bound
from penalized_bandits.theory.inputs import instance_of

BY_ARM = [name for name, policy in POLICIES.items() if not policy.shares_memory]
TAU = np.array([0.1, 0.3, 0.0, 0.25, 0.05])
MEANS = np.array([0.5, 0.3, 0.8, 0.6, 0.55])


def player_of(policy: str, **options: Any) -> Player:
    tuning = 3.0 if POLICIES[policy].tuning else None
    return Player(policy, TAU, [0.1, 0.4, 0.2, 0.3, 1.0], tuning=tuning, seed=3, **options)


def test_choices_are_those_of_the_first_version_where_rewards_are_late() -> None:
    """The tests of the simulator's arms are for rewards that come at once."""
    digest, rng = hashlib.sha256(), np.random.default_rng(5)
    for policy in [*POLICIES][:35]:  # those of the first version
        if policy in ("banditq", "imed") or "variance" in str(POLICIES[policy].card.bound):
            continue  # these learn otherwise from late rewards
        player, due = player_of(policy), list[int]()
        for _ in range(300):
            due.append(int(player.choose()))
            digest.update(bytes(due[-1:]))
            if len(due) > 7:
                player.update(due[3:], (rng.random(len(due) - 3) < MEANS[due[3:]]).astype(float))
                del due[3:]
    assert digest.hexdigest()[:16] == "b32e038581203dc0"


def sleeping(seed: int, n_arms: int, n_asleep: int) -> Callable[[int], list[int]]:
    def available(n: int) -> list[int]:
        awake = np.random.default_rng([seed, n]).permutation(n_arms)[n_asleep:]
        return sorted(awake.tolist())

    return available


@pytest.mark.parametrize("policy", BY_ARM)
def test_the_loop_of_the_simulator_plays_as_the_player(policy: str) -> None:
    instance = Instance(MEANS, TAU, [0.1, 0.4, 0.2, 0.3, 1.0], Bernoulli())
    available, tuning = sleeping(1, 5, 2), 3.0 if POLICIES[policy].tuning else None
    for accrual, repeat in [("always", True), ("available", False)]:
        options: Any = {"accrual": accrual, "tuning": tuning}
        options |= {"available": available, "batch": 2, "repeat": repeat}
        run = trace(policy, instance, 240, stream=Stream(3), **options)
        player, tape = player_of(policy, accrual=accrual), RewardTape(instance, 0, Stream(3))
        chosen = list[Choice]()
        while player.rounds < 240:
            before = player.pulls
            batch = player.choose(2, available=available(player.rounds + 1), repeat=repeat)
            first, second = batch
            pulls = before[first] + 1, before[second] + 1 + (first == second)
            rewards = [tape.reward(k, n) for k, n in zip(batch, pulls, strict=True)]
            player.update(batch, rewards)
            chosen += batch
        assert run.arms == chosen
        assert repeat or all(a != b for a, b in zip(chosen[::2], chosen[1::2], strict=True))


def published(tau: FloatArray, means: FloatArray, eta: float, rounds: int, seed: int) -> list[int]:
    """Play LFG, two arms a round, as Li, Liu and Ji write it, but with the slot in the logarithm.

    The first queues are tau, a slot's arrival (interpretation R13).
    """
    instance, available = Instance(means, tau, 0.0, Bernoulli()), sleeping(seed, 6, 2)
    tape, queues = RewardTape(instance, 0, Stream(seed)), tau.copy()
    pulls, sums, arms = np.zeros(6), np.zeros(6), list[int]()
    for t in range(rounds):
        bounds, chosen = np.ones(6), list[int]()
        for n in (2 * t + 1, 2 * t + 2):
            for k in np.flatnonzero(pulls):
                radius = math.sqrt(1.5 * math.log(n)) * (1.0 / math.sqrt(pulls[k]))
                bounds[k] = min(sums[k] / pulls[k] + radius, 1.0)
            rest = [k for k in available(2 * t + 1) if k not in chosen]
            chosen.append(max(rest, key=lambda k: queues[k] + eta * bounds[k]))
        queues = np.maximum(queues + 2 * tau - np.isin(np.arange(6), chosen), 0.0)
        for k in chosen:
            pulls[k] += 1
            sums[k] += tape.reward(k, int(pulls[k]))
        arms += chosen
    return arms


@pytest.mark.parametrize("seed", [0, 1])
def test_lfg_as_published(seed: int) -> None:
    r, means = np.array([16, 12, 8, 8, 4, 4]) / 32, np.arange(6) / 6
    instance = Instance(means, r / 2, 0.0, Bernoulli())
    options: Any = {"available": sleeping(seed, 6, 2), "batch": 2, "repeat": False, "tuning": 4.0}
    run = trace("lfg_original", instance, 2000, stream=Stream(seed), **options)
    assert run.arms == published(r / 2, means, 4.0, 1000, seed)


@pytest.mark.parametrize("policy", ["lfg", "tscsf_b"])
def test_queues_are_bounded_where_floors_accrue_with_availability(policy: str) -> None:
    """A choice adds at most 2 (1 + eta) to sum Q^2, whatever sleeps when."""
    player = player_of(policy, accrual="available")
    rng, there = np.random.default_rng(2), np.zeros(5)
    for n in range(1, 1501):
        available = rng.random(5) < (0.5 if n % 100 < 50 else 0.1)
        available[n // 300 % 5] = True
        there += available
        choice = player.choose(available=available)
        player.update(choice, float(rng.random() < MEANS[choice]))
        assert max(TAU * there - player.pulls) <= math.sqrt(2 * (1 + 3.0) * n)


@pytest.mark.parametrize(("accrual", "made_up"), [("always", 34), ("available", 1)])
def test_a_floor_accrues_as_declared(accrual: Any, made_up: int) -> None:
    player = Player("explore_then_commit", [0.0, 0.25], 9.0, tuning=1.0, accrual=accrual)
    player.update(player.choose(2), [0.5, 0.0])
    for _ in range(99):
        player.choose(available=[0])
    player = Player.from_state(player.state())
    while player.choose() == 1:
        pass
    # The least N >= 0.25 (101 + N); or N >= 0.25 times the 3 rounds in which it was there.
    assert player.pulls[1] == made_up


def test_floors_hold_within_a_batch_and_new_fractions_from_then_on() -> None:
    fairness = np.array([0.5, 0.3, 0.1, 0.0])
    player, twin = (Player("hard_threshold_ucb", fairness, 9.0) for _ in range(2))
    chosen = player.choose(500)
    assert chosen == [twin.choose() for _ in range(500)]
    pulls = np.cumsum(np.array(chosen)[:, None] == np.arange(4), axis=0)
    owed = fairness * np.arange(1, 501)[:, None] - pulls
    bound = drift_bound(instance_of(np.zeros(4), fairness, 9.0))
    assert (owed <= np.nan_to_num(bound)).all()
    player.update(chosen[::-1], np.arange(500) % 3 / 2)
    sums = player._play.stats[SUM].tolist()
    assert player.add_arm([0.1, 0.3, 0.1, 0.0, 0.2], 9.0) == 4
    player.retire_arm(1, [0.1, 0.0, 0.1, 0.0, 0.2])
    later = player.choose(1000)
    # What arm 0 had beyond its floor counts for the new one.
    expected = [math.ceil(100 + owed[-1, 0]), 0, 200]
    assert [later.count(k) for k in map(Choice, (0, 1, 4))] == expected
    assert player._play.stats[SUM, :4].tolist() == sums


def test_files_of_two_processes(tmp_path: Path) -> None:
    file = tmp_path / "player.json"
    player = Player("lfg", [0.1, 0.2], 0.0, tuning=2.0)
    player.save(file)
    other = Player.load(file)
    other.choose()
    other.save(file)
    other.save(file)
    player.choose()
    with pytest.raises(BanditError, match=r"player.json', which another player has saved since"):
        player.save(file)
    assert Player.load(file).state() == other.state()
    player.save(tmp_path / "other.json")


def test_probabilities() -> None:
    assert player_of("hard_threshold_ucb").choose().probability == 1.0
    player = Player("thompson_beta", [0.0, 0.0, 0.0], 0.0)
    player.update(player.choose(3), [1.0, 0.0, 0.0])
    assert math.isnan(player.choose().probability)
    # Beta(2, 1) exceeds Beta(1, 2) with probability 5/6, and the least of two such with 0.95.
    one = player.choose(1, available=[0, 1], draws=4000)
    two = player.choose(2, repeat=False, draws=4000)
    for choices, chance in [(one, 5 / 6), (two, 0.95)]:
        (estimate,) = (choice.probability for choice in choices if choice == 0)
        assert abs(estimate - chance) < 5 * math.sqrt(chance * (1 - chance) / 4000)


def test_drawn_floors_are_known_and_the_rest_is_simulated() -> None:
    tau = np.array([0.2, 0.2, 0.2])
    player = Player("thompson_floors", tau, 0.0, seed=4)
    assert [c.probability for c in player.choose(3, draws=5)] == [1.0] * 3  # scheduled
    player.update([0, 1, 2], [1.0, 0.0, 0.0])
    shares = dict[int, float]()
    for _ in range(60):
        choice = player.choose(draws=2_000)
        assert 0.2 < choice.probability <= 1.0
        shares[int(choice)] = choice.probability
    # Beta(2, 1) is above two Beta(1, 2) with probability 0.7; the other two are alike.
    best = np.array([0.7, 0.15, 0.15])
    sd = 0.4 * np.sqrt(best * (1 - best) / 2_000)
    assert (np.abs([shares[k] for k in range(3)] - (tau + 0.4 * best)) < 5 * sd).all()
    (one,) = player.choose(1, available=[1], draws=50)
    assert one.probability == 1.0
    for choice in player.choose(2, repeat=False, draws=50):
        assert choice.probability >= 0.2


def test_a_retired_arm_lacks_no_choice() -> None:
    player = Player("hard_threshold_ucb", [0.2] * 3, 1.0)
    player.choose(300, available=[0, 1])
    assert player.deficits.tolist() == [0, 0, 60]
    player.retire_arm(2, [0.2, 0.2, 0.0])
    assert player.deficits.tolist() == [0, 0, 0]


def test_allocations_are_those_of_the_next_choices() -> None:
    player = player_of("hard_threshold_ucb")
    shares, chosen = player.allocation(100), player.choose(100)
    assert shares.tolist() == [chosen.count(Choice(k)) / 100 for k in range(5)]


def play(player: Player, rounds: int, *rewards: float) -> None:
    for _ in range(rounds):
        if (arm := player.choose()) < len(rewards):
            player.update(arm, rewards[arm])


@pytest.mark.parametrize("policy", POLICIES)
def test_a_silent_arm_gets_its_floor_alone_until_a_reward_comes(policy: str) -> None:
    player = player_of(policy, patience=40)
    for rounds in (900, 1000):
        with pytest.warns(LateRewardsWarning, match="arm 4 was chosen 40 times") as warned:
            play(player, rounds - player.rounds, 0.5, 0.4, 0.3, 0.2)
        assert len(warned) == 1
        assert abs(player.pulls[4] - 0.05 * rounds) <= 1
        player = Player.from_state(player.state())
    player.update(4, 1.0)
    play(player, 300, 0.5, 0.4, 0.3, 0.2, 1.0)
    assert player.pulls[4] > 70


@pytest.mark.filterwarnings("ignore::penalized_bandits.common.errors.LateRewardsWarning")
def test_where_all_arms_are_silent_they_take_turns() -> None:
    player = Player("hard_threshold_ucb", [0.1] * 3, 1.0, patience=5)
    play(player, 300)
    assert player.pulls == [100] * 3
    player.update(0, 0.5)
    assert set(player.choose(20)) == {0}
    assert player.choose(available=[2]) == 2
    assert player.choose(3, repeat=False)[0] == 0


def test_a_forked_process_has_a_lock_and_ids_of_its_own() -> None:
    player, (read, write) = player_of("ucb1"), os.pipe()
    with ThreadPoolExecutor(1) as pool, warnings.catch_warnings(action="ignore"):
        pool.submit(player._lock.acquire).result()
        if (child := os.fork()) == 0:
            signal.alarm(10)
            os.write(write, player.choose().id.encode())
            os._exit(0)
        pool.submit(player._lock.release).result()
    assert os.waitpid(child, 0)[1] == 0
    player.choose()
    with pytest.raises(BanditError, match=r"choice '1-.*made by another player"):
        player.update(os.read(read, 99).decode(), 0.5)


TASKS: dict[str, Callable[[Player, int], Any]] = {
    "scheduled pulls": lambda p, k: p.choose(k),
    "without repetition": lambda p, k: p.choose(k, repeat=False),
    "ids of a batch": lambda p, k: p.update([c.id for c in p.choose(k)], [0.5] * k),
    "rewards of one arm": lambda p, k: p.update([0] * len(p.choose(k, available=[0])), [0.5] * k),
    "some arms": lambda p, k: p.choose(available=range(0, k, 2)),
    "arms without a reward": lambda p, k: (play(p, 2, 0.5), p.choose(k), play(p, 2)),
}


@pytest.mark.parametrize("task", TASKS)
def test_many_arms_take_linear_time(task: str) -> None:
    def seconds(n_arms: int) -> float:
        player, start = Player("ucb1", np.full(n_arms, 0.3 / n_arms), 0.1), time.process_time()
        TASKS[task](player, n_arms)
        return time.process_time() - start

    assert min(seconds(8000) for _ in range(3)) < 60 * min(seconds(500) for _ in range(9))
