"""The sharp constants: bandits of many kinds, each horizon on random numbers of its own.

One file for several experiments: they share their bandits and differ in policies, horizons and
replicates, as a pull of one policy costs a hundred times that of another.  In one of them rewards
are ratings, beside the least for all laws on [0, 1].
"""

from collections.abc import Iterator
from dataclasses import replace
from itertools import chain, product
from typing import Annotated, Generic, Literal, TypeVar

import numpy as np
from pydantic import AfterValidator, Field

from penalized_bandits.bandit.rewards import FAMILIES, Categorical, Gaussian
from penalized_bandits.common.typing import FloatArray
from penalized_replication.common.section import Section
from penalized_replication.experiments import base, keys
from penalized_replication.experiments.base import Case, Context, declare
from penalized_replication.experiments.movies import movies_with_rates
from penalized_research.experiments.long_runs import LongCase


class SharpInstance(LongCase):
    copies: list[Annotated[int, Field(ge=1, le=1000)]] | None = None
    """Number of arms with the values at each place of the lists; by default 1."""
    sd: Annotated[float, Field(gt=0, le=100)] | None = None
    """Standard deviation of Gaussian rewards."""
    rewards: Literal["bernoulli", "beta"] = "bernoulli"
    """Reward law without `sd`, by default `bernoulli`."""

    def arms(self, values: list[float]) -> FloatArray:
        """Return a list with each place as often as it has copies, shape (K,)."""
        return np.repeat(values, 1 if self.copies is None else self.copies)

    def bandit(self, name: str) -> tuple[Case, FloatArray]:
        """Return the case without runs, and its penalty rates."""
        means, fairness, rates = map(self.arms, (self.means, self.fairness, self.penalties))
        law = FAMILIES[self.rewards]() if self.sd is None else Gaussian(self.sd)
        return Case(name, means, fairness, law), rates

    def _check(self) -> None:
        super()._check()
        keys.feasible(self.means, copies=self.copies)
        keys.feasible(self.arms(self.means).tolist(), fairness=self.arms(self.fairness).tolist())


class RatedBandit(Section):
    ratings: Annotated[
        list[Annotated[list[Annotated[int, Field(ge=0)]], Field(min_length=2)]],
        Field(min_length=2),
    ]
    """Counts of each arm's ratings, from the lowest, worth 0, to the highest, worth 1."""
    fairness: list[keys.Fraction]
    """Fairness fractions τ_k of the arms, with a sum below 1."""
    penalties: list[keys.Rate]
    """Penalty rates A_k of the arms."""

    def _check(self) -> None:
        if len({len(counts) for counts in self.ratings}) > 1 or not all(map(any, self.ratings)):
            raise ValueError("ratings: each arm must have as many counts, one of them above 0")
        arms = [0.0] * len(self.ratings)
        keys.feasible(arms, fairness=self.fairness, penalties=self.penalties)

    def bandit(self, name: str) -> tuple[Case, FloatArray]:
        """Return the case without runs, and its penalty rates."""
        counts = np.array(self.ratings, dtype=np.float64)
        worth = np.linspace(0.0, 1.0, counts.shape[1])
        law = Categorical(worth, counts / counts.sum(axis=1, keepdims=True))
        return Case(name, law.means, np.array(self.fairness), law), np.array(self.penalties)


_Instance = TypeVar("_Instance", SharpInstance, RatedBandit)


class _Bandits(keys.RegretSection, Generic[_Instance]):
    instances: dict[keys.CaseName, _Instance]
    """Bandits by name."""
    m0: Annotated[list[keys.Threshold], AfterValidator(keys.distinct)] = Field(default=[])
    """Thresholds of ratings: movies as arms, A half the spread of their means."""
    fairness: keys.Total = 0.5
    """Total τ of the movies' fairness fractions, by default 0.5."""
    checkpoints: Annotated[list[keys.Horizon], AfterValidator(keys.increasing)] = Field(default=[])
    """Rounds, increasing, at which runs to a later horizon are recorded too."""


@declare("log_of", "movielens_rewards")
def sharp(section: _Bandits[SharpInstance], context: Context) -> Iterator[Case]:
    """Pulls and regret over log T on bandits of many kinds."""
    named = (given.bandit(name) for name, given in section.instances.items())
    bandits = chain(named, movies_with_rates(section, context))
    for (bandit, rates), horizon in product(bandits, section.horizons):
        seen = [t for t in section.checkpoints if t < horizon]
        yield base.at_horizon(bandit, horizon, section.policies, context, rates, seen)


RATED = "Pulls and regret over log T where rewards are ratings"
WHAT = {
    "sharp_short": "up to T = 10⁶",
    "sharp_long": "T = 10⁷",
    "sharp_kl": "a policy whose pulls are dear",
    "sharp_longest": "T = 10⁸",
    "narrow_radius": "a radius that is too narrow for the noise",
    "sharp_longest_kl": "a policy whose pulls are dear, the longest horizons",
}
EXPERIMENTS = (
    *(replace(sharp, id=name, title=f"{sharp.title}: {what}") for name, what in WHAT.items()),
    replace(sharp, id="sharp_ratings", title=RATED, section=_Bandits[RatedBandit]),
)
"""By the ids of their sections."""
