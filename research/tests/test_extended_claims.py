"""The extended claims on generated replicates, and the comparison of policies."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from fuzz_helpers import SMALL
from outcome_factories import N, Runs, outcome
from penalized_bandits.policies import PAPER_POLICY
from penalized_bandits.theory.fluid import predicted_regret
from penalized_bandits.theory.inputs import instance_of
from penalized_replication.claims.base import Evidence
from penalized_replication.claims.horizon_series import bandits_of
from penalized_replication.claims.results import measure
from penalized_replication.config.model import parse_config
from penalized_replication.storage.replicates import Outcome
from penalized_research import comparison
from penalized_research.claims.less_regret import all_regrets
from penalized_research.measures.comparison import regrets_of
from rule_helpers import measured, result_of
from tiny_sections import CLAIMS_OF, TINY_EXTENDED
from tiny_tables import simulated

SIGMA = "hard_threshold_sigma"
LONG = [4000, 10_000, 30_000, 100_000, 300_000]
BETTER = {PAPER_POLICY: 20.0, SIGMA: 10.0, "ucb1": 30.0}
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


def levels(**regrets: float) -> Made:
    """Return policies with these regrets in two cases, by default sigma's the least.

    The tuned run is twice as good.
    """
    runs = [
        run(case, policy, 400, value * share, scale=scale)
        for case in ("a", "bb")
        for policy, value in (BETTER | regrets).items()
        for scale, share in ((1.0, 1.0), (0.25, 0.5))
    ]
    return {"extended_1": runs, "extended_regret": [*runs]}


def series(case: str, *horizons: int, policy: str = PAPER_POLICY, sd: float = 1.0) -> list[Outcome]:
    """Return a policy with the regret that is predicted of the hard threshold, and noise sd."""
    bandit = instance_of((0.9, 0.5), (0.4, 0.4), 0.1)
    regrets = {t: float(predicted_regret(bandit, t)) for t in horizons}
    runs = [run(f"{case}_T{t}", policy, t, regret) for t, regret in regrets.items()]
    return [replace(one, info=replace(one.info, parameters={"sd": sd})) for one in runs]


def laws(sd: float) -> Made:
    """Return both thresholds under noise of the rewards."""
    thresholds = {"long_runs": PAPER_POLICY, "long_runs_kl": SIGMA}
    return {name: series("one", *LONG, policy=p, sd=sd) for name, p in thresholds.items()}


SHRUNK = series("K5_b0.5", 1000, 4000, 16_000)


def beside_ucb1(ucb1: Outcome) -> Made:
    """Return the hard threshold as predicted where fractions shrink, and a run of UCB1."""
    return {"shrinking_fairness": [*SHRUNK, replace(ucb1, policy="ucb1")]}


def tradeoffs() -> Made:
    """Return curves of three points; UCB1 has one."""
    runs = [
        run("a", policy, 400, regret, tuning=float(i), penalties=None)
        for policy in BETTER
        for i, regret in enumerate((8.0,) if policy == "ucb1" else (1.0, 8.0, 20.0))
    ]
    return {"extended_3": runs, "extended_5": runs}


@pytest.mark.parametrize(
    ("name", "made", "statuses", "estimates"),
    [
        # Of the published policy's radius no limit is known at so much noise.
        ("E04", laws(sd=2.0), "uh", [np.nan, 1]),
        ("E04", laws(sd=0.5), "fh", [4, 1]),
        ("E07", beside_ucb1(run("K5_b0.5_T16000", "ucb1", 16_000, 30.0)), "h", 1),
        # The same pulls as UCB1: the threshold never acts.
        ("E07", beside_ucb1(SHRUNK[-1]), "v", 1),
    ],
)
def test_what_is_measured(name: str, made: Made, statuses: str, estimates: Any) -> None:
    wanted = pytest.approx(np.broadcast_to(estimates, len(statuses)), rel=0.02, nan_ok=True)
    assert measured(name, evidence(made)) == (statuses, wanted)


def test_e10_says_how_much_of_the_saving_is_the_constant() -> None:
    published = {PAPER_POLICY: 20.0, "kl_hard_threshold": 8.0, "hard_threshold_unit": 12.0}
    facts = measure("E10", evidence(levels(**published))).facts
    (constant,), (index,) = facts["of_constant"].values(), facts["ratios"].values()
    assert [*constant, *index] == pytest.approx([0.6] * 3 + [0.4] * 3, rel=0.01)


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
    known = ((PAPER_POLICY, "A"), ("ucb1", ""), ("lfg", "T"), ("ucb_sigma", "σ"))
    assert all(comparison.side_information(policy) == what for policy, what in known)
    assert table["side_information"].iloc[0] == "A"
    assert table["one_point"].to_list() == [False, False, True]


@pytest.mark.parametrize(("changed", "bandits"), [("", 1), ("means", N), ("penalties", N)])
def test_replicates_keep_bandits_of_their_own(changed: str, bandits: int) -> None:
    one = run("a", PAPER_POLICY, 400, 20.0)
    scale = np.where(np.arange(N) == N - 1, 0.5, 1.0)[:, None]
    both = bandits_of(replace(one, **{changed: getattr(one, changed) * scale} if changed else {}))
    assert len(both.means) == len(both.penalties) == bandits


def test_claims_with_the_hard_threshold_alone(tmp_path: Path) -> None:
    alone = {"policies": [PAPER_POLICY]}
    sections = {name: section | alone for name, section in TINY_EXTENDED.items()}
    config = parse_config({**SMALL, **sections})
    found = Evidence(sections, {name: simulated(config, name, tmp_path) for name in sections})
    results = {name: result_of(name, found) for name in CLAIMS_OF["extended"]}
    missing = [name for name, result in results.items() if result.verdict == "not measured"]
    assert missing == ["E01", "E03", "E05", "E06", "E09", "E10"]
    table = comparison.comparison(comparison.by_case(found))
    assert "Hard-threshold UCB" in comparison.comparison_page(table)
