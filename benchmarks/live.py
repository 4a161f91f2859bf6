"""Choices of the live player, each with its reward, after every arm had one."""

from functools import cache

import numpy as np

from benchmarks.cases import Case
from penalized_bandits import POLICIES
from penalized_bandits.common.typing import IntArray
from penalized_bandits.live import Player


@cache  # the untimed call comes first
def _started(case: Case) -> Player:
    tuning = POLICIES[case.policy].published_tuning(case.arms, case.horizon)
    player = Player(case.policy, case.instance.fairness, case.instance.penalties, tuning=tuning)
    player.update(player.choose(case.arms), np.random.default_rng(1).random(case.arms))
    return player


def play(case: Case, available: range | None = None) -> IntArray:
    """Choose and report arm by arm; return the pulls, shape (K,)."""
    player, chosen = _started(case), list[int]()
    for reward in np.random.default_rng(2).random(case.horizon * case.replicates):
        chosen.append(player.choose(available=available))
        player.update(chosen[-1], reward)
    return np.bincount(chosen, minlength=case.arms)


def play_half(case: Case) -> IntArray:
    """Do the same while every other arm sleeps."""
    return play(case, range(0, case.arms, 2))
