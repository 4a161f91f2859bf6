"""Laws from logged rewards, and instances that compare, print and take their law's means."""

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest

import penalized_bandits as pb
from penalized_bandits.bandit import by_value, rewards

LOG: dict[str, Any] = {"ad": ["y", "x", "y", "x", "z", "z"], "clicks": [1, 0, 3, 0, 2, 2.5]}
LAWS = [
    *(law for law in rewards.EXAMPLES.values() if not isinstance(law, pb.Categorical)),
    *(pb.Gaussian(0.1, [0.5, 0.25]), pb.Categorical([0, 1], [[0.5, 0.5], [0.75, 0.25]], ("a", 7))),
]
MANY = np.random.default_rng(1).random((3, 2000))


@pytest.mark.parametrize("kind", [dict, pd.DataFrame, lambda log: pd.DataFrame(log).to_records()])
@pytest.mark.parametrize("names", [["x", "y", "z"], [-3, 10, 200], [0.5, 1.0, 2.0]])
def test_laws_of_logged_rewards(kind: Callable[[Any], Any], names: list[Any]) -> None:
    given = dict(zip("xyz", names, strict=True))
    log = kind({"ad": [given[name] for name in LOG["ad"]], "clicks": LOG["clicks"]})
    counted = pb.Categorical.from_data(log, arm="ad", reward="clicks")
    assert counted.support.tolist() == [0, 1, 2, 2.5, 3]
    halves = [[1, 0, 0, 0, 0], [0, 0.5, 0, 0, 0.5], [0, 0, 0.5, 0.5, 0]]
    assert counted.probabilities.tolist() == halves
    normal = pb.Gaussian.from_data(log, arm="ad", reward="clicks")
    assert normal.sd == math.sqrt((2 * 1.0**2 + 2 * 0.25**2) / 3)
    for law in (counted, normal):
        assert [*(law.arms or ())] == names
        assert np.array_equal(np.array(law.means), [0, 2, 2.25])
        own = pb.Instance(rewards=law, fairness=0.1, penalties=[0.1, 0.2, 0.3])
        assert own == pb.Instance([0, 2, 2.25], 0.1, [0.1, 0.2, 0.3], law)
        assert pb.simulate("ucb1", own, 20, replicates=2).instance == own


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"ad": None}, r"frame has no column 'ad': it must be a dict"),
        ({"clicks": LOG["clicks"][1:]}, "columns 'ad' and 'clicks' have 6 and 5 rows"),
        ({"clicks": [1, 0, math.nan, 0, 1, 1]}, "row 2 of column 'clicks' is nan: a reward must"),
        ({"clicks": [1, 0, 3, 0, 1, "two"]}, "row 5 of column 'clicks' is 'two': a reward must"),
        ({"clicks": pd.array([1, None, 3, 0, 1, 1])}, "row 1 of column 'clicks' is <NA>"),
        ({"ad": ["y", "x", None, "x", "y", "y"]}, "row 2 of column 'ad' is None, no arm"),
        ({"ad": pd.array(["y", "x", "x", "x", "y", pd.NA])}, "row 5 of column 'ad' is <NA>"),
        ({"ad": pd.to_datetime(["2020", None, "2021"] * 2)}, "row 1 of column 'ad' is None"),
        ({"clicks": dict.fromkeys(range(6), 1)}, "column 'clicks' is {0: 1,.*: it must be a list"),
        ({"clicks": np.ones(6, "m8[ns]")}, "row 0 of column 'clicks' is '1"),
        ({"clicks": np.ones((6, 1))}, "(?s)column 'clicks' is array.*: it must be a list"),
        ({"clicks": [[1.0]] * 6}, "column 'clicks' must have one number a row"),
        ({"ad": ["y", "x", 1, "x", "y", "y"]}, "column 'ad' must hold texts or numbers alone"),
        ({"ad": ["y", "x", "y", "x", "z", "y"]}, "arm 'z' has one reward, in row 4: a standard"),
    ],
)
def test_what_is_wrong_in_a_log_is_named(changes: dict[str, Any], message: str) -> None:
    log = {name: column for name, column in {**LOG, **changes}.items() if column is not None}
    with pytest.raises(pb.BanditError, match=message):
        pb.Gaussian.from_data(log, arm="ad", reward="clicks")


