"""Deterministic rewards: constructions for Theorems 4.1, 4.2, 4.6 and 4.7, and Lemma 4.4.

Theorem 4.1: some arms with small fairness fractions fall below their level in the same
round and are served before one with a large fraction, which so falls short by half as many
pulls; horizons are rounded to such a round.

Theorem 4.6: arm 1 always gives Delta, the others 0, at penalty rates A < Delta.
Theorem 4.7: arm 1 gives Delta_1 + Delta_2, critical arms Delta_1 (gap Delta_2, penalty rate
above it), non-critical arms Delta_2 (gap Delta_1, penalty rate below it); the critical arms'
fairness levels tau_k T stay below log T / Delta_2^2.
Theorem 4.2: the same with a gap so small that the bound of eq. (12), as it is printed, is 0.
"""

import math
from collections.abc import Iterator
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import AfterValidator, Field

from penalized_bandits.bandit.rewards import Deterministic
from penalized_bandits.common.typing import FloatArray
from penalized_replication.common.section import Section, brief
from penalized_replication.experiments import base, keys


class UnequalFairness(Section):
    """Equal means, unequal fairness fractions, all penalty rates above the gap."""

    small: Annotated[keys.ArmNumbers, AfterValidator(keys.increasing)]
    """Numbers of arms with the small fraction, increasing: an instance for each."""
    small_fairness: Annotated[float, Field(ge=1e-6, lt=1)]
    """Fraction of these arms, which come due together."""
    small_penalty: keys.Rate
    """Penalty rate of these arms."""
    large_fairness: keys.Fraction
    """Fraction of the one arm that waits."""
    large_penalty: keys.Rate
    """Penalty rate of the arm that waits."""
    best_fairness: keys.Fraction
    """Fraction of the best arm."""
    best_penalty: keys.Rate
    """Penalty rate of the best arm."""
    mean: keys.Mean
    """Mean of all arms but the best."""
    best_mean: keys.Mean
    """Mean of the best arm."""

    def _check(self) -> None:
        small = self.small[-1] * self.small_fairness
        keys.below_one(small + self.large_fairness + self.best_fairness)
        if self.best_mean <= self.mean:
            raise ValueError("best_mean must be above mean")


class LeastMargin(Section):
    """All arms but the first optimal, and the first near the least margin of a theorem."""

    limit: Literal["theorem_4_1", "lemma_4_4"]
    """Least margin: √(32 log T/(τ₁ T)) of `theorem_4_1` or √(32 K log T/T) of `lemma_4_4`."""
    arms: keys.SeveralArms
    fairness: Annotated[float, Field(ge=1e-6, lt=1)]
    """Fraction τ₁ of the first arm."""
    fairness_of_others: keys.Fraction
    """Fraction τ_k of every other arm."""
    times: Annotated[float, Field(ge=1, le=1000)]
    """Margin A₁ − Δ₁ in multiples of the least one."""

    def _check(self) -> None:
        keys.below_one(self.fairness + (self.arms - 1) * self.fairness_of_others)

    def margin_at(self, horizon: int) -> float:
        """Return A_1 - Delta_1: above the limit by less than any data show."""
        share = self.arms if self.limit == "lemma_4_4" else 1 / self.fairness
        least = math.sqrt(32 * share * math.log(horizon) / horizon)
        return self.times * least * (1 + 1e-9)


class NonCritical(Section):
    arms: keys.SeveralArms
    gap: keys.Mean
    """Gap Δ of all arms but the first."""
    penalty: keys.Rate
    """Penalty rate A, below the gap."""
    fairness: keys.Fraction
    """Fraction τ_k of each arm."""

    def _check(self) -> None:
        if self.penalty >= self.gap:
            raise ValueError(f"penalty {self.penalty:g} must be below the gap {self.gap:g}")
        keys.below_one(self.arms * self.fairness)


class Critical(Section):
    critical: Annotated[int, Field(ge=1, le=100_000)]
    """Number of critical arms."""
    non_critical: Annotated[int, Field(ge=0, le=100_000)]
    """Number of non-critical arms."""
    critical_gap: Annotated[float, Field(ge=1e-6, le=1)]
    """Gap Δ₂ of the critical arms."""
    critical_penalty: keys.Rate
    """Penalty rate of the critical arms, above their gap."""
    non_critical_gap: keys.Mean
    """Gap Δ₁ of the non-critical arms."""
    non_critical_penalty: keys.Rate
    """Penalty rate of the non-critical arms, below their gap."""
    fairness: keys.Fraction
    """Fraction τ_k of the other arms."""
    level: Annotated[float, Field(gt=0, le=1)]
    """Level τ_k T of the critical arms, in multiples of log T/Δ₂²."""

    def _check(self) -> None:
        if self.critical_penalty <= self.critical_gap:
            raise ValueError("critical_penalty must be above critical_gap")
        if self.non_critical_penalty >= self.non_critical_gap:
            raise ValueError("non_critical_penalty must be below non_critical_gap")

    def bandit_at(self, horizon: int) -> FloatArray:
        """Return mu, tau and A for a horizon, shape (3, K): the best arm, critical ones, others."""
        high, low, rate = self.non_critical_gap, self.critical_gap, self.critical_penalty
        level = self.level * math.log(horizon) / low**2
        kinds = [
            [high + low, high, low],
            [self.fairness, level / horizon, self.fairness],
            [rate, rate, self.non_critical_penalty],
        ]
        return np.repeat(kinds, (1, self.critical, self.non_critical), axis=1)


