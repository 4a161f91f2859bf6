"""Setting 4 (Figure 4): pulls of an arm against its inverse squared gap."""

from typing import Annotated, Self

import numpy as np
from pydantic import AfterValidator, Field, model_validator

from penalized_bandits.bandit.rewards import Bernoulli, Gaussian
from penalized_bandits.common.section import Section
from penalized_bandits.experiments.base import Case, Context, Experiment, Run, rule_of
from penalized_bandits.experiments.keys import (
    CaseName,
    Fraction,
    Horizon,
    Mean,
    NamedCase,
    Rate,
    Replicates,
    UntunedPolicies,
    a_pull_each,
    feasible,
)


class GapCase(NamedCase):
    """One panel of Figure 4."""

    means: Annotated[list[Mean], Field(min_length=2)]
    penalty: Rate
    """Penalty rate A of every arm."""


def row_of(name: str) -> str:
    """Return the row of Figure 4 that a case is in: its name's first word."""
    return name.partition("_")[0]


def _row_in_name(cases: dict[str, GapCase]) -> dict[str, GapCase]:
    for name in cases:
        if not name.startswith(("noncritical_", "critical_")):
            raise ValueError(
                f"case {name!r} must be named noncritical_… (upper row of Figure 4) or critical_…"
            )
    return cases


class Setting4(Section):
    """Section ``setting_4`` of the config."""

    replicates: Replicates
    policies: UntunedPolicies
    horizon: Horizon
    fairness: Fraction
    """Fairness fraction tau_k of every arm."""
    cases: Annotated[dict[CaseName, GapCase], Field(min_length=1), AfterValidator(_row_in_name)]

    @model_validator(mode="after")
    def _feasible(self) -> Self:
        for given in self.cases.values():
            feasible(given.means, [self.fairness] * len(given.means))
        a_pull_each(self.horizon, self.cases)
        return self


def _cases(section: Setting4, context: Context) -> list[Case]:
    cases = []
    for name, given in section.cases.items():
        means = np.array(given.means)
        fairness = np.full(len(means), section.fairness)
        gaussian = context.readings.setting_4_rewards == "gaussian"
        runs = tuple(
            Run(
                policy,
                rule_of(policy, context.readings),
                (section.horizon,),
                penalties=given.penalty,
                tuning_shown=given.penalty,
            )
            for policy in section.policies
        )
        rewards = Gaussian(1 / len(means)) if gaussian else Bernoulli()
        cases.append(
            Case(name, means, fairness, rewards, runs, label=given.label, group=row_of(name))
        )
    return cases


EXPERIMENT = Experiment(
    id="setting_4",
    title="Pulls against the inverse squared gap",
    section=Setting4,
    cases=_cases,
    readings=("log_of", "setting_4_rewards"),
)
