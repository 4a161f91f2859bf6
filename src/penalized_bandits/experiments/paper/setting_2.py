"""Setting 2 (Figure 2): unfairness of each arm along the scale eta."""

from typing import Annotated, Self

import numpy as np
from pydantic import AfterValidator, Field, model_validator

from penalized_bandits.bandit.rewards import Gaussian
from penalized_bandits.common.section import Section
from penalized_bandits.experiments.base import Case, Context, Experiment, Run, rule_of
from penalized_bandits.experiments.keys import (
    CaseName,
    FairCase,
    Fraction,
    GridSize,
    Horizon,
    Mean,
    PolicyList,
    Replicates,
    a_pull_each,
    tuned_by,
)


class PathCase(FairCase):
    """One row of Figure 2."""

    means: Annotated[list[Mean], Field(min_length=1)]
    fairness: Annotated[list[Fraction], Field(min_length=1)]


class Setting2(Section):
    """Section ``setting_2`` of the config."""

    replicates: Replicates
    policies: Annotated[PolicyList, AfterValidator(tuned_by("path"))]
    horizon: Horizon
    scale_points: GridSize
    """Values of eta from 0 to 1; eta = 1 is fairest (reading R6)."""
    cases: Annotated[dict[CaseName, PathCase], Field(min_length=1)]

    @model_validator(mode="after")
    def _predictable(self) -> Self:
        a_pull_each(self.horizon, self.cases)
        return self


def _runs(section: Setting2, level: float, context: Context) -> tuple[Run, ...]:
    runs: list[Run] = []
    for policy in section.policies:
        rule = rule_of(policy, context.readings)
        for i in range(section.scale_points):
            eta = i / (section.scale_points - 1)
            tuning = None
            if rule.tuning is not None:
                assert rule.tuning.path is not None  # noqa: S101  (checked in the config)
                tuning = rule.tuning.path(eta, level, section.horizon)
            runs.append(
                Run(
                    policy,
                    rule,
                    (section.horizon,),
                    tuning,
                    scale=eta,
                    penalties=eta,
                    tuning_shown=eta if tuning is None else tuning,
                )
            )
    return tuple(runs)


def _cases(section: Setting2, context: Context) -> list[Case]:
    cases = []
    for name, given in section.cases.items():
        means, fairness = np.array(given.means), np.array(given.fairness)
        runs = _runs(section, fairness[0] * section.horizon, context)
        cases.append(Case(name, means, fairness, Gaussian(1 / len(means)), runs))
    return cases


EXPERIMENT = Experiment(
    id="setting_2",
    title="Path of each arm's unfairness along the scale",
    section=Setting2,
    cases=_cases,
    readings=("log_of", "lfg"),
)
