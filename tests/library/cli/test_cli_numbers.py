"""``simulate`` and ``penalties``: every number shown is one of the package's own."""

import math
import re
import shlex
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from numpy.typing import ArrayLike

from penalized_bandits import Bernoulli, Beta, Gaussian, Instance, compare, predict, simulate
from penalized_bandits.bandit.rewards import RewardFamily
from penalized_bandits.cli.terminal import table
from penalized_bandits.common.numbers import estimate, format_number, percent, plus_minus
from penalized_bandits.policies import POLICIES
from penalized_bandits.theory.exploration import bernoulli_kl
from penalized_bandits.theory.inputs import instance_of
from penalized_bandits.theory.least_penalties import least_penalties
from programs import PROGRAM, printed

MEANS, FAIRNESS, PENALTIES = [0.9, 0.6, 0.5], [0.1, 0.2, 0.25], [0.3, 0.35, 0.2]
BANDIT = Instance(MEANS, FAIRNESS, PENALTIES, Gaussian(0.4))
ARGUMENTS = ["--means", "0.9,0.6,0.5", "--fairness", "0.1, 0.2,0.25", "--penalties", "0.3,0.35,0.2"]
ARGUMENTS += ["--sd", "0.4", "--horizon", "600", "--replicates", "40", "--seed", "9e0"]


def test_what_is_shown_and_what_the_csv_has(tmp_path: Path) -> None:
    path = tmp_path / "new/table.csv"
    options = ["--checkpoints", "6e2,200", "--csv", str(path)]
    text = printed("simulate", "hard_threshold_ucb,lfg=30, fair_learn", *ARGUMENTS, *options)
    policies = ["hard_threshold_ucb", ("lfg", 30.0), "fair_learn"]
    compared = compare(policies, BANDIT, 600, replicates=40, seed=9, checkpoints=[200, 600])
    less = [compared.difference(name, "hard_threshold_ucb", None) for name in compared.names[1:]]
    expected = pd.concat([compared.to_frame(), *less], ignore_index=True)
    csv = pd.read_csv(path)
    pd.testing.assert_frame_equal(csv, expected, check_dtype=False, check_exact=True)
    described = "3 arms, gaussian rewards (sd 0.4), T = 600 rounds, 40 replicates, seed 9"
    assert text.startswith(f"{described}\n")
    last = expected[expected["arm"].notna() & (expected["horizon"] == 600)]
    by, others = ["policy", "horizon"], "Differences to Hard-threshold UCB, replicate by replicate"
    for title, rows in (
        ("Arms after 600 rounds", compared.for_reading(last, ["policy", "arm"])),
        ("Whole runs", compared.for_reading(compared.to_frame(), by)),
        (others, compared.for_reading(pd.concat(less), by)),
    ):
        assert f"\n{table(rows, title)}\n" in text
    row = last[last["metric"] == "pulls"].iloc[0]
    assert f" {plus_minus(row['mean'], row['ci_high'] - row['mean'])} " in text


@pytest.mark.parametrize(
    ("options", "said", "rewards"),
    [
        ("--rewards beta --horizon 8e1 --replicates 6.0", "beta rewards", Beta()),
        # As in the paper: 1/K.
        ("--horizon 80 --replicates 6", "gaussian rewards (sd 0.5)", Gaussian(0.5)),
    ],
)
def test_one_number_for_all(tmp_path: Path, options: str, said: str, rewards: RewardFamily) -> None:
    path = tmp_path / "table.csv"
    arguments = f"--means 0.9,0.5 --fairness 0.3 --penalties 0.2 {options}".split()
    text = printed("simulate", "soft_threshold_ucb", *arguments, "--csv", str(path))
    assert text.startswith(f"2 arms, {said}, T = 80 rounds, 6 replicates, seed 0\n")
    bandit = Instance([0.9, 0.5], 0.3, 0.2, rewards)
    pulls = simulate("soft_threshold_ucb", bandit, 80, replicates=6).pulls[:, -1]
    rows = pd.read_csv(path).query("metric == 'pulls'")
    np.testing.assert_array_equal(rows["mean"], pulls.mean(axis=0))


def test_one_replicate_has_no_interval() -> None:
    text = printed("simulate", "ucb1", *ARGUMENTS[:-4], "--replicates", "1")
    assert "1 replicate, seed 0\n" in text
    assert "±" not in text.split("Means over replicates")[0]


OWN = """
from penalized_bandits import Arm, Policy, Tuning

def index(arm: Arm) -> float:
    return arm.mean + arm.tuning * arm.radius

policy = Policy("mine", index=index, tuning=Tuning("x"))
"""


