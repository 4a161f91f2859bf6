"""The registry of policies, their tunings, and how LFG differs from its original."""

import copy
import math
import multiprocessing
import pickle
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import pytest
from numba import njit

import penalized_bandits as pb
from penalized_bandits.bandit.rewards import FAMILIES
from penalized_bandits.engine.contract import CHECKS, check
from penalized_bandits.engine.oracle import trace
from penalized_bandits.engine.simulate import why_plain
from penalized_bandits.policies.paper.explore_then_commit import pulls_per_arm
from strategies import EACH, random_instance


@pytest.mark.parametrize(
    ("arms", "horizon", "m"),
    [
        (8, 8000, 208),  # (1000)^(2/3) (log 8000)^(1/3) = 100 * 2.0791... = 207.9...
        (5, 500, 40),  # 100^(2/3) (log 500)^(1/3) = 21.544 * 1.8383 = 39.6...
        (20, 30, 1),  # no more than T/K pulls
        (1, 1, 1),
    ],
)
def test_length_of_the_exploration(arms: int, horizon: int, m: float) -> None:
    assert pulls_per_arm(arms, horizon) == m


@pytest.mark.parametrize(
    ("policy", "regret", "path", "tradeoff"),
    # alpha = 0 and (1 - eta) tau_1 T; eta_0 = sqrt(T) and (1 - eta) T: Settings 1 and 2.
    [("fair_learn", 0.0, 450.0, [0.0, 50.0, 100.0]), ("lfg", 20.0, 7500.0, [1.0, 100.0, 10000.0])],
)
def test_tunings(policy: str, regret: float, path: float, tradeoff: list[float]) -> None:
    tuning: Any = pb.POLICIES[policy].tuning
    assert tuning.regret(5, 400) == regret
    assert tuning.path(0.25, 600.0, 10000) == path
    assert tuning.tradeoff(3, 100.0, 10000) == pytest.approx(tradeoff)


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("UCB", r"did you mean ucb1"),
        ("hard_treshold_ucb", "did you mean hard_threshold_ucb"),
        ("epsilon", r"there are hard_threshold_ucb, lfg, \w+, ucb1, \.\.\.$"),
    ],
)
def test_an_unknown_policy_is_answered_with_similar_ids(name: str, hint: str) -> None:
    with pytest.raises(pb.BanditError, match=f"unknown policy '{name}': {hint}"):
        pb.get_policy(name)


def test_deficits_count_the_last_round_too() -> None:
    # tau_2 = 0.75 under UCB1, pulls [0, 1, 0, 1, 0, 0, 1, 0]: 0.75 t - N_2(t) is
    # 0.75, 0.5, 1.25, 1, 1.75, 2.5, 2.25, 3
    instance = pb.Instance([0.5, 0.25], [0.125, 0.75], 0.0, pb.Deterministic())
    for horizon, largest in ((1, 0.75), (2, 0.75), (3, 1.25), (7, 2.5), (8, 3.0)):
        assert trace("ucb1", instance, horizon).max_deficits == [0.0, largest]
        result = pb.simulate("ucb1", instance, horizon, replicates=1)
        assert result.max_deficits[0, 0].tolist() == [0.0, largest]


def test_policies_of_the_package_are_themselves_after_pickling() -> None:
    for policy in pb.POLICIES.values():
        assert pickle.loads(pickle.dumps(policy)) is policy


def test_simulations_come_back_from_another_process() -> None:
    factor = 0.5
    own = [
        pb.Policy("closure", index=lambda arm: arm.mean + factor * arm.radius),
        pb.Policy("compiled", index=njit(_index)),
        pb.Policy("choice", choose=lambda state: state.n % 2),
        pb.Policy("lfg", index=lambda arm: arm.mean),  # in spite of its id not the package's
    ]
    laws = [random_instance(np.random.default_rng(1), family, 4, 3) for family in FAMILIES]
    policies = [*own, *[pb.POLICIES["ucb1"]] * (len(laws) - len(own))]
    play = partial(pb.simulate, horizon=60, replicates=3)
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
        runs = list(pool.map(play, policies, laws))
    for policy, law, run in zip(policies, laws, runs, strict=True):
        for found in (run, copy.deepcopy(run)):
            assert found.policy.id == policy.id
            np.testing.assert_array_equal(found.pulls, play(policy, law).pulls)
            assert found.instance == law
        assert copy.copy(policy) == copy.deepcopy(policy) == policy


@pytest.mark.parametrize("name", CHECKS)
@pytest.mark.parametrize("policy", EACH)
def test_every_policy_keeps_it(policy: str, name: str) -> None:
    found = check(pb.POLICIES[policy], name)
    assert found.passed, found.detail
    assert found.detail


def _index(arm: pb.Arm) -> float:
    return arm.mean + arm.radius


