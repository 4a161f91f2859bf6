"""Factories of evidence on the sharp constants, with one law of the rewards."""

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import numpy as np

from outcome_factories import N, outcome
from penalized_bandits.bandit.rewards import Bernoulli, Gaussian, RewardFamily
from penalized_bandits.claims.extended.evidence import ExtendedEvidence, Laws
from penalized_bandits.common.typing import FloatArray
from penalized_bandits.experiments.base import case_of
from penalized_bandits.policies import PAPER_POLICY
from penalized_bandits.storage.replicates import Outcome
from penalized_bandits.theory.exploration import bernoulli_kl, root_log
from penalized_bandits.theory.fluid import predicted_pulls
from penalized_bandits.theory.inputs import instance_of
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


class Generated(ExtendedEvidence):
    """One bandit; what runs give at their ends and before may differ."""

    def __init__(
        self, law: RewardFamily | None = None, early: Mapping[str, Any] | None = None, **late: Any
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
    evidence = Generated(Gaussian(2.0))
    runs = []
    for t in (1000, 10_000, 100_000):
        size = np.log(t) if power is None else t**power
        wasted = np.random.default_rng(t).uniform(1.8, 2.2, N) * size
        others = np.column_stack([wasted, np.full(N, 0.2 * t)])
        runs.append(outcome(others, t, *NUMBERS, case=case_of("one", t)))
    evidence._outcomes["narrow_radius"] = runs
    return evidence
