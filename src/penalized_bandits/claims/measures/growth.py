"""How quantities grow with the horizon: the instances of ``log_laws``, laws and exponents."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from penalized_bandits.bandit.regret import gaps, shortfall
from penalized_bandits.claims.base import Part, below
from penalized_bandits.claims.evidence import Bandit, Evidence, penalties_of
from penalized_bandits.claims.measures.regret import regret_of
from penalized_bandits.common.errors import NotMeasuredError
from penalized_bandits.common.typing import BoolArray, FloatArray
from penalized_bandits.experiments.theory.log_laws import case_of
from penalized_bandits.policies import PAPER_POLICY
from penalized_bandits.statistics.choice_of_law import LawChoice, choose_law
from penalized_bandits.statistics.estimates import mean_estimate
from penalized_bandits.statistics.measurements import Measurements, measure
from penalized_bandits.storage.replicates import Outcome
from penalized_bandits.theory.conditions import conditions_4_2
from penalized_bandits.theory.inputs import instance_of

SETTLED = 10_000
"""Fits of laws use horizons from here on: before, levels tau_k T are below what exploration
takes, and another regime holds."""
FEWEST = 5
"""Horizons that a choice between laws takes: three to fit, two to predict."""


@dataclass(frozen=True, eq=False)
class Series:
    """An instance of ``log_laws`` at increasing horizons, on independent random numbers."""

    name: str
    horizons: tuple[int, ...]
    outcomes: tuple[Outcome, ...]

    @property
    def means(self) -> FloatArray:
        """Mu, shape (K,)."""
        return self.outcomes[0].means[0]

    @property
    def gaps(self) -> FloatArray:
        """Delta, shape (K,)."""
        return gaps(self.means)

    def penalties(self, i: int = -1) -> FloatArray:
        """Return A at the i-th horizon, shape (K,)."""
        return penalties_of(self.outcomes[i])[0]

    def fairness(self, i: int = -1) -> FloatArray:
        """Return tau at the i-th horizon, shape (K,)."""
        return self.outcomes[i].fairness

    @property
    def bandit(self) -> Bandit:
        """Mu, tau and A at the largest horizon."""
        return self.means, self.fairness(), self.penalties()

    @property
    def fixed(self) -> bool:
        """Whether tau and A are the same at all horizons."""
        return bool(
            np.array_equal(self.fairness(0), self.fairness())
            and np.array_equal(self.penalties(0), self.penalties())
        )

    def regrets(self) -> list[FloatArray]:
        """Penalized regret of each replicate, (R,) for each horizon."""
        return [regret_of(outcome) for outcome in self.outcomes]

    def pulls(self, arm: int) -> list[FloatArray]:
        """N_k(T) of an arm (from 0), (R,) for each horizon."""
        return [outcome.pulls[:, arm].astype(np.float64) for outcome in self.outcomes]

    def shortfalls(self, arms: BoolArray) -> list[FloatArray]:
        """Sum over some arms of (tau_k T - N_k)_+, (R,) for each horizon."""
        return [
            shortfall(o.pulls, o.fairness, o.horizon)[:, arms].sum(axis=1) for o in self.outcomes
        ]

    def late(self) -> "Series":
        """Return the series from ``SETTLED`` on, which may be empty."""
        first = next((i for i, t in enumerate(self.horizons) if t >= SETTLED), len(self.horizons))
        return Series(self.name, self.horizons[first:], self.outcomes[first:])

    def settled(self) -> "Series":
        """Return the series from ``SETTLED`` on, or its last ``FEWEST`` horizons."""
        first = next((i for i, t in enumerate(self.horizons) if t >= SETTLED), 0)
        first = max(min(first, len(self.horizons) - FEWEST), 0)
        return Series(self.name, self.horizons[first:], self.outcomes[first:])


def series(evidence: Evidence) -> list[Series]:
    """Return the instances of ``log_laws``."""
    section = evidence.section("log_laws")
    found = []
    for name in section.instances:
        outcomes = tuple(
            evidence.outcome("log_laws", case_of(name, t), PAPER_POLICY, t)
            for t in section.horizons
        )
        found.append(Series(name, tuple(section.horizons), outcomes))
    return found


def fixed_bandits(evidence: Evidence) -> Iterator[tuple[str, Bandit]]:
    """Yield name and bandit of the instances of ``log_laws`` whose tau and A are fixed."""
    for name, one in evidence.section("log_laws").instances.items():
        if one.fairness is not None and one.penalties is not None:
            yield name, (np.array(one.means), np.array(one.fairness), np.array(one.penalties))


def meets_4_2(one: Series) -> bool:
    """Whether an instance meets Theorem 4.2 (i) and (ii) as stated, at its largest horizon."""
    if not one.fixed:
        return False
    both = conditions_4_2(instance_of(*one.bandit), one.horizons[-1])
    return all(condition.holds for condition in both)


def choose(horizons: Sequence[int], samples: Sequence[FloatArray]) -> LawChoice:
    """Choose a law; data without spread count as exact."""
    if all(np.ptp(sample) == 0 for sample in samples):
        data = Measurements(horizons, [x.mean() for x in samples], np.zeros(len(samples)))
    else:
        data = measure(horizons, samples)
    return choose_law(data)


def bounded(
    name: str, samples: Sequence[FloatArray], bounds: FloatArray, horizons: Iterable[int]
) -> Part:
    """Make a part that says: the mean stays below a bound, at the horizon nearest to it.

    The estimate is the largest ratio of mean to bound over the horizons, intervals
    Bonferroni-corrected for that choice.
    """
    level = 1 - 0.05 / len(samples)
    ratios = []
    for sample, bound, horizon in zip(samples, bounds, horizons, strict=True):
        interval = mean_estimate(sample, level=level).interval
        scaled = (x / bound if bound > 0 else np.inf for x in interval)
        ratios.append((*scaled, horizon))
    value, low, high, horizon = max(ratios)
    part = below(name, float(value), float(low), float(high), 1.0)
    return replace(part, detail=f"at T={horizon}")


def growth_part(name: str, runs: list[Outcome], limit: float) -> Part:
    """Make a part that says: the exponent of regret in T lies below a limit.

    The exponent is that between the first horizon and the last; its 95 % interval by the delta
    method, the replicates at the two being taken as independent (which widens it where they
    share random numbers).
    """
    if len(runs) < 2:
        raise NotMeasuredError("growth takes two horizons, not one")
    first, last = runs[0], runs[-1]
    before, after = regret_of(first), regret_of(last)
    decades = float(np.log(last.horizon / first.horizon))
    if min(before.mean(), after.mean()) <= 0:
        return Part(name, np.nan, np.nan, np.nan, "undecided", limit, "regret is not positive")
    exponent = float(np.log(after.mean() / before.mean())) / decades
    errors = [v.std(ddof=1) / np.sqrt(v.size) / v.mean() for v in (before, after)]
    half = 1.96 * float(np.hypot(*errors)) / decades
    return below(name, exponent, exponent - half, exponent + half, limit)
