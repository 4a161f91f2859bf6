"""The sharp claims, on replicates that keep their constants and bounds and that break them."""

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import numpy as np
import pytest

from case_helpers import info_of
from outcome_factories import N, Runs, outcome
from penalized_bandits.common.typing import FloatArray
from penalized_bandits.policies import PAPER_POLICY
from penalized_bandits.theory.exploration import bernoulli_kl, root_log
from penalized_bandits.theory.fluid import predicted_pulls
from penalized_bandits.theory.gap_free import upper_bound_i, upper_bound_m
from penalized_bandits.theory.inputs import instance_of
from penalized_bandits.theory.limits import log_constant
from penalized_replication.claims.deciding import decide, measure
from penalized_replication.claims.evidence import Evidence
from penalized_replication.claims.measures.sharp_series import sharp_series
from penalized_replication.claims.sharp import minimax
from penalized_replication.common.errors import NotMeasuredError
from penalized_replication.experiments.base import Context, Readings, case_of
from penalized_replication.experiments.catalogue import experiment as experiment_of
from penalized_replication.storage.replicates import Outcome
from sharp_helpers import BANDIT, TINY_SHARP

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


class Generated(Evidence):
    """One bandit; what runs give at their ends and before may differ."""

    def __init__(self, early: Mapping[str, Any] | None = None, **late: Any) -> None:
        super().__init__(TINY_SHARP, {})
        made = self._outcomes
        cheap = (PAPER_POLICY, SIGMA, SOFT)
        made["sharp_short"] = [
            run(policy, t, case_of("one", t), **late) for policy in cheap for t in SHORT
        ]
        for study, policies in (("sharp_long", cheap), ("sharp_kl", (KL,))):
            made[study] = [
                run(policy, t, case_of("one", LONG), **given)
                for policy in policies
                for t, given in ((EARLY, early or {}), (LONG, late))
            ]
        made["sharp_kl"] += [run(KL, t, case_of("one", t), **late) for t in SHORT]


def as_square(t: int) -> float:
    """Log² T in the place of log T."""
    return float(np.log(t) / np.log(1_000_000))


def growing(power: float | None) -> Evidence:
    """Regret of the narrow radius as a power of T, or as log T."""
    evidence = Generated()
    runs = []
    for t in (1000, 10_000, 100_000):
        size = np.log(t) if power is None else t**power
        wasted = np.random.default_rng(t).uniform(1.8, 2.2, N) * size
        others = np.column_stack([wasted, np.full(N, 0.2 * t)])
        info = info_of(case_of("one", t), NUMBERS[1], parameters={"sd": 2.0})
        runs.append(outcome(others, t, *NUMBERS, case=info))
    evidence._outcomes["narrow_radius"] = runs
    return evidence


@pytest.mark.parametrize(
    ("name", "made", "verdict", "statuses"),
    [
        ("S01", Generated, "reproduced", "hh"),
        # The prediction's own limit does not depend on the runs.
        ("S01", lambda: Generated(pulls=(as_square, one)), "not reproduced", "fh"),
        ("S01", lambda: Generated(pulls=(lambda _: 0.5, one)), "not reproduced", "fh"),
        ("S02", Generated, "reproduced", "hh"),
        ("S02", lambda: Generated(pulls=(as_square, one)), "not reproduced", "ff"),
        ("S02", lambda: Generated(pulls=(lambda _: 0.5, one)), "not reproduced", "ff"),
        ("S03", Generated, "reproduced", "hhhhhh"),
        # A deficit that grows as log T does, and one above 0.2/(1 - 0.4 + 0.2) = 0.25 pulls.
        ("S03", lambda: Generated(sup=7.0), "not reproduced", "fhfhfh"),
        ("S03", lambda: Generated(lack=1.0), "not reproduced", "hfhfhf"),
        ("S04", Generated, "reproduced", "hhh"),
        ("S04", lambda: Generated(lack=1.0), "not reproduced", "fff"),
        ("S05", Generated, "identity", "hh"),
        ("S05", lambda: Generated(sd=0.5), "identity", "hh"),
        ("S06", Generated, "reproduced", "hhh"),
        ("S06", lambda: Generated(pulls=(one, lambda t: 0.9)), "not reproduced", "fhf"),
        ("S07", lambda: growing(0.7), "reproduced", "h"),
        ("S07", lambda: growing(None), "not reproduced", "f"),
        ("S08", Generated, "reproduced", "hhh"),
        # Deficits cost 0.25 each: 200 of them more, beside log T.
        ("S08", lambda: Generated(lack=200.0), "not reproduced", "fff"),
    ],
)
def test_the_rule_decides(
    name: str, made: Callable[[], Evidence], verdict: str, statuses: str
) -> None:
    result = decide(measure(name, made()))
    found = "".join(part.status[0] for part in result.parts)
    described = [(part.name, part.estimate, part.low, part.high) for part in result.parts]
    assert (result.verdict, found) == (verdict, statuses), described


def test_what_the_lower_bound_is_held_against() -> None:
    # Of limits that are computed only another law can break a part.
    parts = measure("S05", Generated(sd=0.4)).parts
    assert [(part.limit, part.status) for part in parts] == [(1 / 0.4**2, "holds"), (1.0, "holds")]
    by_bernoulli = measure("S05", Generated()).parts
    assert [part.limit for part in by_bernoulli] == [4.0, 1.0]


def test_the_limit_is_the_theorems() -> None:
    (series,) = sharp_series(Generated(), [PAPER_POLICY])
    assert series.constant == pytest.approx(2 / 0.25)
    assert series.constant == pytest.approx(float(log_constant(instance_of(*NUMBERS))))
    assert series.predicted(1e15) / np.log(1e15) == pytest.approx(8, rel=1e-3)
    assert list(series.horizons) == [*SHORT, LONG]
    assert [one.horizon for one in series.earlier] == [EARLY]


def test_horizons_that_have_not_settled_are_left_out() -> None:
    (series,) = sharp_series(Generated(), [KL])
    # 2 log T <= 0.2 · 0.25² T from T = 1,400 on.
    assert len(series.settled_since(0)) == len(series)
    assert len(series.settled_since(10**9)) == 0
    evidence = Generated()
    for study in ("sharp_long", "sharp_kl"):
        runs = evidence._outcomes[study]
        evidence._outcomes[study] = [run for run in runs if run.horizon != EARLY]
    parts = measure("S03", evidence).parts
    assert [part.status for part in parts] == 3 * ["holds"]
    assert {part.quantity for part in parts} == {"replicates beyond the drift bound"}


def test_deficits_that_never_were_do_not_grow() -> None:
    parts = measure("S03", Generated(early={"sup": 0.0}, sup=0.0)).parts
    growth = [part for part in parts if part.quantity == "growth of the largest deficits"]
    assert [(part.estimate, part.status) for part in growth] == 3 * [(0.0, "holds")]


def test_without_a_policy_it_is_not_measured() -> None:
    with pytest.raises(NotMeasuredError, match="no study has the policies ucb1"):
        sharp_series(Generated(), ["ucb1"])


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


def evidence() -> Evidence:
    """Return the evidence of the tiny studies' cases."""
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
    assert full.bandits.penalties.max() <= 100
    assert len(np.unique(full.means)) == full.means.size
    assert {"H_root_T1004", "H_large_T10004"} <= set(cases)
