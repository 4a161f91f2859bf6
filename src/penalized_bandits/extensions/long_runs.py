"""The policies that might be better, at long horizons: which keep the log T law."""

import numpy as np
from pydantic import model_validator

from penalized_bandits.extensions.base import RegretSection
from penalized_bandits.rewards import Bernoulli, Gaussian
from penalized_bandits.settings.base import (
    ArmNumbers,
    Case,
    CaseName,
    Context,
    FairCase,
    Rates,
    Setting,
    regret_runs,
)
from penalized_bandits.settings.movies import movie_rewards


class LongCase(FairCase):
    """A bandit with fixed means and penalty rates, met with Bernoulli and Gaussian rewards."""

    penalties: Rates

    @model_validator(mode="after")
    def _a_rate_for_each_arm(self) -> "LongCase":
        if len(self.penalties) != len(self.means):
            raise ValueError(f"{len(self.means)} means but {len(self.penalties)} penalty rates")
        return self


class LongRuns(RegretSection):
    """Section ``long_runs`` of the config."""

    cases: dict[CaseName, LongCase]
    m0: ArmNumbers
    """Thresholds of ratings: movies as arms, A_k half the spread of their means."""
    fairness: float
    """Total tau of the movies."""


def _cases(section: LongRuns, group: str, context: Context) -> list[Case]:
    if group.startswith("m0_"):
        rewards = movie_rewards(context, int(group.removeprefix("m0_")))
        n_arms = len(rewards.means)
        spread = np.full(n_arms, np.ptp(rewards.means) / 2)
        runs = regret_runs(section.policies, section.horizons, context, spread)
        fairness = np.full(n_arms, section.fairness / n_arms)
        return [Case(group, rewards.means, fairness, rewards, runs)]
    given = section.cases[group]
    means, penalties = np.array(given.means), np.array(given.penalties)
    runs = regret_runs(section.policies, section.horizons, context, penalties)
    families = {"gaussian": Gaussian(1 / means.size), "bernoulli": Bernoulli()}
    return [
        Case(f"{group}_{name}", means, np.array(given.fairness), family, runs)
        for name, family in families.items()
    ]


EXTENSION = Setting(
    id="long_runs",
    title="Penalized regret of policies with a threshold up to long horizons",
    section=LongRuns,
    groups=lambda section: [*section.cases, *(f"m0_{m0}" for m0 in section.m0)],
    cases=_cases,
    readings=("log_of", "movielens_rewards", "lfg"),
    needs_ratings=True,
)
