"""``simulate`` and ``penalties``: every number shown is one of the package's own."""

import re
import shlex
import subprocess
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from penalized_bandits import Beta, Gaussian, Instance, penalized_regret, simulate, unfairness
from penalized_bandits.bandit.rewards import RewardFamily
from penalized_bandits.common.numbers import format_number, plus_minus
from penalized_bandits.comparison.compare import compare
from penalized_bandits.policies import POLICIES
from penalized_bandits.theory.exploration import bernoulli_kl, root_log
from penalized_bandits.theory.fluid import predicted_pulls
from penalized_bandits.theory.inputs import instance_of
from penalized_bandits.theory.least_penalties import least_penalties
from terminal_helpers import PROGRAM, printed, tables_in

MEANS, FAIRNESS, PENALTIES = [0.9, 0.6, 0.5], [0.1, 0.2, 0.25], [0.3, 0.35, 0.2]
BANDIT = Instance(MEANS, FAIRNESS, PENALTIES, Gaussian(0.4))
ARGUMENTS = ["--means", "0.9,0.6,0.5", "--fairness", "0.1, 0.2,0.25", "--penalties", "0.3,0.35,0.2"]
ARGUMENTS += ["--sd", "0.4", "--horizon", "600", "--replicates", "40", "--seed", "9"]


KINDS = ("optimal", "critical", "non-critical")
WHOLE, OF_ARMS = ("penalized_regret", "expected_reward", "unfairness"), ("pulls", "arm_unfairness")


@pytest.mark.parametrize("several", [False, True])
def test_what_is_shown_is_what_the_csv_has(tmp_path: Path, several: bool) -> None:
    policies = {"hard_threshold_ucb": "Hard-threshold UCB"}
    options = ["--csv", str(tmp_path / "a.csv")]
    if several:
        policies |= {"lfg": "LFG (η₀ = 30)", "fair_learn": "Flearn (α = 0)"}
        options += ["--tuning", "lfg=30", "--checkpoints", "600,200"]
    text = printed("simulate", ",".join(policies), *ARGUMENTS, *options)
    assert text.startswith(
        "3 arms, gaussian rewards (sd 0.4), T = 600 rounds, 40 replicates, seed 9\n"
    )
    titles = ["Arms after 600 rounds", "Whole runs"]
    titles += ["Differences to Hard-threshold UCB, replicate by replicate"] if several else []
    tables = tables_in(text)
    assert list(tables) == titles
    csv = pd.read_csv(tmp_path / "a.csv").fillna({"arm": 0}).to_dict("records")
    keys = ("policy", "horizon", "arm", "metric")
    cells = {
        tuple(row[key] for key in keys): plus_minus(row["mean"], row["ci_high"] - row["mean"])
        for row in csv
    }
    given = zip(MEANS, PENALTIES, np.array(FAIRNESS) * 600, strict=True)
    assert tables[titles[0]] == [
        {"arm": str(k), "kind": kind}
        | {name: f"{x:g}" for name, x in zip(("mean", "penalty", "level τT"), numbers, strict=True)}
        | {"policy": label}
        | {metric.replace("_", " "): cells[policy, 600, k, metric] for metric in OF_ARMS}
        for k, (kind, numbers) in enumerate(zip(KINDS, given, strict=True), start=1)
        for policy, label in policies.items()
    ]
    for title, ending in zip(titles[1:], ("", "_difference"), strict=False):
        assert tables[title] == [
            {"policy": label, "horizon": str(t)}
            | {name.replace("_", " "): cells[policy, t, 0, name + ending] for name in WHOLE}
            for policy, label in list(policies.items())[bool(ending) :]
            for t in ((200, 600) if several else (600,))
        ]


