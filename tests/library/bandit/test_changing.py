"""Bandits whose means change: pulls of all loops, and dynamic regret from its definition."""

from typing import Any

import numpy as np
import pytest

import penalized_bandits as pb
from penalized_bandits.common.typing import FloatArray
from penalized_bandits.engine.oracle import trace
from strategies import EACH, Request, assert_as_the_oracle

STEADY = pb.Instance([0.5, 0.2, 0.3], [0.1, 0.2, 0.0], [1.0, 0.1, 0.5], pb.Bernoulli())
BANDIT = pb.Changing(STEADY, {101: [0.2, 0.9, 0.2], 251: [0.1, 0.1, 0.8]}, period=60.0)  # type: ignore[arg-type]


@pytest.mark.parametrize("policy", EACH)
def test_every_loop_pulls_what_the_oracle_does(policy: str) -> None:
    tuning = pb.POLICIES[policy].published_tuning(3, 400)
    assert_as_the_oracle(Request(policy, BANDIT, 400, 2, 0, tuning, "n"))  # type: ignore[arg-type]


def test_a_pull_keeps_its_random_number() -> None:
    law = pb.Gaussian(0.5)
    steady = pb.Instance([0.5, 0.2], 0.0, 0.0, law)
    lower = pb.Changing(steady, {201: [0.25, -0.05]})
    in_turn = pb.Policy("in_turn", choose=lambda now: now.n % 2)
    runs = [trace(in_turn, bandit, 400) for bandit in (steady, lower)]
    less = np.subtract(runs[0].rewards, runs[1].rewards)
    np.testing.assert_allclose(less, [0.0] * 200 + [0.25] * 200, atol=1e-12)


def by_definition(arms: list[int], means: FloatArray, bandit: pb.Instance, period: int) -> float:
    """Add up the dynamic regret round by round; ``means`` are (T, K)."""
    tau, rates = bandit.fairness, bandit.penalties
    total, lacks, counts = 0.0, np.zeros(1), np.zeros(1)
    for t, (arm, mu) in enumerate(zip(arms, means, strict=True)):
        if t % period == 0:
            total += float(lacks.sum())
            counts = np.zeros(bandit.n_arms)
        counts[arm] += 1
        lacks = rates * np.maximum(tau * (t % period + 1) - counts, 0)
        gaps = mu.max() - mu
        total += mu.max() - (tau * np.minimum(gaps, rates)).sum() - mu[arm]
    return total + float(lacks.sum())


@pytest.mark.parametrize("seed", range(6))
def test_dynamic_regret_is_its_definition(seed: int) -> None:
    rng = np.random.default_rng(seed)
    horizon, n_arms, period = 300, int(rng.integers(2, 6)), int(rng.integers(7, 120))
    shape = (3, n_arms) if seed % 2 else (n_arms,)
    tau = rng.dirichlet(np.ones(n_arms)) * rng.random()
    first = pb.Instance(rng.random(shape), tau, rng.random(shape), pb.Bernoulli())
    starts = sorted(rng.choice(np.arange(2, 290), 4, replace=False).tolist())
    changes = {n: rng.random(shape) for n in starts}
    bandit = pb.Changing(first, changes, period if seed else None)  # None: that of all rounds
    run = pb.simulate("hard_threshold_ucb", bandit, horizon, replicates=3, checkpoints=[100])
    places = np.searchsorted([1, *starts], np.arange(1, horizon + 1), "right") - 1
    each = np.stack([each.means for each in bandit.stretches.values()])[places]
    for r in range(3):
        arms = trace("hard_threshold_ucb", bandit, horizon, replicate=r).arms
        means = each[:, r] if each.ndim == 3 else each
        rates = first.penalties[r] if each.ndim == 3 else first.penalties
        one = pb.Instance(means[0], tau, rates, pb.Bernoulli())
        for t in (100, horizon):
            at = run.checkpoints.tolist().index(t)
            expected = by_definition(arms[:t], means[:t], one, bandit.period or horizon)
            assert run.dynamic_regret()[r, at] == pytest.approx(expected, abs=1e-9)
            reward = means[range(t), arms[:t]].sum()
            assert run.expected_reward()[r, at] == pytest.approx(reward, abs=1e-9)


def test_compare_and_plot_know_it() -> None:
    compared = pb.compare(["hard_threshold_ucb", "ucb1"], BANDIT, 400, replicates=5)
    frame = compared.to_frame()
    whole = frame[frame["arm"].isna()]
    assert set(whole["metric"]) == {
        "dynamic_regret", "expected_reward", "reward_loss", "unfairness",
    }  # fmt: skip
    assert set(frame[frame["arm"].notna()]["metric"]) == {"pulls"}
    assert compared.plot().get_ylabel() == "dynamic regret (reward)"
    less = compared.difference("ucb1", "hard_threshold_ucb")["metric"].unique()
    assert less.tolist() == ["dynamic_regret_difference"]
    assert "with 2 changes" in repr(compared)
    assert "with 1 change," in repr(pb.simulate("ucb1", BANDIT, 250))


CHANGED: dict[str, tuple[Any, str]] = {
    "a change in round 1": (lambda: pb.Changing(STEADY, {1: [0.1] * 3}), "at least 2"),
    "pairs": (lambda: pb.Changing(STEADY, [(5, [0.1] * 3)]), "changes is .* must be a dict"),  # type: ignore[arg-type]
    "a round that is none": (lambda: pb.Changing(STEADY, {5: [0.1] * 3, "x": 1}), "is 'x'"),  # type: ignore[dict-item]
    "means of other arms": (lambda: pb.Changing(STEADY, {5: [0.1] * 2}), "round 5: .* shape"),
    "a mean that is none": (lambda: pb.Changing(STEADY, {5: [0.1, 0.2, 1.5]}), "round 5: .* 1.5"),
    "rows of two lengths": (lambda: pb.Changing(STEADY, {5: [[0.1], [1, 1]]}), "round 5: "),
    "no period": (lambda: pb.Changing(STEADY, {}, period=0), "period is 0"),
    "ceilings": (
        lambda: pb.Changing(pb.Instance([0.5, 0.2], 0, 0, pb.Beta(), 0.6, 1.0), {}),
        "without ceilings",
    ),
    "eq. (10) of it": (lambda: pb.simulate("ucb1", BANDIT, 10).regret(), "dynamic_regret"),
    "constant means": (lambda: pb.simulate("ucb1", STEADY, 10).dynamic_regret(), "regret()"),
    "counts alone": (lambda: pb.penalized_regret([1, 2, 3], BANDIT), "must be an Instance"),  # type: ignore[arg-type]
    "a sweep": (lambda: pb.sweep("ucb1", BANDIT, 10, penalties=[1]), "must be an Instance"),  # type: ignore[arg-type]
    "a prediction": (lambda: pb.predict("ucb1", BANDIT, 10), "must be an Instance"),  # type: ignore[arg-type]
    "no bandit": (lambda: pb.compare("ucb1", STEADY.means, 10), "Instance or Changing"),  # type: ignore[arg-type]
}


@pytest.mark.parametrize("what", CHANGED)
def test_what_makes_no_sense_is_refused(what: str) -> None:
    call, text = CHANGED[what]
    with pytest.raises(pb.BanditError, match=text):
        call()
