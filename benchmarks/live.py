"""Choices, one by one and each with its reward: of the live player, and of other packages."""

import importlib
import time
from collections.abc import Callable
from functools import cache, partial
from typing import Any

import numpy as np

from benchmarks.cases import Case
from benchmarks.rivals.packages import Bandit, pulls_of
from benchmarks.startup import output
from penalized_bandits import POLICIES
from penalized_bandits.common.typing import IntArray
from penalized_bandits.live import Player

# Prints processor seconds: from the import to the first choice, and of the longest one after it.
FIRST_CHOICES = """from time import process_time
start, seconds = process_time(), []
from penalized_bandits.live import Player
player = Player("{case.policy}", [0.7 / {case.arms}] * {case.arms}, penalties=1.0)
for turn in range({case.horizon}):
    choice = player.choose()
    seconds.append(process_time() - start)
    player.update(choice, turn % 2)
    start = process_time()
print(seconds[0], max(seconds[1:]))
"""


def _player(case: Case, half: bool = False) -> Bandit:
    tuning = POLICIES[case.policy].published_tuning(case.arms, case.horizon)
    player = Player(case.policy, case.instance.fairness, case.instance.penalties, tuning=tuning)
    player.update(player.choose(case.arms), case.instance.means)
    there = range(0, case.arms, 2) if half else None
    return partial(player.choose, available=there), player.update


def _gittins(case: Case) -> Bandit:
    library: Any = importlib.import_module("gittins")
    state, made = library.create(bits=12, horizon=3600.0), [""]
    arms = [(f"a{arm}", {}) for arm in range(case.arms)]

    def choose() -> int:
        record = library.decide(state, {}, arms, time.time(), "salt")
        made[0] = record.decision_id
        return record.chosen

    return choose, lambda _, reward: library.learn(state, made[0], reward, time.time())


def _pymab(case: Case) -> Bandit:
    library: Any = importlib.import_module("pymab.policies")
    policy = library.UCBPolicy(n_arms=case.arms)
    for arm, mean in enumerate(case.instance.means.tolist()):
        policy.update(action=arm, reward=mean)
    choose = partial(policy.select_action, rng=np.random.default_rng(1))
    return choose, lambda arm, reward: policy.update(action=arm, reward=reward)


@cache  # the untimed call comes first, in which the player compiles its scores
def _started(start: Callable[[Case], Bandit], case: Case) -> Bandit:
    return start(case)


def _play(start: Callable[[Case], Bandit], case: Case) -> IntArray:
    """Choose and report rewards in [0, 1]; return the pulls, shape (K,)."""
    noise = np.random.default_rng(2).uniform(-0.1, 0.1, case.horizon * case.replicates)
    return pulls_of(_started(start, case), case, noise)


def _seconds(which: int, case: Case) -> float:
    """Return one of the numbers that a new process prints."""
    code = FIRST_CHOICES.format(case=case)
    return float(output(f"{case.policy}_{case.arms}.py", code).split()[which])


play, play_half = partial(_play, _player), partial(_play, partial(_player, half=True))
gittins, pymab = partial(_play, _gittins), partial(_play, _pymab)
first_answer, longest_choice = partial(_seconds, 0), partial(_seconds, 1)
