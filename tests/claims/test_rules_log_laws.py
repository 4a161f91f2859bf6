"""Rules of the claims on laws of growth, constants and shrinking fractions: near each limit."""

import math
from collections.abc import Callable
from dataclasses import replace
from functools import partial

import numpy as np
import pytest

from config_helpers import PAPER
from outcome_factories import Runs
from penalized_bandits.bandit.instances import Instance
from penalized_bandits.claims.paper.log_law import LONGER
from penalized_bandits.common.typing import FloatArray
from penalized_bandits.experiments.base import Context, Readings
from penalized_bandits.experiments.catalogue import STUDIES
from penalized_bandits.experiments.simulate import simulate_experiment
from penalized_bandits.policies import PAPER_POLICY
from penalized_bandits.theory.fluid import predicted_pulls
from penalized_bandits.theory.inputs import instance_of
from rule_helpers import Case, alternating, check, result_of, table
from series_factories import LATE, N, instance_model, log_laws, whole


def predicted(
    instance: str,
    factor: Callable[[int], float] = lambda _: 1.0,
    spread: Callable[[int], float] = lambda _: 0.005,
) -> Runs:
    """Non-critical arms have their fluid prediction times a factor; others have their level."""
    model = instance_model(instance)

    def pulls(t: int) -> list[FloatArray | float]:
        bandit = instance_of(model.means, model.fairness_at(t), model.penalties_at(t))
        by = alternating(factor(t), spread(t), N)
        arms = zip(predicted_pulls(bandit, t)[1:], bandit.non_critical[1:], strict=True)
        return [by * fluid if noisy else math.ceil(fluid) for fluid, noisy in arms]

    return log_laws(instance, pulls, horizons=LATE)


def constant(value: float) -> Callable[[int], float]:
    return lambda _: value


def changing(change: float) -> Callable[[int], float]:
    """Return a factor that is 1 on average and changes so much along log T."""
    return lambda t: 1 + change * (math.log10(t) - 5) / 2


def rival(shape: Callable[[float], float]) -> Callable[[int], float]:
    """Return another law in place of log T, the same at T = 100,000."""
    at = math.log(100_000)
    return lambda t: shape(math.log(t)) / math.log(t) * at / shape(at)


RIVALS = (lambda x: x**2, lambda x: x**1.5, lambda x: x * math.log(x), lambda x: math.exp(x / 5))
REGULAR = {"C07": 1, "C08": 2}
"""Parts on ``regular``: its regret, and its two non-critical arms."""
LAWS = (
    # Within 5 % on average, a change of less than 10 %.
    *(Case(claim, lambda f=f, d=d: predicted("regular", constant(f), constant(d)), s * parts)
      for claim, parts in REGULAR.items() for f, d, s in
      ((1.04, 0.005, "h"), (1.045, 0.1, "u"), (1.055, 0.1, "u"), (1.06, 0.005, "f"),
       (0.96, 0.005, "h"), (0.94, 0.005, "f"))),
    *(Case(claim, lambda c=c, d=d: predicted("regular", changing(c), constant(d)), s * parts)
      for claim, parts in REGULAR.items() for c, d, s in
      ((0.085, 0.005, "h"), (0.09, 0.08, "u"), (0.11, 0.08, "u"), (0.115, 0.005, "f"),
       (-0.115, 0.005, "f"))),
    *(Case(claim, partial(predicted, "two_arms", rival(law)), "f")
      for claim in REGULAR for law in RIVALS),
)  # fmt: skip


@table(*LAWS)
def test_laws(case: Case) -> None:
    check(case)


@pytest.mark.parametrize(("claim", "limit"), [("C07", 4 / 0.15), ("C08", 2)])
def test_the_limit_of_a_law(claim: str, limit: float) -> None:
    part = result_of(claim, predicted("regular")).parts[0]
    assert part.asymptote == pytest.approx(limit)
    assert part.measured == pytest.approx(part.predicted, rel=0.01)


