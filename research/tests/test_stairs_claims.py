"""What claims on ceilings and on means that change measure, on runs played rightly and wrongly."""

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest

from outcome_factories import Runs
from penalized_bandits import Bernoulli, Instance
from penalized_bandits.bandit.changing import dynamic_metrics
from penalized_bandits.policies import PAPER_POLICY, POLICIES
from penalized_bandits.policies.base import Arm, Hints
from penalized_replication.claims.horizon_series import regret_of
from penalized_replication.experiments.base import Context, Interpretations
from penalized_replication.experiments.catalogue import EXPERIMENTS
from penalized_replication.experiments.simulate import simulate_experiment
from penalized_replication.storage.replicates import Outcome, read_replicates, write_replicates
from penalized_research.experiments.renewed_floors import MEANS, RATE, SHARE, ChangingCase
from rule_helpers import result_of
from tiny_sections import TINY_CEILINGS, TINY_CHANGING

R = 30


def wrong_sign(arm: Arm) -> float:
    """Return the index with +B above the ceiling."""
    return arm.mean + abs(arm.bonus) + arm.radius


@cache
def played(index: Callable[[Arm], float] | None = None) -> list[Outcome]:
    """Return runs of the published policy, or of another index without hard caps, as stored."""
    small = {**TINY_CEILINGS["stairs"], "replicates": R, "policies": [PAPER_POLICY]}
    section = EXPERIMENTS["stairs"].section.model_validate(small)
    context = Context(5, Interpretations(), 0, R)
    cases = EXPERIMENTS["stairs"].all_cases(section, context)
    if index is not None:
        rule = replace(POLICIES[PAPER_POLICY], index=index, hints=Hints())
        runs = {case.id: tuple(replace(run, rule=rule) for run in case.runs) for case in cases}
        cases = [replace(x, runs=runs[x.id]) for x in cases if x.info.instance != "caps"]
    with TemporaryDirectory() as folder:
        path = Path(folder) / "1of1.parquet"
        write_replicates(path, simulate_experiment("stairs", cases, context), {})
        return list(read_replicates([path]))


@pytest.mark.parametrize(("claim", "case"), [("S24", "both"), ("S26", "ceilings")])
def test_the_sign_of_b_is_noticed(claim: str, case: str) -> None:
    right, wrong = (result_of(claim, Runs({"stairs": played(x)})) for x in (None, wrong_sign))
    assert {c.case for c in right.comparisons} == {case}
    assert right.statuses["fails"] == 0
    assert wrong.verdict == "fails"
    # A share of T is lost, not log T.
    assert wrong.comparisons[0].estimate > 3


@pytest.mark.parametrize(("more", "status"), [(0, "holds"), (1, "fails")])
def test_a_pull_above_a_cap_is_noticed(more: int, status: str) -> None:
    runs = []
    for run in (run for run in played() if run.info.instance == "caps"):
        half, pulls = run.horizon // 2, run.pulls.copy()
        pulls[0] = [half + more, half - more - 40, 40]
        runs.append(replace(run, pulls=pulls))
    found = result_of("S25", Runs({"stairs": runs})).comparisons
    statuses = [c.status for c in found if "cap" in c.quantity]
    assert statuses == [status] * len(TINY_CEILINGS["stairs"]["horizons"])


# --- Means that change: the regret of the study, and runs that are interchanged -------


def test_regret_is_the_dynamic_one_and_credit_for_surplus_is_detected() -> None:
    study, context = EXPERIMENTS["renewed_floors"], Context(5, Interpretations(), 0, 12)
    section = study.section.model_validate(TINY_CHANGING[study.id])
    runs = [*simulate_experiment(study.id, cases := study.all_cases(section, context), context)]
    assert isinstance(cases[0], ChangingCase)
    bandit = cases[0].bandit(Instance(MEANS, SHARE, RATE, Bernoulli()))
    counts = runs[0].pulls.reshape(12, 9, 5).cumsum(axis=1)
    expected = dynamic_metrics(bandit, counts, 1000 * np.arange(1, 10))["dynamic_regret"][:, -1]
    np.testing.assert_allclose(regret_of(runs[0]), expected)
    names = {"window_due_first": "window_threshold", "window_threshold": "window_due_first"}
    wrong = [replace(run, policy=names.get(run.policy, run.policy)) for run in runs]
    right, wrong = (result_of("S28", Runs({study.id: x})) for x in (runs, wrong))
    assert right.verdict == "holds"
    assert {c.status for c in wrong.comparisons if c.rival == "window_threshold"} == {"fails"}
