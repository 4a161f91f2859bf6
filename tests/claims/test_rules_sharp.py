"""The claims on the sharp constants on replicates made up to keep them and to break them."""

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import numpy as np
import pytest

from made_up import N, outcome
from penalized_bandits.bandit.rewards import Bernoulli, Gaussian, RewardFamily
from penalized_bandits.claims import claim
from penalized_bandits.claims.base import Finding, verdict_of
from penalized_bandits.claims.beyond.evidence import ExtendedEvidence, Laws
from penalized_bandits.claims.sharp.courses import courses
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


class KnownLaws(Laws):
    """One law everywhere."""

    def __init__(self, law: RewardFamily) -> None:
        self.law = law

    def of(self, name: str, case: str) -> RewardFamily:
        del name, case
        return self.law


def one(_: int) -> float:
    return 1.0


@cache
def predicted(policy: str, horizon: int) -> FloatArray:
    """Return the predicted pulls of arms 2 and 3."""
    return predicted_pulls(instance_of(*NUMBERS), horizon, rule=RULES[policy], soft=policy == SOFT)[
        1:
    ]


def run(
    policy: str,
    horizon: int,
    case: str,
    pulls: tuple[Of, Of] = (one, one),
    lack: float = 0.0,
    sup: float = 5.0,
) -> Outcome:
    """Return an outcome with the predicted pulls of arms 2 and 3, each times a factor."""
    wanted = predicted(policy, horizon)
    rng = np.random.default_rng([len(policy), horizon])
    counts = wanted * [factor(horizon) for factor in pulls] * rng.uniform(0.98, 1.02, (N, 2))
    if policy != SOFT:
        counts[:, 1] = 0.2 * horizon - lack
    # Every arm's, in every replicate a little more or less.
    deficits = np.broadcast_to(sup * rng.uniform(0.98, 1.02, (N, 1)), (N, 3))
    return outcome(counts, horizon, *NUMBERS, case=case, policy=policy, max_deficit=deficits)


class MadeUp(ExtendedEvidence):
    """One bandit; what runs give at their ends and before may differ."""

    def __init__(
        self,
        law: RewardFamily | None = None,
        early: Mapping[str, Any] | None = None,
        **late: Any,
    ) -> None:
        super().__init__(TINY_SHARP, {}, KnownLaws(law or Bernoulli()))
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


def half(_: int) -> float:
    return 0.5


def growing(power: float | None) -> ExtendedEvidence:
    """Regret of the narrow radius as a power of T, or as log T."""
    evidence = MadeUp(Gaussian(2.0))
    runs = []
    for t in (1000, 10_000, 100_000):
        size = np.log(t) if power is None else t**power
        wasted = np.random.default_rng(t).uniform(1.8, 2.2, N) * size
        others = np.column_stack([wasted, np.full(N, 0.2 * t)])
        runs.append(outcome(others, t, *NUMBERS, case=case_of("one", t)))
    evidence._outcomes["narrow_radius"] = runs
    return evidence


def decided(identifier: str, evidence: ExtendedEvidence) -> tuple[Finding, str, str]:
    wanted = claim(identifier)
    finding = wanted.measure(evidence)
    assert len({part.name for part in finding.parts}) == len(finding.parts)
    statuses = "".join(part.status[0] for part in finding.parts)
    return finding, verdict_of(finding.parts, wanted.kind), statuses


@pytest.mark.parametrize(
    ("name", "made", "verdict", "statuses"),
    [
        ("S01", MadeUp, "reproduced", "hh"),
        # The prediction's own limit does not depend on the runs.
        ("S01", lambda: MadeUp(pulls=(as_square, one)), "not reproduced", "fh"),
        ("S01", lambda: MadeUp(pulls=(half, one)), "not reproduced", "fh"),
        ("S02", MadeUp, "reproduced", "hh"),
        ("S02", lambda: MadeUp(pulls=(as_square, one)), "not reproduced", "ff"),
        ("S02", lambda: MadeUp(pulls=(half, one)), "not reproduced", "ff"),
        ("S03", MadeUp, "reproduced", "hhhhhh"),
        # A deficit that grows as log T does, and one above 0.2/(1 - 0.4 + 0.2) = 0.25 pulls.
        ("S03", lambda: MadeUp(sup=7.0), "not reproduced", "fhfhfh"),
        ("S03", lambda: MadeUp(lack=1.0), "not reproduced", "hfhfhf"),
        ("S04", MadeUp, "reproduced", "hhh"),
        ("S04", lambda: MadeUp(lack=1.0), "not reproduced", "fff"),
        ("S05", MadeUp, "identity", "hh"),
        ("S05", lambda: MadeUp(Gaussian(0.5)), "identity", "hh"),
        ("S06", MadeUp, "reproduced", "hhh"),
        ("S06", lambda: MadeUp(pulls=(one, lambda t: 0.9)), "not reproduced", "fhf"),
        ("S07", lambda: growing(0.7), "reproduced", "h"),
        ("S07", lambda: growing(None), "not reproduced", "f"),
        ("S08", MadeUp, "reproduced", "hhh"),
        # Deficits cost 0.25 each: 200 of them more, beside log T.
        ("S08", lambda: MadeUp(lack=200.0), "not reproduced", "fff"),
    ],
)
def test_the_rule_decides(
    name: str, made: Callable[[], ExtendedEvidence], verdict: str, statuses: str
) -> None:
    finding, found, each = decided(name, made())
    assert (found, each) == (verdict, statuses), [
        (part.name, part.estimate, part.low, part.high) for part in finding.parts
    ]


def test_what_the_lower_bound_is_held_against() -> None:
    # Of limits that are computed only another law can break a part.
    parts = claim("S05").measure(MadeUp(Gaussian(0.4))).parts
    assert [(part.limit, part.status) for part in parts] == [(1 / 0.4**2, "holds"), (1.0, "holds")]
    by_bernoulli = claim("S05").measure(MadeUp()).parts
    assert [part.limit for part in by_bernoulli] == [4.0, 1.0]


def test_the_limit_is_the_theorems() -> None:
    (course,) = courses(MadeUp(), [PAPER_POLICY])
    assert course.limit == pytest.approx(2 / 0.25)
    assert course.limit == pytest.approx(float(log_constant(instance_of(*NUMBERS))))
    assert course.predicted(1e15) / np.log(1e15) == pytest.approx(8, rel=1e-3)
    assert course.horizons.tolist() == [*SHORT, LONG]
    assert [one.horizon for one in course.earlier] == [EARLY]


def test_what_has_not_settled_says_nothing() -> None:
    (course,) = courses(MadeUp(), [KL])
    # 2 log T <= 0.2 · 0.25² T from T = 1,400 on.
    assert course.settled(0) is not None
    assert course.settled(10**9) is None
    evidence = MadeUp()
    for study in ("sharp_long", "sharp_kl"):
        made = evidence._outcomes[study]
        evidence._outcomes[study] = [run for run in made if run.horizon != EARLY]
    finding, _, statuses = decided("S03", evidence)
    assert statuses == "hhh"
    assert all("drift bound" in part.name for part in finding.parts)


def test_without_a_policy_it_is_not_measured() -> None:
    with pytest.raises(NotMeasuredError, match="no study has the policies ucb1"):
        courses(MadeUp(), ["ucb1"])