def test_the_soft_threshold_under_the_name_of_the_hard_fails() -> None:
    horizons = [10_000, 17_783, 31_623, 56_234, 100_000]
    given = PAPER["log_laws"]["instances"]["regular"]
    section = {**PAPER["log_laws"], "horizons": horizons, "replicates": 20}
    policies = [PAPER_POLICY, "soft_threshold_ucb"]
    values = {**section, "instances": {"regular": {**given, "policies": policies}}}
    study = STUDIES["log_laws"]
    model = study.section.model_validate(values)
    runs = list(simulate_experiment(study, model, Context(2, Readings(), 0, 20)))
    sections = {"log_laws": {**section, "instances": {"regular": given}}}
    verdicts = {}
    for policy in policies:
        renamed = [replace(run, policy=PAPER_POLICY) for run in runs if run.policy == policy]
        verdicts[policy] = result_of("C07", Runs({"log_laws": renamed}, sections)).verdict
    assert verdicts[PAPER_POLICY] in {"reproduced", "undecided"}
    assert verdicts["soft_threshold_ucb"] == "not reproduced"


# --- C21 --------------------------------------------------------------------------
T = 10**8
"""T^0.75 is a whole number."""
BOUND = 16 * math.log(T) / 0.15 + 5


def shrinking(
    deficit: float = 0.0, ratio: float = 0.5, spread: float = 0.0, power: str = "025"
) -> Runs:
    """Arm 2 lacks pulls, whole on each replicate; arm 4, of margin 0.15, is explored."""

    def pulls(t: int) -> list[FloatArray | float]:
        level = t ** (1 - float(power) / 100)
        explored = alternating(ratio * BOUND / 0.15, spread * BOUND / 0.15, N)
        return [level - whole(deficit), level, explored, 0.0]

    return log_laws(f"tau_power_{power}", pulls, horizons=(T,))


DEFICIT = {"quantity": "deficit over one pull an arm"}
REGRET = {"quantity": "regret over its bound"}
SHRINKING = (
    # A pull for each of three arms.
    *(Case("C21", lambda x=x: shrinking(x), s, parts=DEFICIT) for x, s in
      ((2.8, "h"), (2.95, "u"), (3.05, "u"), (3.2, "f"))),
    *(Case("C21", lambda x=x: shrinking(0.0, *x), s, parts=REGRET) for x, s in
      (((0.99, 0.01), "h"), ((0.998, 0.02), "u"), ((1.002, 0.02), "u"), ((1.01, 0.01), "f"))),
    Case("C21", lambda: shrinking(power="075"), "v",
         "levels of 100 pulls: exploration alone takes 409", DEFICIT),
    Case("C21", lambda: predicted("tau_power_025"), "h",
         parts={"quantity": "regret over its prediction"}),
    Case("C21", lambda: predicted("tau_power_025", constant(1.06)), "f",
         parts={"quantity": "regret over its prediction"}),
)  # fmt: skip


@table(*SHRINKING)
def test_shrinking_fractions(case: Case) -> None:
    check(case)


# --- C38 --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("order", "least", "share", "statuses"),
    [
        (1.049, 1.0, 1.01, "hhh"),
        (1.051, 1.0, 1.01, "fhh"),
        (0.951, 1.0, 1.01, "hhh"),
        (0.949, 1.0, 1.01, "fhh"),
        (1.0, 0.0, 1.01, "hfh"),
        (1.0, 1.0, 0.99, "hhf"),
    ],
)
def test_what_cannot_be_improved(
    monkeypatch: pytest.MonkeyPatch, order: float, least: float, share: float, statuses: str
) -> None:
    """Regret at 10^12 over that at 10^9; what any policy loses; regret over 1/8 of the bound."""

    def regret(bandit: Instance, horizon: float) -> float:
        return order if horizon == LONGER else 1.0

    module = "penalized_bandits.claims.paper.log_law"
    monkeypatch.setattr(f"{module}._regret_over_log", regret)
    monkeypatch.setattr(f"{module}._least_over_log", lambda _: least)
    monkeypatch.setattr(f"{module}._bound_over_log", lambda _: 8 * order / share)
    check(Case("C38", lambda: log_laws("regular", lambda _: np.ones(4).tolist()), statuses))
