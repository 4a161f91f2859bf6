"""Play with ceilings, beside golden pulls and oracle: an own simulation, a planted fault."""

import numpy as np
import pytest

import golden_pulls as golden
from penalized_bandits import Bernoulli, Instance, simulate
from penalized_bandits.engine import _scores
from penalized_bandits.engine.simulate import Engine, simulate_part

# The first two instances of "Checks" in research/docs/stairs.md.
SOFT = Instance(
    *([0.9, 0.7, 0.4, 0.3], [0, 0, 0.1, 0.1], [0, 0, 0.1, 0.7], Bernoulli()),
    ceilings=[0.5, 1, 1, 1],
    excess_penalties=[0.5, 0, 0, 0],
)
HARD = Instance([0.9, 0.7, 0.4], 0, 0, Bernoulli(), ceilings=0.5, excess_penalties=np.inf)


def own_pulls(instance: Instance, horizon: int, runs: int) -> np.ndarray:
    """Play eq. (11) with steps of the value, all runs at once, on rewards of numpy."""
    rng, rows = np.random.default_rng(7), np.arange(runs)
    pulls, sums = np.zeros((2, runs, instance.n_arms))
    for n in range(1, horizon + 1):
        arms = np.full(runs, n - 1)
        if n > instance.n_arms:
            bonus = np.where(pulls < instance.fairness * n, instance.penalties, 0.0)
            over = pulls >= instance.ceilings * n
            bonus = np.where(over, -instance.excess_penalties, bonus)
            arms = (sums / pulls + bonus + np.sqrt(2 * np.log(n) / pulls)).argmax(axis=1)
        pulls[rows, arms] += 1
        sums[rows, arms] += rng.random(runs) < instance.means[arms]
    return pulls


@pytest.mark.parametrize("instance", [SOFT, HARD], ids=["soft", "hard"])
def test_an_own_simulation_has_the_same_mean_pulls(instance: Instance) -> None:
    runs, horizon = 400, 2000
    theirs = own_pulls(instance, horizon, runs)
    ours = simulate("hard_threshold_ucb", instance, horizon, replicates=runs, seed=3).pulls[:, -1]
    error = np.sqrt((theirs.var(axis=0) + ours.var(axis=0)) / (runs - 1))
    assert (np.abs(theirs.mean(axis=0) - ours.mean(axis=0)) <= 3 * error + 1e-9).all()


@pytest.mark.parametrize("engine", ["lanes", "leader"])
def test_a_hard_cap_is_kept_in_every_round(engine: Engine) -> None:
    rounds = range(1, 3001)
    run = simulate_part(
        *("hard_threshold_ucb", HARD, 3000), replicates=8, checkpoints=rounds, engine=engine
    )
    assert (run.pulls <= np.ceil(HARD.ceilings * np.array(rounds)[:, None])).all()


def test_golden_pulls_see_another_sign_of_the_cost(monkeypatch: pytest.MonkeyPatch) -> None:
    def part(policy: str, name: str, _replicate: int) -> bool:
        return (policy, name) == ("hard_threshold_ucb", "ceilings")

    assert [*golden.oracle_lines(part)] == golden.golden_lines(part)
    right = _scores.bonus_of
    monkeypatch.setattr(_scores, "bonus_of", lambda b, a, over, cost: right(b, a, over, -cost))
    assert [*golden.oracle_lines(part)] != golden.golden_lines(part)
