"""The loop over blocks of arms pulls what the loop over lanes pulls, whatever the blocks."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from penalized_bandits import POLICIES, Bernoulli, Instance
from penalized_bandits.engine import _jobs as jobs
from penalized_bandits.engine import simulate as engine
from penalized_bandits.engine.oracle import trace
from penalized_bandits.engine.simulate import Simulation, simulate_part
from penalized_bandits.policies.base import Arm, Policy
from strategies import ANY, FAMILIES, Request, random_instance, random_tuning


@pytest.fixture(autouse=True)
def compiled_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fail where a loop does not compile: plain Python would pull the same arms."""

    def fail(_: jobs.Job, reason: str) -> None:
        raise AssertionError(reason)

    monkeypatch.setattr(engine, "run_plain", fail)


def play(request: Request, loop: engine.Engine, checkpoints: list[int] | None) -> Simulation:
    return simulate_part(
        request.policy,
        request.instance,
        request.horizon,
        replicates=request.replicates,
        seed=request.seed,
        stream=("blocks",),
        tuning=request.tuning,
        log_of=request.log_of,
        checkpoints=checkpoints,
        engine=loop,
    )


def assert_same(request: Request, size: int, checkpoints: list[int] | None = None) -> None:
    """Compare the two loops to the last bit, with blocks of ``size`` arms."""
    lanes = play(request, "lanes", checkpoints)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(jobs, "block_size", lambda n_arms: min(n_arms, size))
        blocks = play(request, "blocks", checkpoints)
    for name in ("pulls", "max_deficits", "reward_sums"):
        np.testing.assert_array_equal(getattr(blocks, name), getattr(lanes, name))


@pytest.mark.parametrize("policies", ANY)
@settings(max_examples=50)
@given(data=st.data(), seed=st.integers(0, 2**32 - 1), family=st.sampled_from(FAMILIES))
def test_any_blocks(policies: list[str], data: st.DataObject, seed: int, family: str) -> None:
    with_index = [policy for policy in policies if POLICIES[policy].choose is None]
    policy = data.draw(st.sampled_from(with_index))
    rng = np.random.default_rng(seed)
    n_arms = int(rng.choice([1, 2, 7, 40, 118, 300]))
    horizon = int(rng.integers(1, 12 * n_arms + 200))
    replicates = int(rng.integers(1, 4))
    instance = random_instance(rng, family, n_arms, replicates)
    tuning = random_tuning(rng, policy, horizon)
    log_of = "n" if rng.random() < 0.5 else "n-1"
    request = Request(policy, instance, horizon, replicates, seed, tuning, log_of)
    halfway = [max(horizon // 2, 1), horizon] if horizon > 1 and rng.random() < 0.5 else None
    assert_same(request, int(rng.choice([1, 3, 8, 64])), halfway)


def falling_index(arm: Arm) -> float:
    return arm.mean - arm.radius + (1.0 if arm.pulls < 2.0 else 0.0)


@pytest.mark.parametrize("policy", ["thompson_hard_threshold", "thompson"])
def test_a_policy_that_draws_is_compiled(policy: str) -> None:
    instance = Instance(np.linspace(0.1, 0.9, 40), 0.01, 0.2, Bernoulli())
    assert_same(Request(policy, instance, 200, 2, 5, None, "n"), 8)


def test_a_policy_whose_scores_may_fall_is_scanned_in_full() -> None:
    policy = Policy("falling", index=falling_index)
    instance = Instance(np.linspace(0.2, 0.8, 50), 0.0, 0.0, Bernoulli())
    pulls = simulate_part(policy, instance, 3000, replicates=1, seed=2, engine="blocks").pulls
    expected = np.bincount(trace(policy, instance, 3000, seed=2).arms, minlength=50)
    np.testing.assert_array_equal(pulls[0, -1], expected)


@pytest.mark.parametrize(
    "policy", [p for p in POLICIES.values() if p.hints.index_is_nondecreasing], ids=lambda p: p.id
)
def test_scores_rise_as_policies_say(policy: Policy) -> None:
    rng = np.random.default_rng(3)
    for _ in range(60):
        pulls, fairness = float(rng.integers(1, 50)), float(rng.random() * 0.5)
        mean, penalty, level = rng.random(3)
        last = (-math.inf, -math.inf)
        for n in range(60, 160):
            arm = Arm(
                n=float(n),
                mean=mean,
                radius=float(np.sqrt(2 * np.log(n)) / np.sqrt(pulls)),
                pulls=pulls,
                observed=pulls,
                below=pulls < fairness * n,
                fairness=fairness,
                penalty=penalty,
                queue=level + fairness * (n - 60),
                tuning=3.0,
            )
            score = (policy.index(arm), policy.urgency(arm))
            assert score[0] >= last[0] - 1e-12
            assert score[1] >= last[1] - 1e-12
            last = score


def test_the_loop_is_chosen_by_size() -> None:
    few, many = (Instance(np.full(k, 0.5), 0.0, 0.0, Bernoulli()) for k in (20, 5000))
    ucb1 = POLICIES["ucb1"]
    falling = Policy("falling", index=falling_index)
    choose = engine._engine_for
    assert choose(POLICIES["kl_ucb"], few, 100) == "lazy"
    assert choose(ucb1, few, 100) == "lanes"
    assert choose(ucb1, few, 1) == "blocks"
    assert choose(ucb1, few, 4) == "lanes"
    assert choose(ucb1, many, 100) == "blocks"
    assert choose(falling, many, 100) == "lanes"
