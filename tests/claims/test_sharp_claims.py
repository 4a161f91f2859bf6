"""The claims on the sharp constants on replicates that keep them and that break them."""

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import numpy as np
import pytest

from case_helpers import info_of
from outcome_factories import N, outcome
from penalized_bandits.claims.deciding import decide, measure
from penalized_bandits.claims.evidence import Evidence
from penalized_bandits.claims.sharp.series import sharp_series
from penalized_bandits.common.errors import NotMeasuredError
from penalized_bandits.common.typing import FloatArray
from penalized_bandits.experiments.base import case_of
from penalized_bandits.policies import PAPER_POLICY
from penalized_bandits.storage.replicates import Outcome
from penalized_bandits.theory.exploration import bernoulli_kl, root_log
from penalized_bandits.theory.fluid import predicted_pulls
from penalized_bandits.theory.inputs import instance_of
from penalized_bandits.theory.limits import log_constant
from sharp_helpers import BANDIT, TINY_SHARP

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
