"""Ratings as rewards: pulls and regret over log T beside the least for all laws on [0, 1]."""

from collections.abc import Iterator
from itertools import product
from typing import Annotated

import numpy as np
from pydantic import AfterValidator, Field

from penalized_bandits.bandit.rewards import Categorical
from penalized_bandits.common.typing import FloatArray
from penalized_replication.common.section import Section
from penalized_replication.experiments import keys
from penalized_replication.experiments.base import Case, Context, at_horizon, declare, regret_runs
from penalized_replication.experiments.movies import movies_with_rates


class RatedBandit(Section):
    """A bandit whose rewards are ratings."""

    ratings: Annotated[
        list[Annotated[list[Annotated[int, Field(ge=0)]], Field(min_length=2)]],
        Field(min_length=2),
    ]
    """How often each arm was given each rating; the lowest is worth 0, the highest 1, all steps
    the same."""
    fairness: list[keys.Fraction]
    penalties: list[keys.Rate]

    def _check(self) -> None:
        if len({len(counts) for counts in self.ratings}) > 1 or not all(map(any, self.ratings)):
            raise ValueError("ratings: each arm must have as many counts, one of them above 0")
        arms = [0.0] * len(self.ratings)
        keys.as_many(arms, penalties=self.penalties)
        keys.feasible(arms, self.fairness)

    @property
    def law(self) -> Categorical:
        """The law of the rewards."""
        counts = np.array(self.ratings, dtype=np.float64)
        worth = np.linspace(0.0, 1.0, counts.shape[1])
        return Categorical(worth, counts / counts.sum(axis=1, keepdims=True))


class RatingsSection(keys.RegretSection):
    """The section ``sharp_ratings`` of the scenario ``sharp``."""

    instances: dict[keys.CaseName, RatedBandit]
    m0: Annotated[list[keys.Threshold], AfterValidator(keys.distinct)] = Field(default=[])
    """Thresholds of ratings: movies as arms, A_k half the spread of their means."""
    fairness: keys.Fraction = 0.5
    """Total tau of the movies."""


def _bandits(section: RatingsSection, context: Context) -> Iterator[tuple[Case, FloatArray]]:
    """Yield each bandit without runs, and its penalty rates."""
    for name, given in section.instances.items():
        case = Case(name, given.law.means, np.array(given.fairness), given.law)
        yield case, np.array(given.penalties)
    yield from movies_with_rates(section, context)


@declare(
    "sharp_ratings",
    title="Pulls and regret over log T where rewards are ratings",
    readings=("log_of", "movielens_rewards"),
    needs_ratings=True,
)
def sharp_ratings(section: RatingsSection, context: Context) -> Iterator[Case]:
    for (bandit, rates), horizon in product(_bandits(section, context), section.horizons):
        runs = regret_runs(section.policies, [horizon], context, rates)
        yield at_horizon(bandit, horizon, runs)
