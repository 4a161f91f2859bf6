"""The extended claims on generated replicates, and the comparison of policies."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from fuzz_helpers import SMALL
from judged_helpers import simulated
from outcome_factories import N, Runs, outcome
from penalized_bandits.policies import PAPER_POLICY
from penalized_bandits.theory.fluid import predicted_regret
from penalized_bandits.theory.inputs import instance_of
from penalized_replication.claims.base import Evidence
from penalized_replication.claims.horizon_series import bandits_of
from penalized_replication.claims.ledger.render import tell
from penalized_replication.claims.results import decide, measure
from penalized_replication.config.model import parse_config
from penalized_replication.storage.replicates import Outcome
from penalized_research import comparison
from penalized_research.claims.less_regret import all_regrets
from penalized_research.measures.comparison import regrets_of
from tiny_sections import EXTENDED, TINY_EXTENDED

SIGMA = "hard_threshold_sigma"
LONG = [4000, 10_000, 30_000, 100_000, 300_000]
RIVALS = ("lfg", "fair_learn", "soft_threshold_ucb")
BETTER = {PAPER_POLICY: 20.0, SIGMA: 10.0, "ucb1": 30.0}
Growth = Callable[[int], float]
Made = dict[str, list[Outcome]]
"""Outcomes by experiment."""


def evidence(made: Made) -> Runs:
    """Return evidence from outcomes; sections have their policies and horizons."""
    sections: dict[str, dict[str, Any]] = {}
    for name, runs in made.items():
        section = sections[name] = {**TINY_EXTENDED[name]}
        section["policies"] = list(dict.fromkeys(one.policy for one in runs))
        if "horizons" in section:
            section["horizons"] = sorted({one.horizon for one in runs})
    return Runs(made, sections)


def run(case: str, policy: str, horizon: int, regret: float, **changes: Any) -> Outcome:
    """Return an outcome with about this mean regret, replicates spread around it.

    Arm 2 has Delta - A = 0.3 and is to be left below its level: each pull of it costs 0.3.
    """
    rng = np.random.default_rng([len(case), len(policy), horizon])
    others = np.round(regret * rng.uniform(0.99, 1.01, (N, 1)) / 0.3)
    assert (others <= 0.4 * horizon).all()
    made = outcome(others, horizon, (0.9, 0.5), (0.4, 0.4), 0.1, case=case, policy=policy)
    return replace(made, **{"scale": 1.0, **changes})


def levels(tuned: float = 0.5, **regrets: float) -> Made:
    """Return policies with these regrets in two cases, by default sigma's the least.

    The tuned run is twice as good, or that of the paper's policy by more.
    """
    runs = [
        run(case, policy, 400, value * share, scale=scale)
        for case in ("a", "bb")
        for policy, value in (BETTER | regrets).items()
        for scale, share in ((1.0, 1.0), (0.25, tuned if policy == PAPER_POLICY else 0.5))
    ]
    return {"extended_1": runs, "extended_regret": [*runs]}


def as_log(t: int) -> float:
    return 20 * float(np.log(t))


def as_predicted(t: int) -> float:
    """Return regret of the hard threshold on the bandit of `run`; sigma = 1 is its own bonus."""
    return float(predicted_regret(instance_of((0.9, 0.5), (0.4, 0.4), 0.1), t))


def laws(ours: Growth = as_log, sigma: Growth = as_log, sd: float = 1.0) -> Made:
    """Return both thresholds with known regret by the horizon, and noise of the rewards."""

    def series(policy: str, growth: Growth) -> list[Outcome]:
        runs = [run(f"one_T{t}", policy, t, growth(t)) for t in LONG]
        return [replace(one, info=replace(one.info, parameters={"sd": sd})) for one in runs]

    return {"long_runs": series(PAPER_POLICY, ours), "long_runs_kl": series(SIGMA, sigma)}


def against(experiment: str, ours: float, theirs: float) -> Made:
    """Return the paper's policy and its rivals at two horizons."""
    rivals = ("ucb1",) if experiment == "many_arms" else RIVALS
    level = {PAPER_POLICY: ours, **dict.fromkeys(rivals, theirs)}
    return {experiment: [run("a", policy, t, x) for policy, x in level.items() for t in (100, 400)]}