def _waves(arm: pb.Arm) -> float:
    # Rises and falls as rounds go by although it says that it rises.
    return arm.mean + math.sin(arm.n * arm.fairness * 300.0 + arm.mean * 7.0)


CALLS: list[int] = []


def _remembers_outside(state: pb.Round) -> int:
    CALLS.append(state.n)
    return len(CALLS) // 7 % len(state.pulls)


def _raises(state: pb.Round) -> int:
    return {}["arm"]


def _weighed(weight: float, arm: pb.Arm, c: float, of: float = 2.0) -> float:
    return arm.mean * weight + c * arm.radius * of


def _spread(arm: pb.Arm, scale: float = 1.0, c: float = 0.0) -> float:
    return arm.mean + scale * c * arm.radius


WEIGHED: Any = _weighed


class Weight(NamedTuple):
    """A constant with a method that is an index."""

    c: float

    def of(self, arm: pb.Arm) -> float:
        return _weighed(1.0, arm, self.c)

    def scaled(self, of: float, arm: pb.Arm) -> float:
        return _weighed(1.0, arm, self.c, of)


GOOD = pb.Policy("mine", index=_index, ignores_penalties=True)
KLL = pb.Card(bound="kll")  # pyright: ignore[reportArgumentType]
NOT_UCB1 = replace(pb.POLICIES["kl_hard_threshold"], card=pb.Card(classical="ucb1"))
sample = partial(pytest.param, marks=pytest.mark.sample)


@pytest.mark.parametrize(
    ("policy", "name", "said"),
    [
        sample(
            replace(GOOD, index=_waves, hints=pb.POLICIES["ucb1"].hints), "many arms", "promise"
        ),
        (pb.Policy("a", choose=_remembers_outside), "equal to the oracle", "outside its memory"),
        (pb.Policy("a", choose=_raises), "equal to the oracle", "failed: KeyError: 'arm'"),
        sample(
            pb.Policy("a", index=lambda arm: arm.fairness / arm.pulls),
            "without penalties",
            "fairness fractions",
        ),
        (NOT_UCB1, "without penalties", "not ucb1"),
        (replace(GOOD, tuning=pb.Tuning("x", lambda k, t: -1.0)), "tuning rules", "finite"),
        (replace(GOOD, tuning=pb.Tuning(symbol="x")), "equal to the oracle", "has no rule"),
    ],
)
def test_a_broken_policy_fails(policy: pb.Policy, name: str, said: str) -> None:
    found = check(policy, name)
    assert not found.passed
    assert said in found.detail


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"choose": _raises}, "either an index or choose"),
        ({"draws": True, "hints": pb.Hints(index_is_nondecreasing=True)}, "nondecreasing"),
        ({"memory": 1}, "choose by themselves"),
        ({"memory": -1}, r"memory of policy \w+ is -1"),
        ({"first_pulls": "commits"}, r"first_pulls of policy \w+ is 'commits': it must be False"),
        ({"draws": "normal"}, r"draws of policy \w+ is 'normal': it must be False or True or "),
        ({"exploration": math.nan}, r"exploration of policy \w+ is nan"),
        ({"card": KLL}, r"bound of policy \w+ is 'kll': it must be 'radius'"),
        ({"index": math.sin}, r"index of policy \w+ is <built-in function sin>.*def or lambda"),
        ({"index": partial(WEIGHED, arm=1.0)}, r"is functools.partial.*: it must be a function"),
        ({"index": partial(WEIGHED, weight=1)}, r"is functools.partial.*: it must be a function"),
        ({"urgency": 3}, "urgency of policy .* is 3: it must be a function"),
        ({"card": "My label"}, "card of policy .* is 'My label': not a Card"),
        ({"tuning": 0.5}, "tuning of policy .* is 0.5: not a Tuning"),
        ({"first_pulls": "commit"}, "commits: .*its tuning is the pulls before that"),
    ],
)
def test_contradictions_are_told(changes: dict[str, Any], said: str) -> None:
    with pytest.raises(pb.BanditError, match=said):
        replace(GOOD, **changes)


@pytest.mark.parametrize(
    "index",
    [
        njit(_index),
        partial(_index),
        partial(_weighed, 1.0, c=0.5),
        partial(njit(_weighed), 1.0, of=1.0, c=1.0),
        partial(_spread, c=1.0),
        Weight(0.5).of,
        partial(Weight(0.5).scaled, 2.0),
    ],
)
def test_an_index_that_is_no_plain_function_is_compiled(index: Any) -> None:
    own = replace(GOOD, index=index)
    instance = pb.Instance([0.9, 0.6], 0.2, 0.4, pb.Bernoulli())
    assert why_plain(own) is None
    expected = pb.simulate(GOOD, instance, 100).pulls
    for policy in (own, pickle.loads(pickle.dumps(own))):
        np.testing.assert_array_equal(pb.simulate(policy, instance, 100).pulls, expected)