@pytest.mark.parametrize("law", LAWS)
def test_an_instance_is_its_parameters_and_prints_as_the_call_that_makes_it(law: Any) -> None:
    bandit = pb.Instance([0.5, 0.25], [0.0, 0.125], [[0.5, 0.25], [1, 2]], law)
    again = eval(repr(bandit), {**vars(rewards), "Instance": pb.Instance})
    assert (again, hash(again), repr(again)) == (bandit, hash(bandit), repr(bandit))
    assert replace(bandit, fairness=[-0.0, 0.125]) in {again}
    assert rewards.FAMILIES[law.id](**by_value.parameters_of(law)) == law
    others = [
        *(replace(bandit, penalties=0.5), replace(bandit, fairness=0.125), bandit.means),
        *(
            pb.Instance(bandit.means, bandit.fairness, bandit.penalties, x)
            for x in LAWS
            if x != law
        ),
    ]
    assert all(bandit != other for other in others)


@pytest.mark.parametrize("means", [MANY, MANY[0], MANY[0] * -1e12, MANY[:, :9]])
def test_large_instances_print_in_short(means: Any) -> None:
    law = pb.Gaussian(1 / 3, means if means.ndim == 1 else None)
    text = repr(pb.Instance(means, 1 / 3000, np.abs(means), law))
    assert len(text) <= 300
    assert all(f"{name}=" in text for name in ("means", "fairness", "penalties", "rewards"))


@pytest.mark.parametrize("unit", [1e-10, 1.0, 1e10])
@pytest.mark.parametrize(
    "law_of",
    [
        lambda unit: pb.Categorical([0, 3 * unit], [[0.75, 0.25], [0.25, 0.75]]),
        lambda unit: pb.Categorical([0, unit], [[0.5 + 2e-10, 0.5 - 2e-10], [0.5, 0.5]]),
        lambda unit: pb.Gaussian(unit, [7 * unit, 7 * unit + 1e-6 * unit]),
    ],
)
def test_means_are_the_laws_in_any_unit(law_of: Callable[[float], Any], unit: float) -> None:
    law = law_of(unit)
    means = np.array(law.means)
    # By another order of adding, and not of another best arm.
    pb.Instance(means * (1 + 4e-16), 0.1, 0.0, law)
    for wrong in (means[::-1], means[:1], [*means, means[0]]):
        with pytest.raises(pb.BanditError, match="means differ from those of the"):
            pb.Instance(wrong, 0.1, 0.0, law)


def test_a_series_is_taken_by_the_names_of_the_arms() -> None:
    law = pb.Gaussian.from_data(LOG, arm="ad", reward="clicks")
    tau = pd.Series({"z": 0.3, "x": 0.1, "y": 0.2})
    rates = pd.DataFrame([[0.9, 0.8, 0.7]], columns=["z", "y", "x"])
    bandit = pb.Instance(rewards=law, fairness=tau, penalties=rates)
    assert bandit == pb.Instance(law.means, [0.1, 0.2, 0.3], [[0.7, 0.8, 0.9]], law)
    assert replace(bandit, means=pd.Series([2.25, 0, 2], ["z", "x", "y"])) == bandit
    assert pb.Gaussian(law.sd, pd.Series([0, 2.25, 2], ["x", "z", "y"]), ("x", "y", "z")) == law
    rows = pd.DataFrame([[0.2, 0.8], [1, 0]], ["b", "a"])
    assert pb.Categorical([0, 1], rows, ["a", "b"]).means.tolist() == [0, 0.8]
    # As `value_counts` has them: the most frequent first.
    pulls = pd.DataFrame([[60, 30, 10]], columns=["y", "z", "x"])
    assert pb.penalized_regret(pulls, bandit) == pb.penalized_regret([[10, 60, 30]], bandit)


@pytest.mark.parametrize("labels", [[0, 1, 2], ["x", "y", "w"], ["x", "y", "y"]])
@pytest.mark.parametrize("name", ["means", "fairness", "penalties"])
def test_a_series_with_other_labels_is_refused(name: str, labels: list[Any]) -> None:
    law = pb.Gaussian.from_data(LOG, arm="ad", reward="clicks")
    given: dict[str, Any] = {"fairness": 0.1, "penalties": 0.1, name: pd.Series([0, 0, 0], labels)}
    with pytest.raises(pb.BanditError, match=f"{name} has labels .*must be the arms .*'z'"):
        pb.Instance(rewards=law, **given)
