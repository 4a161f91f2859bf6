"""The theory in the page is the package's; panels of regret: which policy overtakes which."""

from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from browser_helpers import Open, needs_browser, visits
from penalized_bandits import POLICIES, BanditError, Instance, oracle_frontier, penalized_regret
from penalized_bandits.bandit.rewards import FAMILIES, Bernoulli, Gaussian
from penalized_bandits.engine.simulate import simulate_part
from penalized_bandits.engine.streams import Stream
from penalized_bandits.statistics.estimates import mean_estimate
from penalized_bandits.theory.exploration import exploration_of
from penalized_bandits.theory.fluid import break_points, predicted_pulls
from penalized_bandits.theory.inputs import instance_of
from penalized_bandits.theory.limits import log_constant
from penalized_bandits.theory.lower_bound import lower_bound
from penalized_replication.playground.page import TEMPLATES
from playground_helpers import SMALL, drawn_bandit, given_as, numbers_of, wait_until_played

pytestmark = needs_browser
NEAR = 1e-6
"""Relative difference."""
HORIZONS = (100, 10_000, 1_000_000_000)
NOISE = 0.3
SCRIPTS = ("state.js", "text.js", "chart.js", "panels.js")
PREDICTED = [
    policy
    if policy in ("hard_threshold_ucb", "soft_threshold_ucb")
    else pytest.param(policy, marks=pytest.mark.slow)
    for policy in POLICIES
    if exploration_of(policy, NOISE) is not None
]


@pytest.fixture(scope="module", name="page")
def page_fixture(browser: Any, playground: Path) -> Iterator[Any]:
    with visits(browser, playground) as opened:
        page = opened()
        parts = [(TEMPLATES / name).read_text("utf-8") for name in SCRIPTS]
        page.add_script_tag(content="\n".join(parts))
        yield page


def bandits(count: int = 8) -> list[dict[str, list[float]]]:
    """Return bandits of 2 to 20 arms, some with ties, arms without a share or without a rate."""
    draw = np.random.default_rng(19)
    found = []
    for number in range(count):
        n_arms = int(draw.integers(2, 21))
        means = draw.uniform(0.05, 0.95, n_arms).round(2)
        fairness = draw.dirichlet(np.ones(n_arms)) * draw.uniform(0.1, 0.95)
        penalties = draw.uniform(0, 0.8, n_arms)
        if number % 3 == 0:
            fairness[0], penalties[-1] = 0.0, 0.0
        if number % 3 == 1:
            # Gaps in decimals, which are not those in binary.
            penalties[1:] = (means.max() - means[1:]).round(2)
        values = {"means": means, "fairness": fairness, "penalties": penalties}
        found.append({name: each.tolist() for name, each in values.items()})
    return found


@pytest.mark.parametrize("policy", PREDICTED)
def test_fluid_prediction_and_its_regret(page: Any, policy: str) -> None:
    found = page.evaluate(
        "([policy, noise, bandits, horizons]) => bandits.map((b) => horizons.map((t) => {"
        " const variances = Theory.variancesOf({id: 'bernoulli'}, b.means);"
        " const rule = Theory.explorationOf(policy, noise, variances);"
        " const pulls = Theory.predictedPulls(b, t, rule, Theory.isSoft(policy));"
        " return [pulls, Theory.regretOf(pulls, b, t), Theory.logConstant(b, rule)]; }))",
        [policy, NOISE, bandits(), list(HORIZONS)],
    )
    soft = policy == "soft_threshold_ucb"
    for given, rows in zip(bandits(), found, strict=True):
        means, tau, rates = given.values()
        bandit = instance_of(means, tau, rates)
        rule = exploration_of(policy, NOISE, Bernoulli().variances(bandit.means))
        assert rule is not None
        for horizon, (pulls, regret, constant) in zip(HORIZONS, rows, strict=True):
            expected = predicted_pulls(bandit, horizon, rule=rule, soft=soft)
            assert pulls == pytest.approx(expected, rel=NEAR)
            # The package takes their sum for T: what it lacks, the best arm gets for nothing.
            whole = np.array(pulls)
            whole[np.argmax(means)] += horizon - whole.sum()
            of_those = penalized_regret(whole, bandit)
            # Rounding of a sum of T pulls: it is a difference of numbers of the order of T.
            assert regret == pytest.approx(of_those, rel=NEAR, abs=1e-10 * horizon)
            assert constant == pytest.approx(log_constant(bandit, rule), rel=NEAR)


