"""The playground's simulator in Chromium pulls the arms that the oracle pulls, round by round."""

from typing import Any

import numpy as np
import pytest

from browser_helpers import needs_browser
from penalized_bandits import Bernoulli, Deterministic, Instance
from penalized_bandits.engine.oracle import trace
from penalized_bandits.engine.streams import Stream
from penalized_bandits.policies import PAPER_POLICY
from penalized_replication.playground.scripts import engine_source, translations
from playground_helpers import RUN, check_pulls, given_as

pytestmark = needs_browser
FAST = 6
"""Bandits of some families, on the grid and off it."""


@pytest.mark.parametrize(
    "i", [pytest.param(i, marks=() if i < FAST else pytest.mark.slow) for i in range(30)]
)
def test_the_oracle_pulls_the_same_arms(page: Any, i: int) -> None:
    check_pulls(page, i)


def test_an_unknown_law_is_refused_by_name(page: Any) -> None:
    given = given_as(TIED, 10, seed=1)
    said = page.evaluate(RUN, [{**given, "law": {"id": "laplace"}}, 10])
    assert set(said) == {"laplace rewards are not among REWARD_LAWS."}


TIED = Instance([0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3], 0.1, 0.2, Bernoulli())
TIED_SEED = 27
"""In round 29 the last place of a logarithm decides between two arms."""
WORSE = """(() => {
  const { log, exp } = Math;
  Math.log = (x) => log(x) * (1 - 2 ** -52);
  Math.exp = (x) => exp(x) * (1 + 2 ** -52);
})()"""


@pytest.fixture(scope="module", name="worse")
def worse_fixture(page: Any) -> Any:
    other = page.context.browser.new_page()
    other.evaluate(WORSE)
    assert other.evaluate("Math.log(29)") != np.log(29)
    other.add_script_tag(content=engine_source())
    return other


def test_a_tie_is_not_left_to_the_logarithm_of_the_browser(worse: Any) -> None:
    policy, rounds = "hard_threshold_variance", 700
    given = given_as(TIED, rounds, seed=TIED_SEED)
    arms = worse.evaluate(RUN, [given, rounds])[[*translations()[0]].index(policy)]
    assert arms == trace(policy, TIED, rounds, stream=Stream(TIED_SEED)).arms


def test_a_tie_is_not_left_to_any_function_of_the_browser(worse: Any) -> None:
    """Of bandit 14 the last place of a power decides between two indices of KL-UCB."""
    check_pulls(worse, 14)


SURE = Instance([0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3], 0.1, 0.2, Deterministic())

PARTS = """
([given, policies]) => policies.map((policy) => {
  const sim = new Simulation({ ...given, policy });
  sim.run(50);
  return [...given.means.keys()].map((k) => sim.parts(k));
})
"""


def test_parts_of_an_index(page: Any) -> None:
    sums, others = [PAPER_POLICY, "kl_hard_threshold"], ["lfg", "pond"]
    given = given_as(SURE, 100, seed=1)
    found = page.evaluate(PARTS, [given, [*sums, *others]])
    pulls = np.zeros(SURE.n_arms)
    for arm in trace(PAPER_POLICY, SURE, 50, stream=Stream(1)).arms:
        pulls[arm] += 1
    below = pulls < SURE.fairness * 51
    assert 0 < below.sum() < SURE.n_arms
    for parts, n_pulls, short in zip(found[0], pulls, below, strict=True):
        assert parts["penalty"] == pytest.approx(0.2 if short else 0)
        assert parts["radius"] == pytest.approx((2 * np.log(51) / n_pulls) ** 0.5)
    for parts in (one for arms in found[:2] for one in arms):
        assert parts["mean"] + parts["penalty"] + parts["radius"] == pytest.approx(parts["index"])
        assert not parts["urgent"]
    assert all(one["penalty"] is None and one["index"] > one["mean"] for one in found[2])
    assert all(one["index"] is None for one in found[3])
