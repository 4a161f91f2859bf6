"""The live player: the simulator's arms on its rewards; late ones; what names arms; refusals."""

import copy
import json
import math
import pickle
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from penalized_bandits import POLICIES, Arm, BanditError, Bernoulli, Card, Instance, Player, Policy
from penalized_bandits.engine.oracle import RewardTape, trace
from penalized_bandits.engine.streams import Stream
from strategies import EACH, Request, requests


def player_of(request: Request) -> Player:
    return Player(
        request.policy,
        request.instance.fairness,
        request.instance.penalties,
        ceilings=request.instance.ceilings,
        excess_penalties=request.instance.excess_penalties,
        tuning=request.tuning,
        noise=request.instance.rewards.noise,
        seed=request.seed,
        log_of=request.log_of,
    )


def of_policy(data: st.DataObject, policy: str) -> Request:
    request = data.draw(requests([policy]))
    drawn = request.instance
    means, penalties = (np.atleast_2d(values)[0] for values in (drawn.means, drawn.penalties))
    other = POLICIES[policy].needs_unit_rewards or np.isinf(drawn.rewards.noise)
    rewards = Bernoulli() if other else drawn.rewards
    one = replace(drawn, means=means, penalties=penalties, rewards=rewards)
    return replace(request, instance=one, replicates=1)


def read_again(player: Player, policy: str | Policy | None = None) -> Player:
    again = Player.from_state(player.state(), policy)
    assert again.state() == player.state()
    return again


@pytest.mark.parametrize("policy", EACH)
@settings(max_examples=6)
@given(data=st.data())
def test_the_same_arms_as_the_simulator(policy: str, data: st.DataObject) -> None:
    request = of_policy(data, policy)
    run = request.play()
    player, tape = player_of(request), RewardTape(request.instance, 0, Stream(request.seed))
    handed_over = data.draw(st.integers(0, request.horizon - 1))
    for n in range(request.horizon):
        if n == handed_over:
            player = read_again(player)
        arm = player.choose()
        player.update(arm, tape.reward(arm, player.pulls[arm]))
        assert player.pulls == run.pulls[0, n].tolist()
        assert player.rounds == n + 1
    assert not any(player.outstanding)


@pytest.mark.parametrize("policy", POLICIES)
@settings(max_examples=6)
@given(data=st.data())
def test_late_and_lost_rewards(policy: str, data: st.DataObject) -> None:
    """Batches at random times are taken by any policy, as if they came one by one."""
    request = of_policy(data, policy)
    rng = np.random.default_rng(request.seed)
    lost, pause = rng.choice([0.0, 0.5, 1.0]), int(rng.integers(1, 60))
    player, twin = player_of(request), player_of(request)
    owed: list[int] = []
    for _ in range(request.horizon):
        arm = int(player.choose())
        assert twin.choose() == arm
        owed += [arm] if rng.random() >= lost else []
        if rng.random() < 1 / pause:
            rng.shuffle(owed)
            rewards = rng.random(len(owed)).tolist()
            player.update(owed, rewards)
            for one, reward in zip(owed, rewards, strict=True):
                twin.update(one, reward)
            owed = []
            twin = read_again(twin)
    assert sum(player.pulls) == request.horizon
    assert sum(player.outstanding) >= len(owed)


def test_a_commitment_rests_on_the_first_rewards_though_they_come_late() -> None:
    player = Player("explore_then_commit", [0.0, 0.0], 0.0, tuning=2.0)
    assert [player.choose() for _ in range(4)] == [0, 1, 0, 1]
    player.update([0, 1], [0.6, 0.4])
    assert player.choose() == 0
    player.update([0, 1], [0.0, 0.4])
    assert player.choose() == 1
    player.update(1, -1.0)
    assert read_again(player).choose() == 1


def started() -> Player:
    player = Player("hard_threshold_ucb", [0.1, 0.2, 0.2], 0.35)
    player.update([player.choose(), player.choose()], [0.5, 0.25])
    player.choose()
    return player


@pytest.mark.parametrize(
    ("arm", "reward", "message"),
    [
        *[(arm, 0.5, "arm is .*: it must be a whole number") for arm in (True, 1.5, {0})],
        *[(2, reward, r"reward is .*: it must be a finite") for reward in ("0.5", np.inf, {2: 1})],
        ([2], pd.DataFrame([[0.5]]), "arm is a list of 1 and reward one number"),
        (3, 0.5, "arm is 3: it must be at most 2"),
        (-1, 0.5, "arm is -1: it must be at least 0"),
        ("2", 0.5, "arm is choice '2', which waits for no reward"),
        (0, 0.5, "arm is 0, but no choice of it waits for a reward: it was chosen 1 times"),
        (2, 2e12, "at most 1e[+]12 in size"),
        ([2, 2], [0.5, 0.5], r"arm\[1\] is 2, but no choice of it"),
        ([2, 7], [0.5, 0.5], r"arm\[1\] is 7"),
        ([2], [[0.5]], r"reward\[0\] is \[0.5\]"),
        ([2], 0.5, "arm is a list of 1 and reward one number: each reward needs its arm"),
        ([2], [0.5, 0.5], "arm is a list of 1 and reward a list of 2"),
    ],
)
def test_bad_rewards_are_named_and_change_nothing(arm: Any, reward: Any, message: str) -> None:
    player = started()
    before = player.state()
    with pytest.raises(BanditError, match=message):
        player.update(arm, reward)
    assert player.state() == before
    player.update(np.array([2]), np.array([0.5]))