def test_variances_and_lower_bound_of_every_law(page: Any) -> None:
    without_share = Instance([0.9, 0.6, 0.5], [0.0, 0.2, 0.0], [0.3, 0.4, 0.0], Bernoulli())
    for bandit in (without_share, *(drawn_bandit(2 * i + 1) for i in range(len(FAMILIES)))):
        given = given_as(bandit, 1, seed=1)
        variances = page.evaluate("(b) => Theory.variancesOf(b.law, b.means)", given)
        known = bandit.rewards.variances(bandit.means)
        assert (variances or [np.inf] * known.size) == pytest.approx(known, rel=NEAR, abs=1e-15)
        found = page.evaluate(
            "([b, horizons]) => horizons.map((t) => Theory.lowerBound(b, b.law, t))",
            [given, list(HORIZONS)],
        )
        try:
            expected = [float(lower_bound(bandit, horizon)) for horizon in HORIZONS]
        except BanditError:
            assert found == [None] * len(HORIZONS)
        else:
            assert found == pytest.approx(expected, rel=NEAR), given["law"]


def test_frontier(page: Any) -> None:
    for bandit in bandits():
        corners = np.array(page.evaluate("b => Theory.frontierOf(b, 5000)", bandit))
        frontier = oracle_frontier(instance_of(bandit["means"], bandit["fairness"]), 5000)
        assert corners[:, 0] == pytest.approx(frontier.unfairness, rel=NEAR)
        assert corners[:, 1] == pytest.approx(frontier.reward, rel=NEAR)


def test_break_points(page: Any) -> None:
    for bandit in bandits(4):
        means, tau, _ = bandit.values()
        for horizon in HORIZONS:
            found = page.evaluate(
                "([m, f, t]) => { const rule = Theory.explorationOf('hard_threshold_ucb');"
                " return m.map((_, k) => Theory.breakPoint(m, f, k, t, rule))"
                ".map((x) => Number.isFinite(x) ? x : 'none'); }",
                [means, tau, horizon],
            )
            numbers = [np.inf if x == "none" else x for x in found]
            assert numbers == pytest.approx(break_points(means, tau, horizon), rel=NEAR, abs=1e-9)


ROUNDING = 1e-15
"""A difference of rounding alone."""
SENTENCES = """
(courses) => courses.map((course) => crossings({
  state: { means: [0.5, 0.4], policies: [{ id: "hard_threshold_ucb" }, { id: "ucb1" }] },
  records: course.map((difference, i) => {
    const [mean, half] = [difference].flat();
    const lost = (...band) => ({ lost: [10 * (i + 1), ...band] });
    return { policies: [lost(mean, half ?? 0), lost(0, 0)] };
  }),
}))
"""
"""Of the regrets' differences in rounds 10, 20, ..., below 0 if the hard threshold is ahead: each
alone, or with half the width of its band."""


def test_the_policy_that_overtakes_is_ahead_at_the_end(page: Any) -> None:
    courses = [*product((-1, -ROUNDING, 0, ROUNDING, 1), repeat=4)]
    for course, sentences in zip(courses, page.evaluate(SENTENCES, courses), strict=True):
        *before, end = course
        expected = []
        if end == -1 and 1 in before:
            expected = ["Hard-threshold UCB overtakes UCB1"]
        if end == 1 and -1 in before:
            expected = ["UCB1 overtakes Hard-threshold UCB"]
        assert [words.split(" at ")[0] for words in sentences] == expected, course


def test_a_policy_overtakes_where_it_gets_ahead(page: Any) -> None:
    sentences = page.evaluate(SENTENCES, [[1, -1, 1], [1, -1, 0, 1], [-1, 1, 0, 0, -1, 0, -1]])
    rounds = [words.split(" about ")[1] for [words] in sentences]
    assert rounds == ["round 25.", "round 30.", "round 40."]
    # The bands were apart before, be it in another round than the last.
    bands = [[[1, 2], -1], [[1, 0.5], [-1, 2]], [[1, 0.5], [-1, 2], [1, 2], -1]]
    assert [len(found) for found in page.evaluate(SENTENCES, bands)] == [0, 0, 1]


def test_the_interval_is_that_of_the_replicates(visit: Open) -> None:
    page = wait_until_played(visit(after=SMALL))
    row = numbers_of(page)[-1]
    bandit = Instance([0.9, 0.6, 0.5], [0.1, 0.2, 0.2], 0.35, Gaussian(0.3))
    names = ("playground", "playground_T600")
    run = simulate_part(row["policy"], bandit, 600, replicates=5, stream=Stream(7, names))
    expected = mean_estimate(penalized_regret(run.pulls[:, -1], bandit))
    assert float(row["regret_mean"]) == pytest.approx(expected.value)
    # The page has Student's quantiles with four decimals.
    assert float(row["regret_half_95"]) == pytest.approx(expected.value - expected.low, rel=1e-4)
    # That of equal replicates has no width.
    page = wait_until_played(visit(after=SMALL.replace("gaussian&sd=0.3", "deterministic")))
    assert {row["regret_half_95"] for row in numbers_of(page)} == {"0"}
    assert "±" not in page.inner_text("#scores")
