"""The sharp claims, on replicates that keep their constants and bounds and that break them."""

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import numpy as np
import pytest

from outcome_factories import N, Runs, info_of, outcome
from penalized_bandits.common.typing import FloatArray
from penalized_bandits.policies import PAPER_POLICY
from penalized_bandits.theory.exploration import bernoulli_kl, root_log
from penalized_bandits.theory.fluid import predicted_pulls
from penalized_bandits.theory.inputs import instance_of
from penalized_replication.claims.results import measure
from penalized_replication.common.errors import NotMeasuredError
from penalized_replication.experiments.base import Context, Readings, case_of
from penalized_replication.experiments.catalogue import experiment as experiment_of
from penalized_replication.storage.replicates import Outcome
from penalized_research.claims import minimax
from penalized_research.claims.constants import sharp_series
from penalized_research.theory.gap_free import upper_bound_i, upper_bound_m
from rule_helpers import Case, check
from tiny_sections import BANDIT, TINY_SHARP

# --- Sharp constants ---------------------------------------------------------------

SIGMA, KL, SOFT = "hard_threshold_sigma", "kl_hard_threshold", "soft_threshold_ucb"
RULES = {PAPER_POLICY: root_log(), SIGMA: root_log(0.5), KL: bernoulli_kl(), SOFT: root_log()}
NUMBERS = BANDIT["means"], BANDIT["fairness"], BANDIT["penalties"]
SHORT, LONG = (100_000, 300_000, 1_000_000), 10_000_000
EARLY = 100_000
Of = Callable[[int], float]


def one(_: int) -> float:
    return 1.0


@cache
def predicted(policy: str, horizon: int) -> FloatArray:
    """Return the predicted pulls of arms 2 and 3."""
    soft = policy == SOFT
    return predicted_pulls(instance_of(*NUMBERS), horizon, rule=RULES[policy], soft=soft)[1:]


def run(
    policy: str,
    horizon: int,
    case: str,
    pulls: tuple[Of, Of] = (one, one),
    lack: float = 0.0,
    sup: float = 5.0,
    sd: float | None = None,
) -> Outcome:
    """Return an outcome with the predicted pulls of arms 2 and 3, each times a factor.

    Rewards are Bernoulli, or Gaussian with the standard deviation ``sd``.
    """
    wanted = predicted(policy, horizon)
    rng = np.random.default_rng([len(policy), horizon])
    counts = wanted * [factor(horizon) for factor in pulls] * rng.uniform(0.98, 1.02, (N, 2))
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


def as_square(t: int) -> float:
    """Log² T in the place of log T."""
    return float(np.log(t) / np.log(1_000_000))


def growing(power: float | None) -> Runs:
    """Return regret of the narrow radius as a power of T, or as log T."""
    runs = []
    for t in (1000, 10_000, 100_000):
        size = np.log(t) if power is None else t**power
        wasted = np.random.default_rng(t).uniform(1.8, 2.2, N) * size
        others = np.column_stack([wasted, np.full(N, 0.2 * t)])
        info = info_of(case_of("one", t), NUMBERS[1], parameters={"sd": 2.0})
        runs.append(outcome(others, t, *NUMBERS, case=info))
    return Runs({"narrow_radius": runs}, TINY_SHARP)


@pytest.mark.parametrize(
    ("name", "made", "statuses"),
    [
        ("S01", generated, "hh"),
        # The prediction's own limit does not depend on the runs.
        ("S01", lambda: generated(pulls=(as_square, one)), "fh"),
        ("S01", lambda: generated(pulls=(lambda _: 0.5, one)), "fh"),
        ("S02", generated, "hh"),
        ("S02", lambda: generated(pulls=(as_square, one)), "ff"),
        ("S02", lambda: generated(pulls=(lambda _: 0.5, one)), "ff"),
        ("S03", generated, "hhhhhh"),
        # A deficit that grows as log T does, and one above 0.2/(1 - 0.4 + 0.2) = 0.25 pulls.
        ("S03", lambda: generated(sup=7.0), "fhfhfh"),
        ("S03", lambda: generated(lack=1.0), "hfhfhf"),
        ("S04", generated, "hhh"),
        ("S04", lambda: generated(lack=1.0), "fff"),
        ("S05", generated, "hh"),
        ("S05", lambda: generated(sd=0.5), "hh"),
        ("S06", generated, "hhh"),
        ("S06", lambda: generated(pulls=(one, lambda t: 0.9)), "fhf"),
        ("S07", lambda: growing(0.7), "h"),
        ("S07", lambda: growing(None), "f"),
        ("S08", generated, "hhh"),
        # Deficits cost 0.25 each: 200 of them more, beside log T.
        ("S08", lambda: generated(lack=200.0), "fff"),
    ],
)
def test_the_rule_decides(name: str, made: Callable[[], Runs], statuses: str) -> None:
    check(Case(name, made, statuses))


def test_horizons_that_have_not_settled_are_left_out() -> None:
    (series,) = sharp_series(generated(), [KL])
    # 2 log T <= 0.2 · 0.25² T from T = 1,400 on.
    assert len(series.settled_since(0)) == len(series)
    assert len(series.settled_since(10**9)) == 0
    made = generated().made
    late = {study: [run for run in runs if run.horizon != EARLY] for study, runs in made.items()}
    parts = measure("S03", Runs(late | {"sharp_short": made["sharp_short"]}, TINY_SHARP)).parts
    assert [part.status for part in parts] == 3 * ["holds"]
    assert {part.quantity for part in parts} == {"replicates beyond the drift bound"}


def test_deficits_that_never_were_do_not_grow() -> None:
    parts = measure("S03", generated(early={"sup": 0.0}, sup=0.0)).parts
    growth = [part for part in parts if part.quantity == "growth of the largest deficits"]
    assert [(part.estimate, part.status) for part in growth] == 3 * [(0.0, "holds")]


def test_without_a_policy_it_is_not_measured() -> None:
    with pytest.raises(NotMeasuredError, match="no study has the policies ucb1"):
        sharp_series(generated(), ["ucb1"])


# --- Bounds free of the gaps -------------------------------------------------------

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


def evidence() -> Runs:
    return Runs({s: outcomes(s) for s in STUDIES}, {s: TINY_SHARP[s] for s in STUDIES})


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
    ("name", "regret", "statuses"),
    [
        ("S09", at("", bound), 12 * "h"),
        ("S09", at("worst", bound, 0.99), 3 * "hhfh"),
        ("S09", at("together", bound), 3 * "fhhh"),
        ("S10", at("", bound), 12 * "h"),
        ("S10", at("fixed", bound), 3 * "hfhh"),
        ("S11", lambda one: (log_root if one.policy == PAPER_POLICY else root)(one), "hh"),
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
def test_the_rule_on_a_bound_decides(
    name: str, regret: Regret, statuses: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def drawn(one: Outcome) -> FloatArray:
        return regret(one) * np.random.default_rng(one.horizon).uniform(0.99, 1.01, len(one.means))

    monkeypatch.setattr(minimax, "regret_of", drawn)
    check(Case(name, evidence, statuses))
