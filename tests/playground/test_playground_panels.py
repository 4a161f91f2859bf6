"""Panels of regret: which policy overtakes which, and the intervals of means."""

from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from browser_helpers import Open, needs_browser, visits
from penalized_bandits import Gaussian, Instance, penalized_regret
from penalized_bandits.engine.simulate import simulate_part
from penalized_bandits.statistics.estimates import mean_estimate
from penalized_replication.playground.page import TEMPLATES
from playground_page_helpers import SMALL, numbers_of, wait_until_played

pytestmark = needs_browser
SCRIPTS = ("state.js", "text.js", "chart.js", "panels.js")
NOISE = 1e-15
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


@pytest.fixture(scope="module", name="page")
def page_fixture(browser: Any, playground: Path) -> Iterator[Any]:
    """Open the playground, with the functions of its panels as globals."""
    with visits(browser, playground) as opened:
        page = opened()
        parts = [(TEMPLATES / name).read_text("utf-8") for name in SCRIPTS]
        page.add_script_tag(content="\n".join(parts))
        yield page


def test_the_policy_that_overtakes_is_ahead_at_the_end(page: Any) -> None:
    courses = [*product((-1, -NOISE, 0, NOISE, 1), repeat=4)]
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


def test_equal_replicates_have_an_interval_of_no_width(visit: Open) -> None:
    page = visit(after=SMALL.replace("gaussian&sd=0.3", "deterministic"))
    wait_until_played(page)
    assert {row["regret_half_95"] for row in numbers_of(page)} == {"0"}
    assert "±" not in page.inner_text("#scores")


def test_the_interval_is_that_of_the_replicates(visit: Open) -> None:
    page = visit(after=SMALL)
    wait_until_played(page)
    row = numbers_of(page)[-1]
    bandit = Instance([0.9, 0.6, 0.5], [0.1, 0.2, 0.2], 0.35, Gaussian(0.3))
    stream = ("sharp_short", "playground_T600")
    run = simulate_part(row["policy"], bandit, 600, replicates=5, seed=7, stream=stream)
    expected = mean_estimate(penalized_regret(run.pulls[:, -1], bandit))
    assert float(row["regret_mean"]) == pytest.approx(expected.value)
    # The page has Student's quantiles with four decimals.
    assert float(row["regret_half_95"]) == pytest.approx(expected.value - expected.low, rel=1e-4)
