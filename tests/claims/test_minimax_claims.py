"""The claims on bounds free of the gaps on regrets that keep them and that break them."""

from collections.abc import Callable

import numpy as np
import pytest

from outcome_factories import Runs, outcome
from penalized_bandits.claims.deciding import decide, measure
from penalized_bandits.claims.evidence import Evidence, penalties_of
from penalized_bandits.claims.sharp import minimax
from penalized_bandits.common.typing import FloatArray
from penalized_bandits.experiments.base import Context, Readings
from penalized_bandits.experiments.catalogue import experiment as experiment_of
from penalized_bandits.policies import PAPER_POLICY
from penalized_bandits.storage.replicates import Outcome
from penalized_bandits.theory.gap_free import upper_bound_i, upper_bound_m
from penalized_bandits.theory.inputs import instance_of
from sharp_helpers import TINY_SHARP

STUDIES = ("minimax", "minimax_long", "minimax_policies")
Regret = Callable[[Outcome], float]


def outcomes(study: str) -> list[Outcome]:
    """Return outcomes whose pulls do not matter: the tests give the regret."""
    experiment, replicates = experiment_of(study), TINY_SHARP[study]["replicates"]
    section = experiment.section.model_validate(TINY_SHARP[study])
    made = []
    for case in experiment.all_cases(section, Context(1, Readings(), 0, replicates)):
        for run in case.runs:
            none = np.zeros((replicates, case.fairness.size - 1))
            bandit = case.means, case.fairness, run.penalties
            info = {"case": case.info, "policy": run.policy}
            made.append(outcome(none, run.checkpoints[0], *bandit, **info))
    return made


def evidence() -> Evidence:
    """Return the evidence of the tiny studies' cases."""
    return Runs({s: outcomes(s) for s in STUDIES}, {s: TINY_SHARP[s] for s in STUDIES})


def root(one: Outcome) -> float:
    return float(np.sqrt(one.info.n_arms * one.horizon))


def log_root(one: Outcome) -> float:
    return 0.3 * root(one) * float(np.sqrt(np.log(one.horizon)))


def as_proved(one: Outcome) -> float:
    return log_root(one) if one.policy == PAPER_POLICY else root(one)


def bound(one: Outcome) -> float:
    of = upper_bound_i if one.policy == PAPER_POLICY else upper_bound_m
    means, rates = one.means[0], penalties_of(one)[0]
    return float(of(instance_of(means, one.fairness, rates), one.horizon))


def at(group: str, regret: Regret, total: float | None = None) -> Regret:
    """Beyond a bound on one group of bandits, or those with a sum of tau; within it on others."""

    def scaled(one: Outcome) -> float:
        beyond = one.info.group == group and total in (None, one.info.total_fairness)
        return (1.5 if beyond else 0.5) * regret(one)

    return scaled


def least(one: Outcome) -> float:
    return (float(penalties_of(one)[0, 0]) - 0.4) / 5


@pytest.mark.parametrize(
    ("name", "regret", "statuses"),
    [
        ("S09", at("", bound), 12 * "h"),
        ("S09", at("worst", bound, 0.99), 3 * "hhfh"),
        ("S09", at("together", bound), 3 * "fhhh"),
        ("S10", at("", bound), 12 * "h"),
        ("S10", at("fixed", bound), 3 * "hfhh"),
        ("S11", as_proved, "hh"),
        ("S11", root, "fh"),
        ("S11", log_root, "hf"),
        ("S12", root, 8 * "h"),
        ("S12", lambda one: root(one) * (1.001 - one.info.total_fairness), 8 * "f"),
        ("S13", at("together", least), 6 * "h"),
        ("S13", at("", least), 6 * "f"),
        ("S14", lambda one: root(one) * (2 - (one.policy == minimax.KL)), "hh"),
        ("S14", lambda one: root(one) * (1 + (one.policy == minimax.KL)), "ff"),
    ],
)
def test_the_rule_decides(
    name: str, regret: Regret, statuses: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def drawn(one: Outcome) -> FloatArray:
        return regret(one) * np.random.default_rng(one.horizon).uniform(0.99, 1.01, len(one.means))

    monkeypatch.setattr(minimax, "regret_of", drawn)
    result = decide(measure(name, evidence()))
    found = "".join(part.status[0] for part in result.parts)
    assert found == statuses, [(part.name, part.estimate, part.limit) for part in result.parts]
    assert result.verdict == ("not reproduced" if "f" in found else "reproduced")


def test_cases_are_the_worst_gaps() -> None:
    cases = {one.case: one for one in outcomes("minimax")}
    gap = np.sqrt(3 * np.log(1000) / 1000)
    assert cases["K3_free1_gap0.5_T1000"].means[0] == pytest.approx([0.5 + gap / 2, 0.5, 0.5])
    mixed = cases["K3_free0.5_gap0.25_mixed_T1000"]
    assert mixed.means[0] == pytest.approx([0.75, 0.45 - gap / 4, 0.45 + gap / 4])
    assert mixed.fairness == pytest.approx([1 / 6] * 3)
    full = cases["random_K3_free0_T10000"]
    assert full.fairness.sum() == pytest.approx(1)
    assert penalties_of(full).max() <= 100
    assert len(np.unique(full.means)) == full.means.size
    assert {"H_root_T1004", "H_large_T10004"} <= set(cases)