@pytest.mark.parametrize("key", json.loads(started().state()))
def test_a_changed_state_is_refused(key: str) -> None:
    facts = json.loads(started().state())
    for value in (None, "a", 1.5):
        with pytest.raises(BanditError, match=r"was changed since|has format"):
            Player.from_state(json.dumps(facts | {key: value}))


def test_a_state_may_lie_where_keys_are_ordered() -> None:
    text = started().state()
    ordered = json.dumps(json.loads(text), sort_keys=True, indent=1)
    assert Player.from_state(ordered).state() == text
    whole = Player.from_state(ordered.replace(".0,", ",").replace(".0\n", "\n"))
    assert whole.choose(9) == Player.from_state(text).choose(9)


def test_a_state_of_another_policy() -> None:
    text = started().state()
    with pytest.raises(BanditError, match="the state is of policy hard_threshold_ucb, not of ucb1"):
        Player.from_state(text, "ucb1")
    other = Policy("hard_threshold_ucb", choose=lambda state: 0, memory=1)
    with pytest.raises(BanditError, match=r"has 0 numbers for each arm, but policy .* keeps 1"):
        Player.from_state(text, other)
    for other in ("", "[" * 10**5, "[1]", "{}", '{"format": 1}'):
        with pytest.raises(BanditError, match=r"the state (is|has format 1, but 9 is read)"):
            Player.from_state(other)


def test_threads_share_a_player() -> None:
    def served(queue: float, penalty: float, tuning: float) -> float:
        time.sleep(1e-5)  # other threads have their turn in the middle of a round
        return queue

    slow = Policy("slow", index=lambda a: a.radius, served=served)
    player = Player(slow, [0.2] * 4, 0)

    def serve(_: int) -> None:
        for _ in range(50):
            player.update(player.choose(), 0.5)

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(serve, range(8)))
    assert (player.rounds, sum(player.pulls), player.outstanding) == (400, 400, [0] * 4)


C = 1.0


def index(arm: Arm) -> float:
    return arm.mean + C * arm.radius


MINE = Policy("mine", index=index)
LAMBDA = Policy("lambda", index=lambda arm: arm.mean)


@pytest.mark.parametrize("policy", [*POLICIES, MINE, LAMBDA])
def test_copies_go_on_alike_with_ids_of_their_own(policy: Any) -> None:
    tuning = 3.0 if policy in POLICIES and POLICIES[policy].tuning else None
    player = Player(policy, [0.1, 0.2], 0.3, tuning=tuning)
    for _ in range(20):
        player.update(player.choose(), 0.5)
    before, pickled = player.choose(), pickle.dumps(player)
    others = [copy.copy(player), copy.deepcopy(player), pickle.loads(pickled)]
    chosen = player.choose(9)
    for other in others:
        assert other.choose(9) == chosen
        other.update(before, 0.5)
        with pytest.raises(BanditError, match="made by another player"):
            other.update(chosen[0], 0.5)


def test_the_state_of_an_own_policy_is_of_its_formula(monkeypatch: pytest.MonkeyPatch) -> None:
    own = Policy("ucb1", index=index)
    text, builtin, taken = (Player(p, [0.1, 0.2], 0).state() for p in (MINE, "ucb1", own))
    assert Player.from_state(text, replace(MINE, card=Card("A label"))).state() == text
    with pytest.raises(BanditError, match="state is of own policy mine: pass it as policy="):
        Player.from_state(text)
    other, noisier = Policy("mine", index=lambda a: a.mean), replace(MINE, exploration=3.0)
    for state, policy in ((text, other), (text, noisier), (taken, None), (builtin, own)):
        with pytest.raises(BanditError, match="but its formula or a value in it is another now"):
            Player.from_state(state, policy)
    with monkeypatch.context() as patch:
        patch.setattr(sys.implementation, "cache_tag", "another")
        with pytest.warns(UserWarning, match=r"mine cannot be compared .* saved with cpython-"):
            Player.from_state(text, MINE)
    monkeypatch.setitem(globals(), "C", 2.0)
    with pytest.raises(BanditError, match="a value in it is another"):
        Player.from_state(text, MINE)


