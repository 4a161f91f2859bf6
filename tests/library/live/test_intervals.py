"""Means, intervals, names of a live player, and rewards that none of its choices brought."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from penalized_bandits import BanditError, intervals
from penalized_bandits.live import Choice, Player, RepeatedRewardError
from penalized_bandits.statistics.anytime import normal_interval, portfolio_interval

NAMES, X = ["old", "new", "third"], np.arange(21) / 20
LOG = {"arm": [*"abcabc"], "reward": [0.0, 0.25, 1.0, 1.0, 0.5, 0.75]}


def player_of(policy: str = "hard_threshold_ucb", **options: Any) -> Player:
    """Return a player with the rewards of the log and two more choices of each arm."""
    player = Player(policy, [0.1, 0.2, 0.3], 1.0, noise=0.4, **options)
    for k, reward in zip(["abc".index(a) for a in LOG["arm"]], LOG["reward"], strict=True):
        while player.outstanding[k] < 1:
            player.choose(available=[k])
        player.update(k, reward)
    for k in (0, 0, 1, 1, 2, 2):
        player.choose(available=[k])
    return player


@pytest.mark.parametrize(
    "policy", ["hard_threshold_ucb", "empirical_kl_hard_threshold", "thompson"]
)
def test_the_same_choices_by_name_as_by_number(policy: str) -> None:
    named, plain = Player(policy, [0.1] * 3, 0.3, names=NAMES), Player(policy, [0.1] * 3, 0.3)
    for n in range(60):
        choice = named.choose(available=NAMES[n % 2 :])
        number = plain.choose(available=[0, 1, 2][n % 2 :])
        assert (choice, choice.name, number.name) == (number, NAMES[number], "")
        named.update(choice.name, n % 3 / 2)
        plain.update(number, n % 3 / 2)
        assert set(named.best()) <= {0, 1, 2}
    assert named.counts == plain.counts


def test_history_is_in_estimates_and_not_in_pulls() -> None:
    player = player_of(names=NAMES)
    lack = player.deficits.tolist()
    player.observe("new", [0.5, 0.25, 0.0])
    player.observe(1, 1.0)
    assert (player.pulls, player.outstanding, player.counts) == ([4] * 3, [2] * 3, [2, 6, 2])
    assert player.means.tolist() == pytest.approx([0.5, 2.5 / 6, 0.875])
    assert player.deficits.tolist() == lack == [0, 0, 0]
    again = Player.from_state(player.state())
    assert again.state() == player.state()
    assert (again.names, again.outstanding, again.choose(9)) == (NAMES, [2] * 3, player.choose(9))
    warm = Player("ucb1", [0.0] * 2, 0.0)
    warm.observe(1, [1.0] * 50)
    warm.update(warm.choose(2), [0.0, 1.0])
    assert {*warm.choose(20)} == {0}  # the radius of arm 0 is that of one reward


def test_intervals_are_those_of_the_rewards() -> None:
    player, alpha = player_of(), 0.1 / 5
    table = np.zeros((3, 21))
    for k, places in enumerate(([0, 20], [5, 10], [20, 15])):
        table[k, places] = 1
    ends = portfolio_interval(table, X, alpha)
    assert player.intervals(0.9, arms=5) == pytest.approx(ends, abs=1e-9)
    log = intervals(LOG, arm="arm", reward="reward", confidence=0.9, arms=5)
    assert [*log.values()] == [pytest.approx(tuple(pair), abs=1e-9) for pair in ends]
    # With two choices of each arm without a reward those before them alone say more.
    found = player.intervals(0.9, arms=5, late="any")
    assert found == pytest.approx(ends, abs=1e-9)
    newest = player.choose(60)[-60:]
    player.update([c.id for c in newest], [0.5] * 60)
    table[:, 10] += [newest.count(Choice(k)) for k in range(3)]
    late = [portfolio_interval(table + 2 * (end == X), X, alpha) for end in (0.0, 1.0)]
    found, late = player.intervals(0.9, arms=5, late="any"), [late[0][:, 0], late[1][:, 1]]
    assert found == pytest.approx(np.stack(late, 1), abs=1e-9)
    normal = normal_interval([2] * 3, [1.0, 0.75, 1.75], alpha, sigma=0.4, best_at=9)
    player = player_of()
    assert player.intervals(0.9, arms=5, best_at=9) == pytest.approx(normal)


def test_an_id_after_a_number_may_have_been_meant() -> None:
    player = Player("ucb1", [0.0], 0.0)
    first, _ = player.choose(2)
    player.update(int(first), 1.0)
    with pytest.raises(BanditError, match="given up") as refused:
        player.update(first.id, 0.0)
    assert not isinstance(refused.value, RepeatedRewardError)


def test_one_arm_is_left_once_it_is_the_best() -> None:
    player = player_of()
    player.observe(2, [1.0] * 100)
    player.observe(0, [0.0] * 100)
    assert player.best() == [1, 2]
    player.observe(1, [0.25, 0.5] * 50)
    assert player.best() == [2]
    player.retire_arm(2, [0.1, 0.2, 0.0])
    assert player.best() == [1]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda p: p.add_arm(0.1, 1.0) + p.intervals(), "arms is None, but 1 arms were added"),
        (lambda p: p.observe(0, 1.5) or p.intervals(), "rewards are from 0 to 1.5"),
        (lambda p: p.observe(0, [0.5, "1"]), r"rewards\[1\] is '1'"),
        (lambda p: p.observe("old", 0.5), "is 'old', the name of no arm: arms have numbers alone"),
        (lambda p: p.intervals(late="some"), "late is 'some'"),
        (lambda p: p.expire(-1.0), "older_than is -1.0: it must be finite, >= 0"),
        (lambda p: p.expire(1.0, as_reward="0"), "as_reward is '0': it must be a finite number"),
        (lambda p: player_of(remembered=0), "remembered is 0: it must be at least 1"),
        (lambda p: p.intervals(best_at=9, late="any"), "late is 'any', but best_at is given"),
        (lambda p: p.add_arm(0.1, 1.0, name="d"), "names is .*: it must have 4 different texts"),
        (lambda p: player_of(names=["a", "a", "b"]), "names is .*: it must have 3 different"),
        (lambda p: player_of(names=["a", "b", "1-0-0123abcd"]), "names is"),
        *(
            (lambda _, x=x: Player(x, [0.1] * 2, 0, tuning=1).observe(0, 1), f"{x} learns from its")
            for x in ("pond", "explore_then_commit")
        ),
    ],
)
def test_errors_name_the_argument(call: Callable[[Player], object], message: str) -> None:
    with pytest.raises(BanditError, match=message):
        call(player_of())