def heavy(exponent: float) -> Made:
    """Return regret that grows as a power of T, under two tails."""
    cases = ("K5_tail1.5", "K5_tail10")
    growth = {t: 2.0 * (t / 100) ** exponent for t in (100, 400)}
    return {"heavy_tails": [run(c, PAPER_POLICY, t, x) for c in cases for t, x in growth.items()]}


def shrinking(exponent: float) -> Made:
    """Return regret that is the prediction of the hard threshold times a power of T."""
    runs = [
        run(f"K5_b0.5_T{t}", policy, t, as_predicted(t) * (t / 4000) ** exponent + extra)
        for policy, extra in ((PAPER_POLICY, 0.0), ("ucb1", 3.0))
        for t in (1000, 4000, 16_000)
    ]
    return {"shrinking_fairness": runs}


def same_as_ucb1() -> Made:
    """Return the hard threshold with the pulls of UCB1 where fractions shrink."""
    ours = run("K5_b0.5_T400", PAPER_POLICY, 400, 2.0)
    return {"shrinking_fairness": [ours, replace(ours, policy="ucb1")]}


def wasting(wasted: float) -> Made:
    """Of 30 pulls in all sigma's policy wastes some: arm 2 costs reward, arm 3 is unfair."""
    runs, bandit = [], ((0.9, 0.6, 0.2), (0.2,) * 3, None)
    for policy, extra in ((PAPER_POLICY, 30.0 - wasted), (SIGMA, wasted)):
        for i, third in enumerate((80.0, 60.0, 20.0)):
            noise = np.random.default_rng(i).integers(-2, 3, (N, 1))
            others = np.hstack([np.full((N, 1), 80 + extra), third + noise])
            runs.append(outcome(others, 400, *bandit, case="a", policy=policy, tuning=float(i)))
    return {"extended_3": runs, "extended_5": runs}


def tradeoffs() -> Made:
    """Return curves of three points; UCB1 has one."""
    runs = [
        run("a", policy, 400, regret, tuning=float(i), penalties=None)
        for policy in BETTER
        for i, regret in enumerate((8.0,) if policy == "ucb1" else (1.0, 8.0, 20.0))
    ]
    return {"extended_3": runs, "extended_5": runs}


@pytest.mark.parametrize(
    ("name", "made", "statuses"),
    [
        ("E01", levels(), "hhhh"),
        ("E01", levels(hard_threshold_sigma=25.0), "ffff"),
        # The same within a hundredth: that is no difference.
        ("E01", levels(hard_threshold_sigma=20.0), "vvvv"),
        ("E02", laws(as_predicted, as_predicted), "hh"),
        ("E02", laws(as_predicted, lambda t: 2 * t**0.5), "hf"),
        ("E02", laws(), "ff"),
        ("E03", levels(kl_hard_threshold=15.0), "hhhh"),
        ("E03", levels(kl_hard_threshold=15.0, tuned=0.1), "ffff"),
        ("E04", laws(), "hh"),
        # Of the published policy's radius no limit is known at so much noise.
        ("E04", laws(sd=2.0), "uh"),
        ("E04", laws(sd=0.5), "fh"),
        ("E05", wasting(30.0), "hh"),
        ("E05", wasting(0.0), "ff"),
        ("E06", against("heterogeneous_penalties", 2.0, 4.0), "hhh"),
        ("E06", against("heterogeneous_penalties", 4.0, 2.0), "fff"),
        ("E07", shrinking(0.0), "h"),
        ("E07", shrinking(0.1), "f"),
        ("E07", same_as_ucb1(), "v"),
        ("E08", heavy(0.2), "hh"),
        ("E08", heavy(0.9), "ff"),
        ("E09", against("many_arms", 2.0, 4.0), "hh"),
        ("E09", against("many_arms", 4.0, 2.0), "ff"),
        ("E10", levels(kl_hard_threshold=15.0), "hhhh"),
        ("E10", levels(kl_hard_threshold=25.0), "ffff"),
    ],
)
def test_the_rule_decides(name: str, made: Made, statuses: str) -> None:
    parts = decide(measure(name, evidence(made))).parts
    assert "".join(part.status[0] for part in parts) == statuses, parts


