"""What the sharp claims measure, on replicates with known constants and regrets."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest

from outcome_factories import N, Runs, info_of, outcome
from penalized_bandits.bandit.by_value import parameters_of
from penalized_bandits.common.typing import FloatArray
from penalized_bandits.policies import PAPER_POLICY
from penalized_bandits.theory.exploration import Exploration, bernoulli_kl, exploration_of, root_log
from penalized_bandits.theory.fluid import predicted_pulls, predicted_regret
from penalized_bandits.theory.inputs import instance_of
from penalized_bandits.theory.lower_bound import lower_constant
from penalized_replication.common.errors import NotMeasuredError
from penalized_replication.experiments.base import Context, Interpretations, case_of
from penalized_replication.experiments.catalogue import EXPERIMENTS
from penalized_replication.storage.replicates import Outcome
from penalized_research.claims import minimax, ratings
from penalized_research.claims.constants import sharp_series
from penalized_research.claims.deficits import BEYOND
from penalized_research.claims.ratings import EMPIRICAL
from penalized_research.experiments.sharp import RatedBandit
from penalized_research.theory.gap_free import upper_bound_i, upper_bound_m
from rule_helpers import measured, result_of
from tiny_sections import BANDIT, RATED, TINY_SHARP

# --- Sharp constants ---------------------------------------------------------------

SIGMA, KL, SOFT = "hard_threshold_sigma", "kl_hard_threshold", "soft_threshold_ucb"
RULES = {PAPER_POLICY: root_log(), SIGMA: root_log(0.5), KL: bernoulli_kl(), SOFT: root_log()}
NUMBERS = BANDIT["means"], BANDIT["fairness"], BANDIT["penalties"]
SHORT, LONG = (100_000, 300_000, 1_000_000), 10_000_000
EARLY = 100_000


@cache
def predicted(policy: str, horizon: int) -> FloatArray:
    """Return the predicted pulls of arms 2 and 3."""
    soft = policy == SOFT
    return predicted_pulls(instance_of(*NUMBERS), horizon, rule=RULES[policy], soft=soft)[1:]


def run(
    policy: str,
    horizon: int,
    case: str,
    pulls: tuple[float, float] = (1.0, 1.0),
    lack: float = 0.0,
    sup: float = 5.0,
    sd: float | None = None,
) -> Outcome:
    """Return an outcome with the predicted pulls of arms 2 and 3, each times a factor.

    Rewards are Bernoulli, or Gaussian with the standard deviation ``sd``.
    """
    rng = np.random.default_rng([len(policy), horizon])
    counts = predicted(policy, horizon) * pulls * rng.uniform(0.98, 1.02, (N, 2))
    if policy != SOFT:
        counts[:, 1] = 0.2 * horizon - lack
    # Every arm's, in every replicate a little more or less.
    deficits = np.broadcast_to(sup * rng.uniform(0.98, 1.02, (N, 1)), (N, 3))
    law = {"law": "bernoulli", "parameters": {}} if sd is None else {"parameters": {"sd": sd}}
    info = info_of(case, NUMBERS[1], **law)
    return outcome(counts, horizon, *NUMBERS, case=info, policy=policy, max_deficit=deficits)


def generated(early: Mapping[str, Any] | None = None, **late: Any) -> Runs:
    """Return evidence of one bandit; what runs give at their ends and before may differ."""
    cheap = (PAPER_POLICY, SIGMA, SOFT)
    made = {"sharp_short": [run(p, t, case_of("one", t), **late) for p in cheap for t in SHORT]}
    for study, policies in (("sharp_long", cheap), ("sharp_kl", (KL,))):
        made[study] = [
            run(policy, t, case_of("one", LONG), **given)
            for policy in policies
            for t, given in ((EARLY, early or {}), (LONG, late))
        ]
    made["sharp_kl"] += [run(KL, t, case_of("one", t), **late) for t in SHORT]
    return Runs(made, TINY_SHARP)


def check(name: str, made: Runs, statuses: str, estimates: Any, rel: float = 0.02) -> None:
    wanted = pytest.approx(np.broadcast_to(estimates, len(statuses)), rel=rel, abs=rel / 10)
    assert measured(name, made) == (statuses, wanted)


@pytest.mark.parametrize(
    ("name", "made", "statuses", "estimates"),
    [
        # The prediction's own limit, second, does not depend on the runs.
        ("S01", {"pulls": (0.5, 1.0)}, "fh", [0.5, 1]),
        ("S02", {"pulls": (0.5, 1.0)}, "ff", 0.5),
        # A deficit that grows as log T does, and one above 0.2/(1 - 0.4 + 0.2) = 0.25 pulls.
        ("S03", {"sup": 7.0}, "fffhhh", [0.4, 0.4, 0.4, 0, 0, 0]),
        ("S03", {"lack": 1.0}, "hhhfff", [0, 0, 0, 1, 1, 1]),
        # Deficits that never were do not grow.
        ("S03", {"early": {"sup": 0.0}, "sup": 0.0}, "hhhhhh", 0),
        ("S04", {"lack": 1.0}, "fff", 1),
        ("S05", {}, "hh", [1, 4.186]),
        ("S05", {"sd": 0.5}, "hh", [1, 4]),
        # Arm 3 has 0.9 of its share: a deficit of 0.01 T more, at 0.25 each, beside 0.025 T.
        ("S06", {"pulls": (1.0, 0.9)}, "fhf", [1.11, 1, 0.9]),
        # 200 deficits more, at 0.25 each, beside the growth of Σ (Δ − A) N: 46, 10.4 and 9.8.
        ("S08", {"lack": 200.0}, "fff", [50 / 46.2, 50 / 10.44, 50 / 9.78]),
    ],
)
def test_what_is_measured(name: str, made: dict[str, Any], statuses: str, estimates: Any) -> None:
    check(name, generated(**made), statuses, estimates)


def test_regret_of_the_narrow_radius_grows_as_it_does() -> None:
    runs = []
    for t in (1000, 10_000, 100_000):
        wasted = np.random.default_rng(t).uniform(1.8, 2.2, N) * t**0.6
        info = info_of(case_of("one", t), NUMBERS[1], parameters={"sd": 2.0})
        others = np.column_stack([wasted, np.full(N, 0.2 * t)])
        runs.append(outcome(others, t, *NUMBERS, case=info))
    check("S07", Runs({"narrow_radius": runs}, TINY_SHARP), "h", 0.6)


def test_horizons_that_have_not_settled_are_left_out() -> None:
    (series,) = sharp_series(generated(), [KL])
    # 2 log T <= 0.2 · 0.25² T from T = 1,400 on.
    assert len(series.settled_since(0)) == len(series)
    assert len(series.settled_since(10**9)) == 0
    made = generated().made
    late = {study: [run for run in runs if run.horizon != EARLY] for study, runs in made.items()}
    runs = Runs(late | {"sharp_short": made["sharp_short"]}, TINY_SHARP)
    assert [one.quantity for one in result_of("S03", runs).comparisons] == 3 * [BEYOND]
    with pytest.raises(NotMeasuredError, match="no study has the policies ucb1"):
        sharp_series(generated(), ["ucb1"])


# --- Bounds free of the gaps -------------------------------------------------------

STUDIES = ("minimax", "minimax_long", "minimax_policies")
Regret = Callable[[Outcome], float]


def evidence() -> Runs:
    """Return outcomes whose pulls do not matter: the tests give the regret."""
    made: dict[str, list[Outcome]] = {}
    for study in STUDIES:
        experiment = EXPERIMENTS[study]
        section = experiment.section.model_validate(TINY_SHARP[study])
        cases = experiment.all_cases(section, Context(1, Interpretations(), 0, section.replicates))
        made[study] = [
            outcome(
                np.zeros((section.replicates, case.fairness.size - 1)),
                *(run.checkpoints[0], case.means, case.fairness, run.penalties),
                case=case.info,
                policy=run.policy,
            )
            for case in cases
            for run in case.runs
        ]
    return Runs(made, {study: TINY_SHARP[study] for study in STUDIES})


def root(one: Outcome) -> float:
    return float(np.sqrt(one.info.n_arms * one.horizon))


def log_root(one: Outcome) -> float:
    return 0.3 * root(one) * float(np.sqrt(np.log(one.horizon)))


def bound(one: Outcome) -> float:
    of = upper_bound_i if one.policy == PAPER_POLICY else upper_bound_m
    means, rates = one.means[0], one.bandits.penalties[0]
    return float(of(instance_of(means, one.fairness, rates), one.horizon))


def at(group: str, regret: Regret, total: float | None = None) -> Regret:
    """Beyond a bound on one group of bandits, or those with a sum of tau; within it on others."""

    def scaled(one: Outcome) -> float:
        beyond = one.info.group == group and total in (None, one.info.total_fairness)
        return (1.5 if beyond else 0.5) * regret(one)

    return scaled


def least(one: Outcome) -> float:
    return (float(one.bandits.penalties[0, 0]) - 0.4) / 5


@pytest.mark.parametrize(
    ("name", "regret", "statuses", "estimates"),
    [
        ("S09", at("worst", bound, 0.99), 3 * "hhfh", 3 * [0.5, 0.5, 1.5, 0.5]),
        ("S09", at("together", bound), 3 * "fhhh", 3 * [1.5, 0.5, 0.5, 0.5]),
        ("S10", at("fixed", bound), 3 * "hfhh", 3 * [0.5, 1.5, 0.5, 0.5]),
        # Each has the other's growth: sqrt(log T) grows by 1.22 from 1,000 to 30,000.
        ("S11", lambda x: (root if x.policy == PAPER_POLICY else log_root)(x), "ff", [0.82, 1.22]),
        ("S12", lambda x: root(x) * (1.001 - x.info.total_fairness), 8 * "f", 0.022),
        ("S13", at("together", least), 6 * "h", 1.49),
        ("S14", lambda x: root(x) * (2 - (x.policy == minimax.KL)), "hh", [-54.8, -173]),
    ],
)
def test_what_is_measured_beside_a_bound(
    name: str, regret: Regret, statuses: str, estimates: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def drawn(x: Outcome) -> FloatArray:
        return regret(x) * np.random.default_rng(x.horizon).uniform(0.99, 1.01, len(x.means))

    monkeypatch.setattr(minimax, "regret_of", drawn)
    # Of four bandits of a kind the worst counts, at up to 0.55 times its bound.
    check(name, evidence(), statuses, estimates, rel=0.11 if name in ("S09", "S10") else 0.02)


# --- Ratings -----------------------------------------------------------------------

CASE, RATES = RatedBandit.model_validate(RATED).bandit("one")
LAW, TAU, MEANS = CASE.rewards, CASE.fairness, CASE.means
RATED_BANDIT = instance_of(MEANS, TAU, RATES)
HORIZONS = (31_000, *SHORT)


def rule_of(policy: str) -> Exploration:
    rule = exploration_of(policy, LAW.noise, law=LAW)
    assert rule is not None
    return rule


def rated(policy: str, horizon: int, factor: float) -> Outcome:
    """Return an outcome with a factor times the predicted pulls of arms 2 and 3."""
    predicted = predicted_pulls(RATED_BANDIT, horizon, rule=rule_of(policy))[1:]
    counts = predicted * factor * np.random.default_rng(horizon).uniform(0.98, 1.02, (N, 2))
    info = info_of(case_of("one", horizon), TAU, law=LAW.id, parameters=parameters_of(LAW))
    return outcome(counts, horizon, MEANS, TAU, RATES, case=info, policy=policy)


def estimates(claim: str, **factors: float) -> list[float]:
    """Return what is measured where some policies' pulls are off by a factor."""
    policies = (EMPIRICAL, KL, PAPER_POLICY)
    runs = [rated(p, t, factors.get(p, 1.0)) for p in policies for t in HORIZONS]
    return measured(claim, Runs({"sharp_ratings": runs}, TINY_SHARP))[1]


def test_limits_over_the_least(monkeypatch: pytest.MonkeyPatch) -> None:
    found = np.array(estimates("S22"))
    assert found[0] == pytest.approx(1)
    assert (found > [0.99, 3, 15]).all()
    # As if no law with the mean were nearer than one at twice the divergence.
    least = float(lower_constant(replace(RATED_BANDIT, rewards=LAW)))
    monkeypatch.setattr(ratings, "lower_constant", lambda bandit: least / 2)
    assert estimates("S22") == pytest.approx(2 * found)


def test_pulls_beside_the_law_and_regret_beside_the_empirical_index() -> None:
    regrets = [
        float(predicted_regret(RATED_BANDIT, HORIZONS[-1], rule=rule_of(policy)))
        for policy in (KL, PAPER_POLICY, EMPIRICAL)
    ]
    wanted = np.array(regrets[:2]) / regrets[2]
    assert estimates("S21", **{EMPIRICAL: 1.3}) == pytest.approx([1.3], rel=0.01)
    assert estimates("S23") == pytest.approx(wanted, rel=0.01)
    assert estimates("S23", **{EMPIRICAL: 2.0}) == pytest.approx(wanted / 2, rel=0.01)
