"""Rules can fail: claims on ``log_laws`` met by replicates that keep the law, and that break it."""

import math
from collections.abc import Callable
from dataclasses import replace
from functools import partial

import numpy as np
import pytest

from config_helpers import PAPER
from outcome_factories import (
    THEOREMS,
    Case,
    Runs,
    cases,
    check_can_fail,
    check_case,
    decided,
)
from penalized_bandits.claims import claims_of
from penalized_bandits.experiments.base import Context, Readings
from penalized_bandits.experiments.catalogue import STUDIES
from penalized_bandits.experiments.simulate import simulate_experiment
from penalized_bandits.policies import PAPER_POLICY
from penalized_bandits.theory.fluid import predicted_pulls
from penalized_bandits.theory.inputs import instance_of
from series_factories import LATE, all_lack, balanced, laws


def predicted(instance: str, factor: Callable[[int], float] = lambda _: 1.0) -> Runs:
    """Arms with the pulls of the fluid prediction, the non-critical ones times a factor.

    These are noisy; the others are at their level.
    """
    given = PAPER["log_laws"]["instances"][instance]
    section = {**PAPER["log_laws"], "instances": {instance: given}}
    model = STUDIES["log_laws"].section.model_validate(section).instances[instance]
    mu = np.asarray(model.means, dtype=np.float64)

    def pulls(t: int) -> list[float]:
        tau, rates = np.asarray(model.fairness_at(t)), np.asarray(model.penalties_at(t))
        found = predicted_pulls(instance_of(mu, tau, rates), t)
        found[mu.max() - mu > rates] *= factor(t)
        return np.ceil(found[1:]).tolist()

    explored = mu.max() - mu > np.asarray(model.penalties_at(1000))
    return laws(instance, pulls, spread=explored[1:].astype(np.float64))


def rival(shape: Callable[[float], float]) -> Callable[[int], float]:
    """Return another law in the place of log T, the same at T = 100,000."""
    at = math.log(100_000)
    return lambda t: shape(math.log(t)) / math.log(t) * at / shape(at)


RIVALS = (lambda x: x**2, lambda x: x**1.5, lambda x: x * math.log(x), lambda x: math.exp(x / 5))


def shrinking(lacking: Callable[[int], float], few: Callable[[int], float]) -> Runs:
    """Instance with tau = T^-1/4: arms 2 and 3 lack pulls of their level, 4 and 5 explore."""

    def pulls(t: int) -> list[float]:
        return [t**0.75 - lacking(t)] * 2 + [few(t)] * 2

    return laws("tau_power_025", pulls, spread=0.0, horizons=LATE)


BOUNDS_OF_4_2 = [
    Case(lambda: balanced(2.0), "consistent"),
    Case(lambda: balanced(20.0, LATE), "not reproduced"),
]
RULES = {
    "C04": [
        Case(lambda: all_lack(lambda _: 0.0), "reproduced"),
        Case(lambda: laws("all_critical", lambda t: 0.2 * t), "not reproduced"),
    ],
    "C05": BOUNDS_OF_4_2,
    "C07": [
        Case(lambda: predicted("regular"), "reproduced", "h", "limit 26.67"),
        Case(lambda: predicted("regular", lambda _: 1.15), "not reproduced"),
        Case(lambda: predicted("regular", lambda _: 0.85), "not reproduced"),
        *(Case(partial(predicted, "ten_arms", rival(law)), "not reproduced") for law in RIVALS),
    ],
    "C08": [
        Case(lambda: predicted("regular"), "reproduced", "hh", "limit 2 "),
        Case(lambda: predicted("regular", lambda _: 1.15), "not reproduced", "ff"),
        *(Case(partial(predicted, "ten_arms", rival(law)), "not reproduced") for law in RIVALS),
    ],
    "C21": [
        Case(lambda: predicted("tau_power_025"), "consistent", "hhh"),
        Case(lambda: shrinking(lambda _: 9.0, lambda t: 60 * math.log(t)), "not reproduced", "fhf"),
        Case(lambda: shrinking(lambda _: -1.0, lambda t: 0.1 * t), "not reproduced", "hff"),
    ],
}


@pytest.mark.parametrize(("identifier", "case"), cases(RULES))
def test_the_rule_decides(identifier: str, case: Case) -> None:
    check_case(identifier, case)


def test_every_rule_can_fail() -> None:
    check_can_fail(RULES, {entry.id for entry in claims_of("log_laws")} - THEOREMS)


def test_the_soft_threshold_under_the_name_of_the_hard_is_found_out() -> None:
    horizons = [10_000, 17_783, 31_623, 56_234, 100_000]
    given = PAPER["log_laws"]["instances"]["regular"]
    section = {**PAPER["log_laws"], "horizons": horizons, "replicates": 20}
    study, found = STUDIES["log_laws"], {}
    policies = [PAPER_POLICY, "soft_threshold_ucb"]
    values = {**section, "instances": {"regular": {**given, "policies": policies}}}
    model = study.section.model_validate(values)
    simulated = list(simulate_experiment(study, model, Context(2, Readings(), 0, 20)))
    for policy in policies:
        renamed = [replace(run, policy=PAPER_POLICY) for run in simulated if run.policy == policy]
        sections = {"log_laws": {**section, "instances": {"regular": given}}}
        found[policy] = decided("C07", Runs({"log_laws": renamed}, sections))[1]
    assert found[PAPER_POLICY] in {"reproduced", "undecided"}
    assert found["soft_threshold_ucb"] == "not reproduced"
