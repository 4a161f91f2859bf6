"""What the sharp claims measure, on replicates with known constants and deficits."""

from collections.abc import Mapping
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
from penalized_replication.common.errors import NotMeasuredError
from penalized_replication.experiments.base import case_of
from penalized_replication.storage.replicates import Outcome
from penalized_research.claims.constants import sharp_series
from penalized_research.claims.deficits import BEYOND
from rule_helpers import measured, result_of
from tiny_sections import BANDIT, TINY_SHARP

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
) -> Outcome:
    """Return an outcome with the predicted pulls of arms 2 and 3, each times a factor."""
    rng = np.random.default_rng([len(policy), horizon])
    counts = predicted(policy, horizon) * pulls * rng.uniform(0.98, 1.02, (N, 2))
    if policy != SOFT:
        counts[:, 1] = 0.2 * horizon - lack
    # Every arm's, in every replicate a little more or less.
    deficits = np.broadcast_to(sup * rng.uniform(0.98, 1.02, (N, 1)), (N, 3))
    info = info_of(case, NUMBERS[1], law="bernoulli", parameters={})
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


@pytest.mark.parametrize(
    ("name", "made", "statuses", "estimates"),
    [
        # The prediction's own limit, second, does not depend on the runs.
        ("S01", {"pulls": (0.5, 1.0)}, "fh", [0.5, 1]),
        # A deficit that grows as log T does, and one above 0.2/(1 - 0.4 + 0.2) = 0.25 pulls.
        ("S03", {"sup": 7.0}, "fffhhh", [0.4, 0.4, 0.4, 0, 0, 0]),
        ("S03", {"lack": 1.0}, "hhhfff", [0, 0, 0, 1, 1, 1]),
        # Deficits that never were do not grow.
        ("S03", {"early": {"sup": 0.0}, "sup": 0.0}, "hhhhhh", 0),
        # Arm 3 has 0.9 of its share: a deficit of 0.01 T more, at 0.25 each, beside 0.025 T.
        ("S06", {"pulls": (1.0, 0.9)}, "fhf", [1.11, 1, 0.9]),
        # 200 deficits more, at 0.25 each, beside the growth of Σ (Δ − A) N: 46, 10.4 and 9.8.
        ("S08", {"lack": 200.0}, "fff", [50 / 46.2, 50 / 10.44, 50 / 9.78]),
    ],
)
def test_what_is_measured(name: str, made: dict[str, Any], statuses: str, estimates: Any) -> None:
    wanted = pytest.approx(np.broadcast_to(estimates, len(statuses)), rel=0.02, abs=0.002)
    assert measured(name, generated(**made)) == (statuses, wanted)


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
