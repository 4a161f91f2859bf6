"""Quantities of outcomes, and horizon series: one policy on one bandit at increasing horizons."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from penalized_bandits.bandit.instances import Instance
from penalized_bandits.bandit.regret import penalized_regret, shortfall
from penalized_bandits.common.typing import BoolArray, FloatArray
from penalized_replication.claims.comparisons import Place, place_of
from penalized_replication.common.errors import NotMeasuredError
from penalized_replication.storage.replicates import Outcome

SETTLED = 10_000
"""Laws are compared from this horizon on: before, levels tau_k T are below what exploration takes,
and another regime holds."""
SINCE = f"from T = {SETTLED:,} on"
"""For the sentences of rules, so that their digests have it."""
SURE = 0.9
"""Probability above which arms are kept fair."""


def grouped(outcomes: Iterable[Outcome], key: Callable[[Outcome], Any]) -> dict[Any, list[Outcome]]:
    """Return outcomes by a key, in order."""
    groups: dict[Any, list[Outcome]] = {}
    for outcome in outcomes:
        groups.setdefault(key(outcome), []).append(outcome)
    return groups


def bandit_at(outcome: Outcome, rows: int | slice = 0) -> Instance:
    """Return the bandit of the first replicate, with its law; of most outcomes it is that of all.

    Of several rows means and rates have shape (R, K).
    """
    rates, info = outcome.bandits.penalties[rows], outcome.info
    return Instance(outcome.means[rows], outcome.fairness, rates, info.rewards, **info.ceilings)


def bandits_of(outcome: Outcome) -> Instance:
    """Return the bandits of the replicates: means and rates have shape (R, K).

    It is (1, K) where all have the same, as in most studies: divergences of many movies take time.
    """
    means, penalties = outcome.means, outcome.bandits.penalties
    alike = (means == means[0]).all() and (penalties == penalties[0]).all()
    return bandit_at(outcome, slice(1 if alike else None))


def regret_of(outcome: Outcome) -> FloatArray:
    """Return the penalized regret of each replicate, eq. (10), shape (R,)."""
    return penalized_regret(outcome.pulls, outcome.bandits)


def deficits_of(outcome: Outcome) -> FloatArray:
    """Return (tau_k T - N_k(T))_+ in pulls, shape (R, K)."""
    return shortfall(outcome.pulls, outcome.bandits)


def whole_levels(outcome: Outcome) -> FloatArray:
    """Return floor(tau_k T), shape (K,); a level that is whole but for rounding counts as whole."""
    return np.floor(outcome.fairness * outcome.horizon + 1e-9)


def all_served(outcome: Outcome, arms: BoolArray | bool = True) -> BoolArray:
    """Whether all of some arms (R, K) have floor(tau_k T) pulls (Theorem 4.1), shape (R,)."""
    return np.asarray(((outcome.pulls >= whole_levels(outcome)) | ~np.asarray(arms)).all(axis=1))


@dataclass(frozen=True, eq=False)
class HorizonSeries:
    """Outcomes of one policy on one bandit at m increasing horizons."""

    instance: str
    label: str
    outcomes: tuple[Outcome, ...]

    def __len__(self) -> int:
        """Return m."""
        return len(self.outcomes)

    @property
    def policy(self) -> str:
        """Id of the policy."""
        return self.last.policy

    @property
    def last(self) -> Outcome:
        """The outcome at the largest horizon."""
        return self.outcomes[-1]

    @property
    def horizons(self) -> tuple[int, ...]:
        """T, in increasing order."""
        return tuple(outcome.horizon for outcome in self.outcomes)

    @property
    def rounds(self) -> FloatArray:
        """T as an array, shape (m,)."""
        return np.array(self.horizons, dtype=np.float64)

    @cached_property
    def bandit(self) -> Instance:
        """The bandit at the largest horizon, with its reward law."""
        return bandit_at(self.last)

    def place(
        self, of: str = "", rival: str = "", arm: int | None = None, horizon: int | None = None
    ) -> Place:
        """Return the place of a comparison that is about the series."""
        place = place_of(self.last, of, rival, arm)
        return replace(place, case=self.instance, label=self.label, horizon=horizon)

    def regrets(self) -> list[FloatArray]:
        """Return the penalized regret of each replicate, (R,) for each horizon."""
        return [regret_of(outcome) for outcome in self.outcomes]

    def pulls(self, arm: int) -> list[FloatArray]:
        """Return N_k(T) of an arm (from 0), (R,) for each horizon."""
        return [outcome.pulls[:, arm].astype(np.float64) for outcome in self.outcomes]

    def deficits(self, arms: BoolArray) -> list[FloatArray]:
        """Return the sum over arms of (tau_k T - N_k)_+, (R,) for each horizon."""
        return [deficits_of(outcome)[:, arms].sum(axis=1) for outcome in self.outcomes]

    def beside(
        self, bounds: Iterable[float], values: Iterable[Any], kept: ArrayLike = True
    ) -> dict[int, tuple[Any, float]]:
        """Return the data of `BelowBound`: values (R,) and bound at each horizon, or those kept."""
        each = zip(self.horizons, values, bounds, np.broadcast_to(kept, len(self)), strict=True)
        return {t: (x, float(bound)) for t, x, bound, keep in each if keep}

    def since(self, first: int = SETTLED) -> Self:
        """Return the series from a horizon on, which may be empty."""
        late = tuple(outcome for outcome in self.outcomes if outcome.horizon >= first)
        return replace(self, outcomes=late)

    def settled(self, first: int = SETTLED) -> Self:
        """Return the series from a horizon on; raise NotMeasuredError if there is none."""
        if self.last.horizon < first:
            raise NotMeasuredError(f"no horizon from {first} on")
        return self.since(first)


def by_instance(outcomes: Iterable[Outcome]) -> list[HorizonSeries]:
    """Return the outcomes of a policy as a series for each bandit."""
    runs = grouped(outcomes, lambda outcome: outcome.info.instance)
    ordered = (sorted(own, key=lambda outcome: outcome.horizon) for own in runs.values())
    return [HorizonSeries(own[0].info.instance, own[0].info.label, tuple(own)) for own in ordered]
