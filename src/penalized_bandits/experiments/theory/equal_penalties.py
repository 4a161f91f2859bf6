"""Equal penalty rates: which arms a common A keeps fair (section 5, "Practical choice").

The penalty rate runs over the midpoints between neighbouring gaps, below the smallest
and above the largest: one value for each number of arms that can be kept fair.
"""

from typing import Annotated, Self

import numpy as np
from pydantic import AfterValidator, Field, model_validator

from penalized_bandits.bandit.rewards import Gaussian
from penalized_bandits.common.section import Section
from penalized_bandits.common.typing import FloatArray
from penalized_bandits.experiments.base import Case, Context, Experiment, Run, rule_of
from penalized_bandits.experiments.keys import (
    CaseName,
    FairCase,
    Horizons,
    Replicates,
    UntunedPolicies,
    a_pull_each,
)


def distinct_gaps(means: FloatArray) -> FloatArray:
    """Return the gaps that differ by more than rounding, ascending from 0."""
    # Not np.unique, for which numpy imports its masked arrays, in every job.
    return np.array(sorted(set(np.round(means.max() - means, 12).tolist())))


def _has_gaps(case: FairCase) -> FairCase:
    if distinct_gaps(np.array(case.means)).size < 2:
        raise ValueError("all means are the same: there is no gap to put a penalty rate between")
    return case


class EqualPenalties(Section):
    """Section ``equal_penalties`` of the config."""

    replicates: Replicates
    policies: UntunedPolicies
    horizons: Horizons
    cases: Annotated[
        dict[CaseName, Annotated[FairCase, AfterValidator(_has_gaps)]], Field(min_length=1)
    ]

    @model_validator(mode="after")
    def _predictable(self) -> Self:
        a_pull_each(self.horizons[0], self.cases)
        return self


def penalty_grid(means: FloatArray) -> FloatArray:
    """Return the midpoints between neighbouring distinct gaps, and one A beyond the largest."""
    gaps = distinct_gaps(means)
    return np.append((gaps[:-1] + gaps[1:]) / 2, gaps[-1] + (gaps[-1] - gaps[-2]) / 2)


def _cases(section: EqualPenalties, context: Context) -> list[Case]:
    cases = []
    for name, given in section.cases.items():
        means = np.array(given.means)
        runs = tuple(
            Run(
                policy,
                rule_of(policy, context.readings),
                tuple(section.horizons),
                penalties=float(penalty),
                tuning_shown=float(penalty),
            )
            for policy in section.policies
            for penalty in penalty_grid(means)
        )
        rewards = Gaussian(1 / means.size)
        cases.append(Case(name, means, np.array(given.fairness), rewards, runs))
    return cases


EXPERIMENT = Experiment(
    id="equal_penalties",
    title="Which arms a common penalty rate keeps fair",
    section=EqualPenalties,
    cases=_cases,
    readings=("log_of",),
)