def test_a_policy_of_ones_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "module_of_my_own.py").write_text(OWN, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    text = printed("simulate", "ucb1,module_of_my_own:policy=1", *ARGUMENTS, "--csv", "a.csv")
    # With x = 1 it is UCB1, whose rewards it meets.
    assert re.search(r"mine \(x = 1\) +600 +0 ± 0 +0 ± 0 +0 ± 0 +0 ± 0\n", text)
    assert set(pd.read_csv("a.csv")["policy"]) == {"ucb1", "mine"}


@pytest.mark.parametrize(
    ("written", "numbers", "text"),
    [
        (format_number, (1,), "1"),
        (format_number, (-0.12345,), "−0.1235"),
        (format_number, (9999.9,), "10,000"),
        (format_number, (1.96e-5,), "1.96 × 10⁻⁵"),
        # Below this everything is rounding.
        (format_number, (-1.96e-16,), "0"),
        (format_number, (-2.5e9,), "−2.50 × 10⁹"),
        (format_number, ("-inf",), "−∞"),
        *((format_number, (nothing,), "") for nothing in (None, math.nan)),
        # Half the interval has two digits.
        (estimate, (0.85512, 0.8524, 0.8576), "0.8551 [0.8524, 0.8576]"),
        (estimate, (16527.23, 16525.3, 16529.2), "16,527.2 [16,525.3, 16,529.2]"),
        (estimate, (-1088.0, -1106.1, -1069.2), "−1,088 [−1,106, −1,069]"),
        # Nothing random, nothing known, one end at infinity.
        (estimate, (0.25, 0.25, 0.25), "0.25"),
        (estimate, (None, None, None), ""),
        (estimate, (None, 10000.0, "inf"), "[10,000, ∞)"),
        (estimate, (None, "-inf", 3), "(−∞, 3]"),
        (estimate, (2e-6, 1e-6, 3e-6), "2.00 × 10⁻⁶ [1.00 × 10⁻⁶, 3.00 × 10⁻⁶]"),
        (percent, (-0.0123,), "−1.2 %"),
        (percent, (84.3,), "8,430 %"),
        (percent, (7.7e-14,), "0 %"),
        (percent, (math.nan,), ""),
        (plus_minus, (-0.01234, 0.00051), "-0.01234 ± 0.00051"),
        (plus_minus, (2000.0, 1e-14), "2000 ± 0"),
        (plus_minus, (12.5, math.nan), "12.5"),
        (plus_minus, (3.0, 250.0), "3 ± 250"),
    ],
)
def test_numbers_as_text(written: Any, numbers: tuple[Any, ...], text: str) -> None:
    assert written(*numbers) == text


def test_policies_are_listed() -> None:
    lines = printed("policies").splitlines()
    for policy in POLICIES.values():
        (line,) = (line for line in lines if re.match(rf"{policy.id}\s", line))
        assert policy.label in line
        assert policy.card.reference in line
        assert policy.tuning is None or f"  {policy.tuning.symbol}  " in line
    assert len(lines) == 1 + len(POLICIES)


@pytest.mark.slow
def test_the_bar_is_for_terminals(tmp_path: Path) -> None:
    command = shlex.join([str(PROGRAM), "simulate", "ucb1", *ARGUMENTS, "--horizon", "2000"])
    text = printed("simulate", "ucb1", *ARGUMENTS, "--horizon", "2000")
    for errors in ("", "2>&1"):
        # The table goes to a file: no colours, no bar.
        in_terminal = ["script", "-qec", f"{command} > table.txt {errors}", "shown.txt"]
        subprocess.run(in_terminal, cwd=tmp_path, stdin=subprocess.DEVNULL, check=True)
        assert (tmp_path / "table.txt").read_text("utf-8") == text
        shown = (tmp_path / "shown.txt").read_text("utf-8")
        assert [word in shown for word in ("pulls", "100%")] == [not errors] * 2


ASKED = ["--means", "0.9,0.6,0.5", "--fairness", "0.1,0.2,0.25", "--horizon", "1e4"]


def predicted(rates: ArrayLike, policy: str, law: RewardFamily, title: str) -> str:
    frame = predict(Instance(MEANS, FAIRNESS, rates, law), 10_000, policy)
    return table(frame.dropna(subset="policy").drop(columns="policy"), title)


def test_given_rates() -> None:
    options = ["--policy", "hard_threshold_sigma", "--noise", "0.8"]
    text = printed("penalties", *ASKED, "--penalties", "0.2,0.35,0.35", *options)
    title = "Hard threshold, scaled, T = 10000 rounds, with these rates"
    expected = predicted([0.2, 0.35, 0.35], "hard_threshold_sigma", Gaussian(0.8), title)
    assert text.startswith(expected)


def test_the_smallest_rates_and_what_comes_of_them() -> None:
    text = printed("penalties", *ASKED, "--policy", "kl_hard_threshold", "--keep", "3, 2")
    least = least_penalties(instance_of(MEANS, FAIRNESS), [2, 1], 10_000, rule=bernoulli_kl())
    rates = pd.DataFrame({"arm": [3, 2], "rate": least, "as T grows": [0.4, 0.3]})
    assert table(rates, "Smallest rates") in text
    assert f"smallest rate that they can share: {format_number(least.max())}\n" in text
    title = "With the smallest rates, one an arm"
    assert predicted([0, least[1], least[0]], "kl_hard_threshold", Bernoulli(), title) in text


def test_no_room() -> None:
    bandit = ["--means", "0.9,0.5,0.1", "--fairness", "0,0,0.999", "--horizon", "10"]
    text = printed("penalties", *bandit, "--keep", "3")
    assert "smallest rate that they can share: ∞" in text
    assert "With the smallest rates" not in text