def test_e10_says_how_much_of_the_saving_is_the_constant() -> None:
    published = {PAPER_POLICY: 20.0, "kl_hard_threshold": 8.0, "hard_threshold_unit": 12.0}
    facts = measure("E10", evidence(levels(**published))).facts
    (constant,), (index,) = facts["of_constant"].values(), facts["ratios"].values()
    assert (constant, index) == (
        pytest.approx([0.6] * 3, rel=0.01),
        pytest.approx([0.4] * 3, rel=0.01),
    )


def test_e05_says_nothing_where_nobody_can_be_better() -> None:
    # Two arms: reward follows from unfairness.
    parts = measure("E05", evidence(tradeoffs())).parts
    assert {part.status for part in parts} <= {"vacuous", "undecided"}
    assert len(parts) == 4


def test_tuning_is_chosen_on_one_half_and_measured_on_the_other() -> None:
    even = np.arange(N)[:, None] % 2 == 0
    lucky = np.where(even, 10, 150).astype(np.int32)
    pulls = np.hstack([400 - lucky, lucky])
    made = levels()
    made["extended_1"] += [run("a", PAPER_POLICY, 400, 20, pulls=pulls, scale=None, tuning=7.0)]
    found = regrets_of(evidence(made), "extended_1", "a", PAPER_POLICY)
    # The even half chooses what is bad on the odd one; the odd half the scaled run.
    assert found.chosen == "tuning 7 (the last tried) / exploration x 0.25"
    np.testing.assert_allclose(found.tuned[1::2], 45.0)
    assert found.tuned[::2].mean() == pytest.approx(10, rel=0.1)
    assert found.published.mean() == pytest.approx(20, rel=0.1)
    assert found.tuned.shape == found.published.shape == (N,)
    assert len(all_regrets(evidence(made), PAPER_POLICY)) == 4


def test_the_table_of_the_comparison() -> None:
    cases = comparison.by_case(evidence(levels() | tradeoffs()))
    table = comparison.comparison(cases).set_index("policy")
    assert list(table.index) == [PAPER_POLICY, SIGMA, "ucb1"]
    shown, bound = comparison.comparison_page(table.reset_index()), 2 / 0.3 * np.log(400)
    for policy, regret in BETTER.items():
        row = table.loc[policy].to_dict()
        assert row["extended_1_over_bound_published"] == pytest.approx(regret / bound, rel=0.1)
        assert row["extended_1_over_bound_tuned"] == pytest.approx(regret / 2 / bound, rel=0.1)
        assert f"| {row['label']} |" in shown
    # Gaussian rewards of sigma = 1: the two thresholds are one; regret of UCB1 is linear.
    assert table["extended_1_over_bound_limit"].to_list() == pytest.approx([1, 1, np.inf])
    short = (0.4 * 400 - BETTER[PAPER_POLICY] / 0.3) / (0.8 * 400)
    assert table["extended_1_unfairness"].iloc[0] == pytest.approx(short, rel=0.02)
    assert table["side_information"].iloc[0] == "A"
    assert table["one_point"].to_list() == [False, False, True]


@pytest.mark.parametrize(("policy", "known"), [("ucb1", ""), ("lfg", "T"), ("ucb_sigma", "σ")])
def test_what_policies_know(policy: str, known: str) -> None:
    assert comparison.side_information(policy) == known


@pytest.mark.parametrize(("changed", "bandits"), [("", 1), ("means", N), ("penalties", N)])
def test_replicates_keep_bandits_of_their_own(changed: str, bandits: int) -> None:
    one = run("a", PAPER_POLICY, 400, 20.0)
    if changed:
        values = getattr(one, changed).copy()
        values[-1] /= 2
        one = replace(one, **{changed: values})
    both = bandits_of(one)
    assert len(both.means) == len(both.penalties) == bandits


def test_claims_with_the_hard_threshold_alone(tmp_path: Path) -> None:
    alone = {"policies": [PAPER_POLICY]}
    sections = {name: section | alone for name, section in TINY_EXTENDED.items()}
    config = parse_config({**SMALL, **sections})
    found = Evidence(sections, {name: simulated(config, name, tmp_path) for name in sections})
    results = [tell(decide(measure(name, found))) for name in EXTENDED]
    missing = [result.id for result in results if result.verdict == "not measured"]
    assert missing == ["E01", "E03", "E05", "E06", "E09", "E10"]
    table = comparison.comparison(comparison.by_case(found))
    assert "Hard-threshold UCB" in comparison.comparison_page(table)