@pytest.mark.parametrize("policy", ["ucb_normal", "hard_threshold_normal", "plan_and_track"])
@pytest.mark.parametrize("add", [True, False])
def test_arms_whose_fractions_fall_are_not_pulled_for_it(policy: str, add: bool) -> None:
    """What they had beyond their new fraction is credit, and no reason to explore them."""
    means, rng = np.array([0.9, 0.1, 0.1, 0.1]), np.random.default_rng(1)
    player = Player(policy, [0.3] * 3 + [0.0] * (not add), 0.0, noise=0.1)

    def play(rounds: int) -> list[int]:
        for _ in range(rounds):
            arm = player.choose()
            player.update(arm, means[arm] + 0.1 * rng.standard_normal())
        return player.pulls

    before = play(1000)
    if add:
        player.add_arm([0.2] * 4, 0.0)
    else:
        player.retire_arm(3, [0.9, 0.0, 0.0, 0.0])
    assert play(500)[0] - before[0] > 450


TAU = np.array([0.1, 0.3, 0.0, 0.25, 0.05])
TWO = Instance([0, 1], 0.1, 0.1, Bernoulli())


def five_arms(policy: str, **options: Any) -> Player:
    tuning = 3.0 if policy == "pond" else None
    return Player(policy, TAU, 0.3, tuning=tuning, **options)


def test_ways_to_name_two_arms() -> None:
    there = np.arange(5) % 4 == 0
    numbers: list[Any] = [[4, 0], (0, 4), range(0, 5, 4), np.array([0, 4], "u1"), pd.Series([4, 0])]
    masks: list[Any] = [there, there.tolist(), pd.Series(there, dtype="boolean")]
    names: list[Any] = [["e", "a"], np.array(["a", "e"]), pd.Series(["e", "a"])]
    for available in [*numbers, *masks, *names]:
        for own in (list("abcde"), np.array([*"abcde"]), pd.Series([*"abcde"])):
            player = five_arms("ucb1", names=own)
            assert player.names == list("abcde")
            assert set(player.choose(20, available=available)) == {0, 4}


def test_arms_are_named_by_arrow_arrays() -> None:
    array = pytest.importorskip("pyarrow").array
    for available in (["a", "e"], [0, 4], [True, False, False, False, True]):
        player = five_arms("ucb1", names=array([*"abcde"]))
        assert set(player.choose(20, available=array(available))) == {0, 4}
    with pytest.raises(BanditError, match=r"available\[1\] is missing: it must be an arm"):
        player.choose(available=array([True, None, True, True, True]))


NO_CHOICE: list[Any] = [
    *([0, 0], [True, 0], [0.5, 1.0], ["0", "1"], "01", {0, 1}, np.ones((1, 5), bool)),
    *(np.ma.masked_equal([0, 1], 1), np.array(["2020"], dtype="M8[D]"), pd.DataFrame()),
]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda p: p.choose(0), "n is 0: it must be at least 1"),
        (lambda p: p.choose(available=[]), r"available is \[\]: no arm in service"),
        (lambda p: p.choose(available=[9]), r"available\[0\] is 9: it must be at most 4"),
        (
            lambda p: five_arms("ucb1", names=[*"abcde"]).choose(available=pd.Series(["a", "x"])),
            r"available\[1\] is 'x', the name of no arm: the names are a, b, c, d, e",
        ),
        *[
            (lambda p, a=a: p.choose(available=a), r"available\[1\] is missing: it must be an arm")
            for a in ([0, None], [0, math.nan], pd.Series([True, pd.NA] * 2))
        ],
        (lambda p: p.choose(available=[True]), r"available has shape \(1,\)"),
        (lambda p: p.allocation(available=[1, 0, 1]), r"arm 1 twice.*no mask: use 5 booleans"),
        *[(lambda p, a=a: p.choose(available=a), "available") for a in NO_CHOICE],
        (lambda p: p.add_arm([0.1], 0.1), "fairness has shape"),
        (lambda p: p.add_arm(0.1, math.nan), "a value of penalty is not finite"),
        (lambda p: p.retire_arm(2, [*TAU[:2], 0.1, *TAU[3:]]), r"fairness\[2\] is 0.1, but arm 2"),
        (lambda p: five_arms("pond").add_arm(0.1, 0.1), "pond cannot play some of its arms"),
        (lambda p: five_arms("pond").choose(available=[0]), "pond cannot play some of its arms"),
        (lambda p: trace("ucb1", TWO, 9, available=lambda n: []), r"available\(1\) has no arm"),
        (lambda p: five_arms("ucb1", accrual="never"), "accrual is 'never': it must be 'always'"),
        (lambda _: Player("ucb1", 0.1, 0.1), "not both one number"),
        (lambda _: Player("ucb1", [0.1, 0.2], [[0.1, 0.2]]), r"shapes \(2,\) and \(1, 2\)"),
        (lambda _: Player("ucb1", [0.1, 0.2], 0.1, seed=-1), "seed is -1"),
        (lambda _: Player("ucb1", [0.1, 0.2], 0.1, log_of="N"), "log_of is 'N'"),  # type: ignore[arg-type]
        (lambda _: Player("hard_threshold_sigma", [0.1, 0.2], 0.1, noise=np.inf), "noise is inf"),
    ],
)
def test_errors_name_the_argument(call: Callable[[Player], object], message: str) -> None:
    player = five_arms("hard_threshold_ucb")
    before = player.state()
    with pytest.raises(BanditError, match=message):
        call(player)
    assert player.state() == before
