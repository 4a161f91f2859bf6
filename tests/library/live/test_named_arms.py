"""Arms that a live player is given: numbers, names, masks, of any type; what is refused, why."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest

from penalized_bandits import BanditError, Bernoulli, Instance, Player
from penalized_bandits.engine.oracle import trace

TAU = np.array([0.1, 0.3, 0.0, 0.25, 0.05])
TWO = Instance([0, 1], 0.1, 0.1, Bernoulli())


def player_of(policy: str, **options: Any) -> Player:
    tuning = 3.0 if policy == "pond" else None
    return Player(policy, TAU, 0.3, tuning=tuning, **options)


def test_ways_to_name_two_arms() -> None:
    there = np.arange(5) % 4 == 0
    numbers: list[Any] = [[4, 0], (0, 4), range(0, 5, 4), np.array([0, 4], "u1"), pd.Series([4, 0])]
    masks: list[Any] = [there, there.tolist(), pd.Series(there, dtype="boolean")]
    names: list[Any] = [["e", "a"], np.array(["a", "e"]), pd.Series(["e", "a"])]
    for available in [*numbers, *masks, *names]:
        for given in (list("abcde"), np.array([*"abcde"]), pd.Series([*"abcde"])):
            player = player_of("ucb1", names=given)
            assert player.names == list("abcde")
            assert set(player.choose(20, available=available)) == {0, 4}


def test_arms_are_named_by_arrow_arrays() -> None:
    array = pytest.importorskip("pyarrow").array
    for available in (["a", "e"], [0, 4], [True, False, False, False, True]):
        player = player_of("ucb1", names=array([*"abcde"]))
        assert set(player.choose(20, available=array(available))) == {0, 4}
    with pytest.raises(BanditError, match=r"available\[1\] is missing: it must be an arm"):
        player.choose(available=array([True, None, True, True, True]))


NO_ARMS: list[Any] = [
    *([0, 0], np.array([0, 1, 1]), [True, 0], [True, False], np.ones((1, 5), bool), {0: True}),
    *([0.5, 1.0], ["0", "1"], "01", {0, 1}, (k for k in (0, 1)), [None], [1 + 0j], pd.DataFrame()),
    *(np.ma.masked_equal([0, 1], 1), np.ma.masked_equal([True] * 4 + [False], False)),
    pd.Series([True, False, None] * 2)[:5],
    *(np.array(["2020"], dtype="M8[D]"), np.array([1], dtype="m8[ns]")),
]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda p: p.choose(0), "n is 0: it must be at least 1"),
        (lambda p: p.choose(available=[]), r"available is \[\]: no arm in service"),
        (lambda p: p.choose(available=[9]), r"available\[0\] is 9: it must be at most 4"),
        (
            lambda p: player_of("ucb1", names=[*"abcde"]).choose(available=pd.Series(["a", "x"])),
            r"available\[1\] is 'x', the name of no arm: the names are a, b, c, d, e",
        ),
        *[
            (lambda p, a=a: p.choose(available=a), r"available\[1\] is missing: it must be an arm")
            for a in ([0, None], [0, math.nan], pd.Series([True, pd.NA] * 2))
        ],
        (lambda p: p.retire_arm("x", TAU), "arm is 'x', the name of no arm"),
        (lambda p: p.choose(available=[True]), r"available has shape \(1,\)"),
        (lambda p: p.allocation(available=[1, 0, 1]), r"arm 1 twice.*no mask: use 5 booleans"),
        *[(lambda p, a=a: p.choose(available=a), "available") for a in NO_ARMS],
        (lambda p: p.add_arm([0.1], 0.1), "fairness has shape"),
        (lambda p: p.add_arm(0.1, math.nan), "a value of penalty is not finite"),
        (lambda p: p.retire_arm(2, [*TAU[:2], 0.1, *TAU[3:]]), r"fairness\[2\] is 0.1, but arm 2"),
        (lambda p: player_of("pond").add_arm(0.1, 0.1), "pond cannot play some of its arms"),
        (lambda p: player_of("pond").choose(available=[0]), "pond cannot play some of its arms"),
        (lambda p: trace("ucb1", TWO, 9, available=lambda n: []), r"available\(1\) has no arm"),
        (lambda p: player_of("ucb1", accrual="never"), "accrual is 'never': it must be 'always'"),
    ],
)
def test_errors_name_the_argument(call: Callable[[Player], object], message: str) -> None:
    player = player_of("hard_threshold_ucb")
    before = player.state()
    with pytest.raises(BanditError, match=message):
        call(player)
    assert player.state() == before