class DeterministicStudy(keys.RegretSection):
    policies: keys.UntunedPolicies
    theorem_4_1: UnequalFairness
    """Construction of Theorem 4.1."""
    cases: keys.Named[LeastMargin]
    """Bandits by name with penalty rates of 1, all arms but the first optimal."""
    theorem_4_2: Critical
    """The same as `theorem_4_7`, its gap so small that Theorem 4.2's printed bound is 0."""
    theorem_4_6: NonCritical
    """Construction of Theorem 4.6."""
    theorem_4_7: Critical
    """Construction of Theorem 4.7."""

    def _check(self) -> None:
        for horizon in self.horizons:
            total = self.theorem_4_7.bandit_at(horizon)[1].sum()
            keys.below_one(total, f" of theorem_4_7 at the horizon {horizon}")
        rounded = self.horizons_4_1(self.theorem_4_1.small[0])
        if len(set(rounded)) < len(self.horizons):
            raise ValueError(
                f"theorem_4_1 rounds the horizons to {brief(rounded)}, where its small "
                "arms have just been served: two of them are the same; give horizons further "
                "apart or a larger small_fairness"
            )

    def horizons_4_1(self, small: int) -> list[int]:
        """Return Theorem 4.1's horizons: rounds in which so many arms have just been served."""
        period = round(1 / self.theorem_4_1.small_fairness)
        return [max(horizon // period, 1) * period + small for horizon in self.horizons]


def _constructions(section: DeterministicStudy) -> Iterator[tuple[base.Case, int, FloatArray]]:
    """Yield each bandit without runs, its horizon, and its penalty rates A, shape (K,)."""
    given = section.theorem_4_1
    for small in given.small:
        counts = (small, 1, 1)
        means = np.repeat([given.mean, given.mean, given.best_mean], counts)
        tau = np.repeat([given.small_fairness, given.large_fairness, given.best_fairness], counts)
        rates = np.repeat([given.small_penalty, given.large_penalty, given.best_penalty], counts)
        name, label = f"theorem_4_1_{small}_small", f"Theorem 4.1, {small} small fractions"
        bandit = base.Case(name, means, tau, Deterministic(), label=label, group="theorem_4_1")
        for horizon in section.horizons_4_1(small):
            yield bandit, horizon, rates
    for name, near in section.cases.items():
        others = np.ones(near.arms - 1)
        tau = np.append(near.fairness, near.fairness_of_others * others)
        theorem = "Theorem 4.1" if near.limit == "theorem_4_1" else "Lemma 4.4"
        about: dict[str, Any] = {"label": f"{theorem}, K = {near.arms}", "group": "least_margin"}
        for horizon in section.horizons:
            if (margin := near.margin_at(horizon)) <= 1:  # Arm 1 has so large a mean.
                means = np.append(margin, others)
                bandit = base.Case(f"least_margin_{name}", means, tau, Deterministic(), **about)
                yield bandit, horizon, np.ones(near.arms)
    one, name = section.theorem_4_6, "theorem_4_6"
    means = np.append(one.gap, np.zeros(one.arms - 1))
    tau, rates = np.full(one.arms, one.fairness), np.full(one.arms, one.penalty)
    first = base.Case(name, means, tau, Deterministic(), label="Theorem 4.6", group=name)
    for horizon in section.horizons:
        yield first, horizon, rates
        for name in ("theorem_4_2", "theorem_4_7"):
            means, tau, penalties = getattr(section, name).bandit_at(horizon)
            if tau.sum() <= keys.LARGEST_TOTAL:
                label = name.replace("theorem_4_", "Theorem 4.")
                bandit = base.Case(name, means, tau, Deterministic(), label=label, group=name)
                yield bandit, horizon, penalties


@base.declare("log_of")
def deterministic(section: DeterministicStudy, context: base.Context) -> Iterator[base.Case]:
    """Constructions with deterministic rewards."""
    for bandit, horizon, rates in _constructions(section):
        yield base.at_horizon(bandit, horizon, section.policies, context, rates)
