"""The playground's simulator in Chromium pulls the arms that the oracle pulls, round by round."""

from typing import Any

import numpy as np
import pytest

from browser_helpers import needs_browser
from penalized_bandits import Bernoulli, Instance
from penalized_bandits.engine.oracle import trace
from penalized_bandits.engine.simulate import simulate_part
from penalized_bandits.policies import PAPER_POLICY
from penalized_replication.playground.scripts import engine_source, translations
from playground_helpers import RUN, STREAM, check_pulls, given_as, usual_tuning

pytestmark = needs_browser
N_INSTANCES = 30
LONG = 20_000

PULLS = """
([given, policy]) => {
  const sim = new Simulation({ ...given, policy });
  while (sim.n < sim.horizon) sim.run(1 + sim.n);
  return [...sim.pulls];
}
"""

FAST = 6
"""Bandits of some families, on the grid and off it."""


@pytest.mark.parametrize(
    "i", [pytest.param(i, marks=() if i < FAST else pytest.mark.slow) for i in range(N_INSTANCES)]
)
def test_the_oracle_pulls_the_same_arms(page: Any, i: int) -> None:
    check_pulls(page, i)


TIED = Instance([0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3], 0.1, 0.2, Bernoulli())
TIED_SEED = 27
"""In round 661 the last place of a logarithm decides between two arms."""
WORSE = """(() => {
  const { log, exp } = Math;
  Math.log = (x) => log(x) * (1 - 2 ** -52);
  Math.exp = (x) => exp(x) * (1 + 2 ** -52);
})()"""
TIED_ON_GRID = 14
"""A bandit where the last place of a power decides between two indices of KL-UCB."""


@pytest.fixture(scope="module", name="worse")
def worse_fixture(page: Any) -> Any:
    """Open a page with the script, where logarithms and powers are wrong in the last place."""
    other = page.context.browser.new_page()
    other.evaluate(WORSE)
    assert other.evaluate("Math.log(661)") != np.log(661)
    other.add_script_tag(content=engine_source())
    return other


def test_a_tie_is_not_left_to_the_logarithm_of_the_browser(worse: Any) -> None:
    policy, rounds = "hard_threshold_variance", 700
    given = given_as(TIED, rounds, seed=TIED_SEED)
    arms = worse.evaluate(RUN, [given, rounds])[[*translations()[0]].index(policy)]
    assert arms == trace(policy, TIED, rounds, seed=TIED_SEED).arms


def test_a_tie_is_not_left_to_any_function_of_the_browser(worse: Any) -> None:
    check_pulls(worse, TIED_ON_GRID)


@pytest.mark.slow
@pytest.mark.parametrize(
    "policy", [PAPER_POLICY, "kl_hard_threshold", "lfg_original", "imed", "thompson_beta"]
)
def test_long_runs_end_where_the_compiled_simulator_ends(page: Any, policy: str) -> None:
    tuning = usual_tuning(policy, TIED.n_arms, LONG)
    run = simulate_part(policy, TIED, LONG, replicates=1, seed=3, stream=STREAM, tuning=tuning)
    given = given_as(TIED, LONG, seed=3, stream=STREAM)
    assert page.evaluate(PULLS, [given, policy]) == run.pulls[0, -1].tolist()
