"""Rewards that come late, twice or never: retries, expired choices, complete prefixes, memory."""

import itertools
import math
import time
import tracemalloc
from datetime import timedelta
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from penalized_bandits import BanditError, Bernoulli, Instance
from penalized_bandits.engine._scores import LEVEL
from penalized_bandits.engine.oracle import trace
from penalized_bandits.live import Choice, Player, RepeatedRewardError, _arms, player
from penalized_bandits.policies.fair import banditq

DAY = 86_400.0


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    """A clock that a test sets."""
    clock = SimpleNamespace(now=1e9)
    for module in (_arms, player):
        monkeypatch.setattr(module, "now", lambda: clock.now)
    return clock


def player_of(**options: Any) -> Player:
    return Player("hard_threshold_ucb", [0.1, 0.2, 0.2], 0.5, **options)


def again(before: Player) -> Player:
    return Player.from_state(before.state())


def test_a_retry_is_known_across_restarts_and_changes_nothing() -> None:
    one = player_of()
    first, second, third = one.choose(3)
    one.update([first.id, int(second)], [1.0, 0.5])
    two = again(one)
    later = two.choose(3)
    two.update(later, [0.0] * 3)
    two = again(two)
    before = two.state()
    for choice in (first, second, *later):
        with pytest.raises(
            RepeatedRewardError, match="waits for no reward: it was reported before"
        ):
            two.update(choice.id, 0.5)
    for pair in ([third, first], [third.id, f"0{third.id}"]):
        with pytest.raises(BanditError, match=r"arm\[1\] is choice .* reported before"):
            two.update(pair, [0.5, 0.5])
    assert two.state() == before
    two.update(third, 0.5)


def test_what_was_never_chosen_is_no_retry() -> None:
    one, other = player_of(), player_of()
    (choice, *_), foreign = one.choose(2), other.choose()
    one.update(choice.id, 1.0)
    number, arm, word = choice.id.split("-")
    undone = again(one)
    lost = one.choose()
    undone.choose()
    for key in (foreign.id, f"9-{arm}-{word}", f"{number}-9-{word}", f"0-0-{word}", "", lost.id):
        with pytest.raises(BanditError, match="waits for no reward") as error:
            undone.update(key, 0.5)
        assert error.type is BanditError, key


@pytest.mark.parametrize("as_reward", [None, 0.25])
def test_old_choices_are_given_up(clock: SimpleNamespace, as_reward: float | None) -> None:
    one = player_of()
    old = one.choose(6)
    one.update(old[0], 1.0)
    clock.now += DAY
    new = one.choose(3)
    one = again(one)
    assert one.expire(older_than=DAY + 1) == [0, 0, 0]
    assert one.expire(older_than=DAY, as_reward=as_reward) == [1, 2, 2]
    assert one.counts == ([1, 0, 0] if as_reward is None else [2, 2, 2])
    assert one.outstanding == [new.count(Choice(k)) for k in range(3)]
    before = one.state()
    for key in (old[1], old[1].id, old[0].id):
        with pytest.raises(BanditError, match="reported before, given up") as error:
            one.update(key, 1.0)
        assert error.type is BanditError
    assert one.state() == before
    one.update(new, [0.5] * 3)
    # What is missing for ever still counts where rewards may be late by what they are.
    wider = np.ptp(one.intervals(late="any"), axis=1) > np.ptp(one.intervals(), axis=1) + 1e-9
    assert wider.tolist() == [as_reward is None] * 3


@pytest.mark.parametrize(
    "age", [timedelta(days=1), np.timedelta64(24, "h"), pd.Timedelta("1D"), DAY]
)
def test_an_age_is_in_seconds_or_a_difference_of_times(clock: SimpleNamespace, age: Any) -> None:
    one = player_of()
    one.choose()
    clock.now += DAY - 1
    assert one.expire(age) == [0, 0, 0]
    clock.now += 1
    assert one.expire(age) == [1, 0, 0]
    no_ages: list[Any] = [timedelta(-1), np.timedelta64("NaT", "s"), "1d"]
    for wrong in no_ages:
        with pytest.raises(BanditError, match="older_than is"):
            one.expire(wrong)


@pytest.mark.parametrize("moved", [-3600.0, 2 * DAY])
def test_a_clock_that_is_set_ages_no_choice(moved: float, monkeypatch: pytest.MonkeyPatch) -> None:
    one, before = player_of(), time.time()
    one.choose()
    monkeypatch.setattr(time, "time", lambda: before + moved)
    assert one.expire(DAY) == [0, 0, 0]
    assert one.expire(0.0) == [1, 0, 0]


def test_only_the_newest_ids_are_remembered() -> None:
    one = player_of(remembered=2)
    choices = one.choose(4, available=[1])
    with pytest.raises(BanditError, match="has 2 newer ones without a reward"):
        one.update(choices[1].id, 0.5)
    assert again(one).expire(older_than=DAY) == [0, 2, 0]
    one.update(1, 0.5)
    one.update([c.id for c in choices[2:]], [0.5] * 2)
    assert (one.outstanding, one.expire(0.0, as_reward=0.0)) == ([0, 1, 0], [0, 1, 0])


