"""Deterministic rewards: constructions for Theorems 4.1, 4.6 and 4.7.

Theorem 4.1: many arms with small fairness fractions fall below their level in the same
round and are served before one with a large fraction, which so falls short by several
pulls; horizons are rounded to such a round.

Theorem 4.6: arm 1 always gives Delta, the others 0, at penalty rates A < Delta.
Theorem 4.7: arm 1 gives Delta_1 + Delta_2, critical arms Delta_1 (gap Delta_2, penalty rate
above it), non-critical arms Delta_2 (gap Delta_1, penalty rate below it); the critical arms'
fairness levels tau_k T stay below log T / Delta_2^2.  There is nothing random, so one
replicate says all.
"""

import math
from typing import Annotated, Self

import numpy as np
from pydantic import AfterValidator, Field, model_validator

from penalized_bandits.bandit.rewards import Deterministic
from penalized_bandits.experiments.base import Case, Context, Experiment, regret_runs
from penalized_bandits.experiments.keys import (
    LARGEST_TOTAL,
    Fraction,
    Horizons,
    Mean,
    PolicyList,
    Rate,
    Replicates,
    untuned,
)
from penalized_bandits.section import Section, brief


class UnequalFairness(Section):
    """Equal means, unequal fairness fractions, all penalty rates above the gap."""

    small: Annotated[int, Field(ge=1, le=100_000)]
    """Number of arms with the small fraction."""
    small_fairness: Annotated[float, Field(ge=1e-6, lt=1)]
    small_penalty: Rate
    large_fairness: Fraction
    """Fraction of the one arm that waits."""
    large_penalty: Rate
    best_fairness: Fraction
    """Fraction of the best arm, which takes all other rounds."""
    best_penalty: Rate
    mean: Mean
    """Mean of all arms but the best."""
    best_mean: Mean

    @model_validator(mode="after")
    def _sensible(self) -> Self:
        total = self.small * self.small_fairness + self.large_fairness + self.best_fairness
        if total > LARGEST_TOTAL:
            raise ValueError(f"fairness fractions sum to {total:g}: it must be below 1")
        if self.best_mean <= self.mean:
            raise ValueError("best_mean must be above mean")
        return self

    def horizon_near(self, horizon: int) -> int:
        """Return the round in which the small arms have just been served, before a horizon."""
        period = round(1 / self.small_fairness)
        return max(horizon // period, 1) * period + self.small


class NonCritical(Section):
    """The construction of Theorem 4.6."""

    arms: Annotated[int, Field(ge=2, le=100_000)]
    gap: Mean
    """Delta."""
    penalty: Rate
    """A < Delta."""
    fairness: Fraction
    """tau_k of every arm."""

    @model_validator(mode="after")
    def _non_critical(self) -> Self:
        if self.penalty >= self.gap:
            raise ValueError(f"penalty {self.penalty:g} must be below the gap {self.gap:g}")
        if self.arms * self.fairness > LARGEST_TOTAL:
            raise ValueError(f"{self.arms} fractions of {self.fairness:g} sum to 1 or more")
        return self


class Critical(Section):
    """The construction of Theorem 4.7."""

    critical: Annotated[int, Field(ge=1, le=100_000)]
    """Number of critical arms."""
    non_critical: Annotated[int, Field(ge=0, le=100_000)]
    """Number of non-critical arms."""
    critical_gap: Annotated[float, Field(ge=1e-6, le=1)]
    """Delta_2, which a level is divided by."""
    critical_penalty: Rate
    """A_2 > Delta_2."""
    non_critical_gap: Mean
    """Delta_1."""
    non_critical_penalty: Rate
    """A_1 < Delta_1."""
    fairness: Fraction
    """tau_k of the other arms."""
    level: Annotated[float, Field(gt=0, le=1)]
    """tau_k T of the critical arms, in multiples of log T / Delta_2^2."""

    @model_validator(mode="after")
    def _ordered(self) -> Self:
        if self.critical_penalty <= self.critical_gap:
            raise ValueError("critical_penalty must be above critical_gap")
        if self.non_critical_penalty >= self.non_critical_gap:
            raise ValueError("non_critical_penalty must be below non_critical_gap")
        return self


class DeterministicStudy(Section):
    """Section ``deterministic`` of the config."""

    replicates: Replicates
    policies: Annotated[PolicyList, AfterValidator(untuned)]
    horizons: Horizons
    theorem_4_1: UnequalFairness
    theorem_4_6: NonCritical
    theorem_4_7: Critical

    @model_validator(mode="after")
    def _feasible(self) -> Self:
        two = self.theorem_4_7
        for horizon in self.horizons:
            level = two.critical * two.level * math.log(horizon) / two.critical_gap**2
            total = (1 + two.non_critical) * two.fairness + level / horizon
            if total > LARGEST_TOTAL:
                raise ValueError(
                    f"fairness fractions of theorem_4_7 sum to {total:g} at the horizon "
                    f"{horizon}: it must be below 1"
                )
        if len(set(self.horizons_4_1)) < len(self.horizons):
            raise ValueError(
                f"theorem_4_1 rounds the horizons to {brief(self.horizons_4_1)}, where its small "
                "arms have just been served: two of them are the same; give horizons further "
                "apart or a larger small_fairness"
            )
        return self

    @property
    def horizons_4_1(self) -> list[int]:
        """Horizons at which Theorem 4.1's instance is simulated."""
        return [self.theorem_4_1.horizon_near(horizon) for horizon in self.horizons]


def case_of(theorem: str, horizon: int) -> str:
    """Name the case of a theorem (``4_1``, ``4_6`` or ``4_7``) at a horizon."""
    return f"theorem_{theorem}_T{horizon}"


def _cases(section: DeterministicStudy, group: str, context: Context) -> list[Case]:
    del group
    cases = []
    given = section.theorem_4_1
    for horizon in section.horizons_4_1:
        counts = (given.small, 1, 1)
        means = np.repeat([given.mean, given.mean, given.best_mean], counts)
        tau = np.repeat([given.small_fairness, given.large_fairness, given.best_fairness], counts)
        rates = np.repeat([given.small_penalty, given.large_penalty, given.best_penalty], counts)
        runs = regret_runs(section.policies, [horizon], context, rates)
        cases.append(Case(case_of("4_1", horizon), means, tau, Deterministic(), runs))
    for horizon in section.horizons:
        one, two = section.theorem_4_6, section.theorem_4_7
        means = np.zeros(one.arms)
        means[0] = one.gap
        level = two.level * math.log(horizon) / two.critical_gap**2
        counts = (1, two.critical, two.non_critical)
        best, high, low = (
            two.non_critical_gap + two.critical_gap,
            two.non_critical_gap,
            two.critical_gap,
        )
        for theorem, mu, tau, penalties in (
            ("4_6", means, np.full(one.arms, one.fairness), np.full(one.arms, one.penalty)),
            (
                "4_7",
                np.repeat([best, high, low], counts),
                np.repeat([two.fairness, level / horizon, two.fairness], counts),
                np.repeat(
                    [two.critical_penalty, two.critical_penalty, two.non_critical_penalty], counts
                ),
            ),
        ):
            runs = regret_runs(section.policies, [horizon], context, penalties)
            cases.append(Case(case_of(theorem, horizon), mu, tau, Deterministic(), runs))
    return cases


EXPERIMENT = Experiment(
    id="deterministic",
    title="Constructions with deterministic rewards",
    section=DeterministicStudy,
    groups=lambda section: ["all"],  # noqa: ARG005
    cases=_cases,
    readings=("log_of",),
)
