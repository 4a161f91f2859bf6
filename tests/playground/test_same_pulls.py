"""The playground's simulator in Chromium pulls the arms that the oracle pulls, round by round.

Half of the bandits have means, fractions and rates on a coarse grid: their ties are exact but for
rounding, which must come out as it does in Python.
"""

from typing import Any

import numpy as np
import pytest

from browser_helpers import needs_browser
from penalized_bandits import (
    POLICIES,
    Bernoulli,
    Beta,
    Categorical,
    Deterministic,
    Gaussian,
    HeavyTailed,
    Instance,
    simulate,
)
from penalized_bandits.bandit.regret import penalized_regret, shortfall
from penalized_bandits.engine.oracle import trace
from penalized_bandits.playground.scripts import engine_source, policies
from penalized_bandits.policies import PAPER_POLICY
from penalized_bandits.typing import FloatArray
from playground_helpers import given_as
from playground_helpers import page_fixture as page_fixture

pytestmark = needs_browser
SEED = 20250301
N_INSTANCES = 50
ROUNDS = 120
LONG = 20_000
STREAM = ("playground", "drawn at τ = 0.2, " * 9)
"""More than a block of the hash that makes a key of it."""
SUPPORT = np.linspace(0, 1, 5)

RUN = """
([given, rounds]) => POLICIES.map((policy) => {
  const arms = [];
  try {
    const sim = new Simulation({ ...given, policy: policy.id });
    for (let n = 0; n < rounds; n += 1) {
      sim.run(1);
      arms.push(sim.last);
    }
    return arms;
  } catch (error) {
    return error.message;
  }
})
"""
TOTALS = """
([given, policy]) => {
  const sim = new Simulation({ ...given, policy });
  while (sim.n < sim.horizon) sim.run(1 + sim.n);
  return { pulls: [...sim.pulls], regret: sim.regret(), deficits: [...sim.deficits()] };
}
"""


def _law(family: int, means: FloatArray, rng: np.random.Generator) -> tuple[Any, dict[str, Any]]:
    """Return rewards, and the same as the script takes them."""
    sd = float(rng.choice([0.1, 0.25, 1.0]))
    if family == 3:
        table = rng.dirichlet(np.ones(SUPPORT.size), means.size)
        facts = {"support": SUPPORT.tolist(), "probabilities": table.tolist()}
        return Categorical(SUPPORT, table), {"id": "categorical", **facts}
    return [
        (Gaussian(sd), {"id": "gaussian", "sd": sd}),
        (Bernoulli(), {"id": "bernoulli"}),
        (Beta(), {"id": "beta"}),
        None,
        (Deterministic(), {"id": "deterministic"}),
        (HeavyTailed(sd, 1.5), {"id": "heavy_tailed", "scale": sd, "tail": 1.5}),
    ][family]


def _bandit(i: int) -> tuple[Instance, dict[str, Any]]:
    """Draw a bandit of a family in turn, on a grid or not; return it as the script takes it too."""
    rng = np.random.default_rng([SEED, i])
    n_arms = int(rng.integers(2, 21))
    if i % 2:
        means = rng.uniform(0, 1, n_arms)
        fairness = 0.9 * rng.dirichlet(np.ones(n_arms))
        penalties = rng.uniform(0, 1, n_arms)
    else:
        means = rng.integers(0, 11, n_arms) / 10
        fairness = np.full(n_arms, 0.8 / n_arms)
        penalties = rng.integers(0, 6, n_arms) / 10
    rewards, law = _law((i // 2) % 6, means, rng)
    if isinstance(rewards, Categorical):
        means = rewards.means
    instance = Instance(means, fairness, penalties, rewards)
    given = given_as(instance, law, ROUNDS, seed=SEED + i, stream=STREAM, replicate=i)
    return instance, given


def _tuning(policy: str, n_arms: int, horizon: int) -> float | None:
    rule = POLICIES[policy].tuning
    return None if rule is None or rule.regret is None else rule.regret(n_arms, horizon)


FAST = 12
"""Bandits of each family, on the grid and off it."""


@pytest.mark.parametrize(
    "i",
    [pytest.param(i, marks=() if i < FAST else pytest.mark.slow) for i in range(N_INSTANCES)],
)
def test_the_oracle_pulls_the_same_arms(page: Any, i: int) -> None:
    instance, given = _bandit(i)
    played = dict(zip(policies(), page.evaluate(RUN, [given, ROUNDS]), strict=True))
    for policy, arms in played.items():
        if POLICIES[policy].scaled_by_noise and given["law"]["id"] == "heavy_tailed":
            assert "not sub-Gaussian" in arms
            continue
        tuning = _tuning(policy, instance.n_arms, ROUNDS)
        wanted = trace(
            policy, instance, ROUNDS, replicate=i, seed=SEED + i, stream=STREAM, tuning=tuning
        )
        assert arms == wanted.arms, f"{policy}, {given['law']}"


TIED = Instance([0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3], 0.1, 0.2, Bernoulli())
TIED_SEED = 27
"""In round 661 the last place of a logarithm decides between two arms."""
WORSE = "(() => { const log = Math.log; Math.log = (x) => log(x) * (1 - 2 ** -52); })()"


def test_a_tie_is_not_left_to_the_logarithm_of_the_browser(page: Any) -> None:
    policy, rounds = "hard_threshold_variance", 700
    other = page.context.browser.new_page()
    other.evaluate(WORSE)
    assert other.evaluate("Math.log(661)") != np.log(661)
    other.add_script_tag(content=engine_source())
    given = given_as(TIED, {"id": "bernoulli"}, rounds, seed=TIED_SEED)
    arms = other.evaluate(RUN, [given, rounds])[policies().index(policy)]
    assert arms == trace(policy, TIED, rounds, seed=TIED_SEED).arms


@pytest.mark.slow
@pytest.mark.parametrize("policy", [PAPER_POLICY, "lfg_original", "imed", "thompson_beta"])
def test_long_runs_end_where_the_compiled_simulator_ends(page: Any, policy: str) -> None:
    tuning = _tuning(policy, TIED.n_arms, LONG)
    run = simulate(policy, TIED, LONG, replicates=1, seed=3, stream=STREAM, tuning=tuning)
    given = given_as(TIED, {"id": "bernoulli"}, LONG, seed=3, stream=STREAM)
    found = page.evaluate(TOTALS, [given, policy])
    pulls = run.pulls[0, -1]
    assert found["pulls"] == pulls.tolist()
    regret = penalized_regret(pulls, TIED.means, TIED.fairness, TIED.penalties)
    assert found["regret"] == pytest.approx(float(regret), abs=1e-6)
    short = shortfall(pulls, TIED.fairness, LONG)
    assert found["deficits"] == pytest.approx(short.tolist(), abs=1e-9)
