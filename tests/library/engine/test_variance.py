"""The variance of an arm's rewards: the same in every loop, and kept where a policy names it."""

from runpy import run_path
from typing import Any

import numpy as np
import pytest

from docs_pages import blocks, write_file
from penalized_bandits import Arm, Beta, Hints, Instance, Policy, Round, Tuning
from penalized_bandits.engine.oracle import trace
from penalized_bandits.engine.simulate import loops_for, simulate_part

BANDIT = Instance([0.7, 0.6, 0.5, 0.45, 0.4], 0.1, 0.3, Beta())


def steady(arm: Arm) -> float:
    return arm.radius - arm.variance


def cautious(arm: Arm) -> float:
    return arm.mean - arm.variance + (arm.penalty if arm.below else 0.0)


def steadiest(state: Round) -> int:
    best, choice = -np.inf, 0
    for k in range(len(state.pulls)):
        index = (state.log / state.pulls[k]) ** 0.5 - state.variances[k]
        if index > best:
            best, choice = index, k
    return choice


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Policy]:
    (block,) = (b for b in blocks("how-to/add-a-policy.md") if b.title == "ucb_of_variances.py")
    folder = tmp_path_factory.mktemp("own")
    write_file(block, folder)
    found = run_path(str(folder / block.title))
    rising = Hints(index_is_nondecreasing=True, index_exceeds=lambda arm, x: steady(arm) > x)
    return {
        "ucb_v": found["ucb_v"],
        "ucb_tuned": found["ucb_tuned"],
        "lazy": Policy("steady", index=steady, hints=rising),
        "rounds": Policy("steadiest", choose=steadiest, hints=Hints(compiles=True)),
        "commits": Policy("commits", index=cautious, tuning=Tuning("m"), first_pulls="commit"),
    }


@pytest.mark.parametrize("name", ["ucb_v", "ucb_tuned", "lazy", "rounds", "commits"])
def test_every_loop_has_that_of_the_oracle(own: dict[str, Policy], name: str) -> None:
    tuning = 5.0 if own[name].tuning else None
    played = [trace(own[name], BANDIT, 600, replicate=r, tuning=tuning).arms for r in range(3)]
    expected = [np.bincount(arms, minlength=BANDIT.n_arms) for arms in played]
    for loop in loops_for(own[name]):
        run = simulate_part(own[name], BANDIT, 600, replicates=3, tuning=tuning, engine=loop)
        np.testing.assert_array_equal(run.pulls[:, -1], expected, err_msg=loop)


def test_it_is_that_of_the_rewards_seen() -> None:
    seen: list[Any] = []
    spy = Policy("spy", choose=lambda state: seen.append(state.variances) or state.n % 5)
    played = trace(spy, BANDIT, 200)
    for k in range(BANDIT.n_arms):
        rewards = [x for arm, x in zip(played.arms[:-1], played.rewards, strict=False) if arm == k]
        assert seen[-1][k] == pytest.approx(np.var(rewards), rel=1e-12)
