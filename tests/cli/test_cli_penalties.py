"""``penalized-bandits penalties``: what is shown is what the theory's functions return."""

import pytest

from penalized_bandits import penalized_regret, unfairness
from penalized_bandits.common.numbers import format_number
from penalized_bandits.theory.exploration import bernoulli_kl, root_log
from penalized_bandits.theory.fluid import predicted_pulls
from penalized_bandits.theory.inputs import instance_of
from penalized_bandits.theory.least_penalties import least_penalties
from terminal_helpers import printed, tables_in

MEANS, FAIRNESS = [0.9, 0.6, 0.5], [0.1, 0.2, 0.25]
BANDIT = ["--means", "0.9,0.6,0.5", "--fairness", "0.1,0.2,0.25", "--horizon", "1e4"]


@pytest.mark.parametrize(
    ("options", "c"),
    [([], 2.0), (["--policy", "hard_threshold_sigma", "--noise", "0.8"], 2 * 0.8**2)],
)
def test_given_rates(options: list[str], c: float) -> None:
    text = printed("penalties", *BANDIT, "--penalties", "0.2,0.35,0.35", *options)
    rates = [0.2, 0.35, 0.35]
    bandit = instance_of(MEANS, FAIRNESS, rates)
    pulls = predicted_pulls(bandit, 10_000, rule=root_log(c))
    rows = tables_in(text)["With these rates"]
    assert [row["pulls"] for row in rows] == [format_number(n) for n in pulls]
    assert [row["deficit"] for row in rows] == ["0", "0", format_number(2500 - pulls[2])]
    regret = penalized_regret(pulls, bandit)
    assert f"penalized regret {format_number(regret)}," in text
    assert f"unfairness {format_number(unfairness(pulls, bandit))};" in text
    # c/(Delta - A) of the third arm.
    assert f"R/log T tends to {format_number(c / 0.05)}" in text


def test_rates_of_a_policy_that_ignores_them() -> None:
    rows = tables_in(printed("penalties", *BANDIT, "--penalties", "0.35", "--policy", "ucb1"))[
        "With these rates"
    ]
    pulls = predicted_pulls(instance_of(MEANS, FAIRNESS, 0.0), 10_000)
    assert [row["pulls"] for row in rows] == [format_number(n) for n in pulls]


def test_the_smallest_rates_and_what_comes_of_them() -> None:
    text = printed("penalties", *BANDIT, "--policy", "kl_hard_threshold", "--keep", "3, 2")
    least = least_penalties(instance_of(MEANS, FAIRNESS), [2, 1], 10_000, rule=bernoulli_kl())
    found = tables_in(text)
    assert list(found) == ["Smallest rates", "With the smallest rates, one an arm"]
    first, second = found.values()
    assert [row["arm"] for row in first] == ["3", "2"]
    assert [row["rate"] for row in first] == [format_number(rate) for rate in least]
    assert [row["as T grows"] for row in first] == ["0.4", "0.3"]
    assert [row["deficit"] for row in second] == ["0"] * 3
    assert f"smallest rate that they can share: {format_number(least.max())} " in text


def test_no_room() -> None:
    bandit = ["--means", "0.9,0.5,0.1", "--fairness", "0,0,0.999", "--horizon", "10"]
    text = printed("penalties", *bandit, "--keep", "3")
    assert "smallest rate that they can share: ∞" in text
    assert "With the smallest rates" not in text