def test_the_csv_is_the_frame_with_the_differences(tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    printed("simulate", "ucb1,lfg", *ARGUMENTS, "--checkpoints", "50", "--csv", str(path))
    rounds, policies = [50, 600], ["ucb1", ("lfg", 600**0.5)]
    compared = compare(policies, BANDIT, 600, replicates=40, seed=9, checkpoints=rounds)
    frames = [compared.to_frame(), compared.difference("lfg", "ucb1", None)]
    expected = pd.concat(frames, ignore_index=True)
    pd.testing.assert_frame_equal(pd.read_csv(path), expected, check_dtype=False, check_exact=True)


@pytest.mark.parametrize(
    ("options", "said", "rewards"),
    [
        ("--rewards beta --horizon 8e1 --replicates 6.0", "beta rewards", Beta()),
        # As in the paper: 1/K.
        ("--horizon 80 --replicates 6", "gaussian rewards (sd 0.5)", Gaussian(0.5)),
    ],
)
def test_rewards_and_one_number_for_all_arms(
    tmp_path: Path, options: str, said: str, rewards: RewardFamily
) -> None:
    path = tmp_path / "table.csv"
    arguments = f"--means 0.9,0.5 --fairness 0.3 --penalties 0.2 {options}".split()
    text = printed("simulate", "soft_threshold_ucb", *arguments, "--csv", str(path))
    assert text.startswith(f"2 arms, {said}, T = 80 rounds, 6 replicates, seed 0\n")
    bandit = Instance([0.9, 0.5], 0.3, 0.2, rewards)
    pulls = simulate("soft_threshold_ucb", bandit, 80, replicates=6).pulls[:, -1]
    table = pd.read_csv(path).query("metric == 'pulls'")
    np.testing.assert_array_equal(table["mean"], pulls.mean(axis=0))


def test_one_replicate_and_one_tuning_for_all_that_have_one() -> None:
    text = printed(
        "simulate", "ucb1,lfg,lfg_original", *ARGUMENTS[:-4], "--replicates", "1", "--tuning", "7"
    )
    assert "1 replicate, seed 0 (one replicate: no intervals)" in text
    assert "±" not in text.split("Means over replicates")[0]
    assert "LFG (η₀ = 7)" in text
    assert "LFG (as published) (η₀ = 7)" in text


OWN = """
from penalized_bandits import Arm, Policy, Tuning

def index(arm: Arm) -> float:
    return arm.mean + arm.tuning * arm.radius

policy = Policy("mine", index=index, tuning=Tuning("x"))
"""


@pytest.mark.parametrize("name", ["module_of_my_own:policy", "mine"])
def test_a_policy_of_ones_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    (tmp_path / "module_of_my_own.py").write_text(OWN, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    written = ["--csv", "a.csv", "--tuning", f"{name}=1"]
    text = printed("simulate", "ucb1,module_of_my_own:policy", *ARGUMENTS, *written)
    # With x = 1 it is UCB1, whose rewards it meets.
    row = tables_in(text)["Differences to UCB1, replicate by replicate"][0]
    assert (row["policy"], row["penalized regret"]) == ("mine (x = 1)", "0 ± 0")
    assert set(pd.read_csv("a.csv")["policy"]) == {"ucb1", "mine"}


@pytest.mark.parametrize(
    ("mean", "half", "text"),
    [
        (1234.567, 8.91, "1234.6 ± 8.9"),
        (1234.567, 31.4, "1235 ± 31"),
        (-0.01234, 0.00051, "-0.01234 ± 0.00051"),
        (2000.0, 0.0, "2000 ± 0"),
        (12.5, float("nan"), "12.5"),
        (3.0, 250.0, "3 ± 250"),
    ],
)
def test_a_mean_with_its_interval(mean: float, half: float, text: str) -> None:
    assert plus_minus(mean, half) == text


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
    table = printed("simulate", "ucb1", *ARGUMENTS, "--horizon", "2000")
    for errors in ("", "2>&1"):
        # The table goes to a file: no colours, no bar.
        in_terminal = ["script", "-qec", f"{command} > table.txt {errors}", "shown.txt"]
        subprocess.run(in_terminal, cwd=tmp_path, stdin=subprocess.DEVNULL, check=True)
        assert (tmp_path / "table.txt").read_text("utf-8") == table
        shown = (tmp_path / "shown.txt").read_text("utf-8")
        assert [word in shown for word in ("pulls", "100%")] == [not errors] * 2


# --- penalties ---------------------------------------------------------------------

ASKED = ["--means", "0.9,0.6,0.5", "--fairness", "0.1,0.2,0.25", "--horizon", "1e4"]


@pytest.mark.parametrize(
    ("options", "c"),
    [([], 2.0), (["--policy", "hard_threshold_sigma", "--noise", "0.8"], 2 * 0.8**2)],
)
def test_given_rates(options: list[str], c: float) -> None:
    text = printed("penalties", *ASKED, "--penalties", "0.2,0.35,0.35", *options)
    rates = [0.2, 0.35, 0.35]
    bandit = instance_of(MEANS, FAIRNESS, rates)
    pulls = predicted_pulls(bandit, 10_000, rule=root_log(c))
    rows = tables_in(text)["With these rates"]
    assert [row["pulls"] for row in rows] == [format_number(n) for n in pulls]
    assert [row["arm unfairness"] for row in rows] == ["0", "0", format_number(2500 - pulls[2])]
    shown = {row["quantity"]: row["value"] for row in tables_in(text)["Whole run"]}
    assert shown["penalized_regret"] == format_number(penalized_regret(pulls, bandit))
    assert shown["unfairness"] == format_number(unfairness(pulls, bandit))
    # c/(Delta - A) of the third arm.
    assert shown["penalized_regret/log T"] == format_number(c / 0.05)


def test_rates_of_a_policy_that_ignores_them() -> None:
    rows = tables_in(printed("penalties", *ASKED, "--penalties", "0.35", "--policy", "ucb1"))[
        "With these rates"
    ]
    pulls = predicted_pulls(instance_of(MEANS, FAIRNESS, 0.0), 10_000)
    assert [row["pulls"] for row in rows] == [format_number(n) for n in pulls]


def test_the_smallest_rates_and_what_comes_of_them() -> None:
    text = printed("penalties", *ASKED, "--policy", "kl_hard_threshold", "--keep", "3, 2")
    least = least_penalties(instance_of(MEANS, FAIRNESS), [2, 1], 10_000, rule=bernoulli_kl())
    found = tables_in(text)
    assert list(found) == ["Smallest rates", "With the smallest rates, one an arm", "Whole run"]
    first, second, _ = found.values()
    assert [row["arm"] for row in first] == ["3", "2"]
    assert [row["rate"] for row in first] == [format_number(rate) for rate in least]
    assert [row["as T grows"] for row in first] == ["0.4", "0.3"]
    assert [row["arm unfairness"] for row in second] == ["0"] * 3
    assert f"smallest rate that they can share: {format_number(least.max())} " in text


def test_no_room() -> None:
    bandit = ["--means", "0.9,0.5,0.1", "--fairness", "0,0,0.999", "--horizon", "10"]
    text = printed("penalties", *bandit, "--keep", "3")
    assert "smallest rate that they can share: ∞" in text
    assert "With the smallest rates" not in text
