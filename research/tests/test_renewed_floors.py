"""The study of means that change: its regret, and its claim on runs that are interchanged."""

from dataclasses import replace

import numpy as np

from outcome_factories import Runs
from penalized_bandits import Bernoulli, Instance
from penalized_bandits.bandit.changing import dynamic_metrics
from penalized_replication.claims.horizon_series import regret_of
from penalized_replication.experiments.base import Context, Interpretations
from penalized_replication.experiments.catalogue import EXPERIMENTS
from penalized_replication.experiments.simulate import simulate_experiment
from penalized_research.experiments.renewed_floors import MEANS, RATE, SHARE, ChangingCase
from rule_helpers import result_of
from tiny_sections import TINY_CHANGING


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