def test_an_open_choice_takes_at_most_150_bytes() -> None:
    one, n = Player("ucb1", [0.0], 0.0, patience=10**6), 2_750  # soon after a dict has grown
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    for _ in range(n):
        one.choose()
    taken = tracemalloc.get_traced_memory()[0] - before
    tracemalloc.stop()
    assert taken / n <= 150


@settings(max_examples=40)
@given(data=st.data())
def test_the_complete_prefix_against_lists(data: st.DataObject) -> None:
    """Each arm's choices and history in order, with the reward of each that has one."""
    one, lines = player_of(), [dict[Any, float | None]() for _ in range(3)]
    opened, grid = list[Choice](), st.integers(0, 20).map(lambda i: i / 20)
    for step in range(data.draw(st.integers(1, 40))):
        event = data.draw(st.sampled_from(["choose", "choose", "id", "arm", "observe", "expire"]))
        if event == "choose":
            opened.append(one.choose())
            lines[opened[-1]][opened[-1].id] = None
        elif event == "observe":
            arm, value = data.draw(st.integers(0, 2)), data.draw(grid)
            one.observe(arm, value)
            lines[arm][step] = value
        elif event == "expire" and data.draw(st.integers(0, 4)) == 0:
            value = data.draw(st.none() | grid)
            one.expire(0.0, as_reward=value)
            for choice in opened:
                lines[choice][choice.id] = value
            opened = []
        elif opened:
            choice, value = data.draw(st.sampled_from(opened)), data.draw(grid)
            if event != "id":  # of the oldest
                choice = next(each for each in opened if each == choice)
            one.update(choice.id if event == "id" else int(choice), value)
            opened = [each for each in opened if each.id != choice.id]
            # Without its id a reward may be of any choice that waits: its place is not known.
            known = event == "id" or choice not in opened
            lines[choice][choice.id] = value if known else None
        one = again(one) if data.draw(st.integers(0, 9)) == 0 else one
    table = np.zeros((21, 3))
    for k, line in enumerate(lines):
        for value in itertools.takewhile(lambda value: value is not None, line.values()):
            table[round(20 * value), k] += 1  # type: ignore[operator]
    assert one._tally.complete == table.T.tolist()


@pytest.mark.parametrize("means", [[0.9, 0.6], [0.6, 0.9]])
def test_every_reward_of_a_batch_is_learnt(means: list[float]) -> None:
    bandit = Instance(means, 0.2, 0.1, Bernoulli())
    arms = trace("banditq", bandit, 2000, tuning=2000**0.5, batch=10).arms
    assert np.bincount(arms)[np.argmax(means)] > 1200


def after_retiring(policy: str, retired: int, tau: list[float]) -> Player:
    player, rng = Player(policy, [0.2] * 3, 1.0, seed=3), np.random.default_rng(0)
    for n in range(2000):
        if n == 1000:
            player.retire_arm(retired, tau)
        choice = player.choose()
        player.update(choice, float(rng.random() < [0.9, 0.8, 0.2][choice]))
    return player


def test_a_plan_owes_no_pulls_of_retired_arms() -> None:
    assert max(after_retiring("plan_and_track", 0, [0.0, 0.2, 0.2]).deficits) < 1.0


def test_new_fractions_are_those_that_revenue_floors_draws_from() -> None:
    pulls = after_retiring("revenue_floors", 2, [0.1, 0.6, 0.0]).pulls
    # Before the change 200 of 1,000 or more; binomial with 1,000 and 0.6 from then on.
    assert pulls[1] > 200 + 600 - 4 * math.sqrt(240)


def test_the_queue_of_a_new_arm_begins_as_the_rule_has_it() -> None:
    player = Player("lfg_original", [0.5, 0.3], 0.0, tuning=1.0)
    player.add_arm([0.5, 0.2, 0.3], 0.0)
    assert player._play.stats[LEVEL, 2] == 0.3


def test_a_late_reward_is_weighed_by_the_chance_of_its_draw() -> None:
    player = Player("banditq", [0.1, 0.1], 0.0, tuning=5.0, seed=1)
    for _ in range(20):
        choice = player.choose()
        player.update(choice, float(choice == 0))
    late = player.choose()
    chance, other = player._play.memory[banditq.SHARE, late], player.choose()
    assert other != late
    player.update(other, 1.0)
    player.choose()
    assert player._play.memory[banditq.SHARE, late] != chance
    before = player._play.memory[banditq.WEIGHED, late]
    player.update(late, 1.0)
    player.choose()
    memory = player._play.memory
    gained = memory[banditq.WEIGHED, late] - before
    assert gained == pytest.approx((memory[banditq.QUEUE, late] + 5.0) / chance)
