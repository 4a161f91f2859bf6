"""Policies and simulations go to other processes and come back, whatever they are made of."""

import copy
import multiprocessing
import pickle
from concurrent.futures import ProcessPoolExecutor
from functools import partial

import numpy as np
from numba import njit

from penalized_bandits import POLICIES, Arm, Policy, simulate
from strategies import FAMILIES, random_instance


@njit
def compiled_index(arm: Arm) -> float:
    return arm.mean + arm.radius


def test_policies_of_the_package_are_themselves_after_pickling() -> None:
    for policy in POLICIES.values():
        assert pickle.loads(pickle.dumps(policy)) is policy
        if policy.tuning is not None and policy.tuning.regret is not None:
            tuning = pickle.loads(pickle.dumps(policy.tuning))
            assert tuning.regret(3, 1000) == policy.tuning.regret(3, 1000)


def test_simulations_come_back_from_another_process() -> None:
    factor = 0.5
    own = [
        Policy("closure", index=lambda arm: arm.mean + factor * arm.radius),
        Policy("compiled", index=compiled_index),
        Policy("choice", choose=lambda state: state.n % 2),
        Policy("lfg", index=lambda arm: arm.mean),  # in spite of its id not the package's
    ]
    policies = [*own, POLICIES["ucb1"]]
    laws = [random_instance(np.random.default_rng(1), family, 4, 3) for family in FAMILIES]
    play = partial(simulate, horizon=60, replicates=3)
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
        runs = list(pool.map(play, policies, laws))
    for policy, law, run in zip(policies, laws, runs, strict=True):
        for found in (run, copy.deepcopy(run)):
            assert found.policy.id == policy.id
            np.testing.assert_array_equal(found.pulls, play(policy, law).pulls)
            np.testing.assert_array_equal(found.instance.means, law.means)
        assert copy.copy(policy) == copy.deepcopy(policy) == policy
