"""LFG's unfairness as the horizon grows, at tuning parameters that stay the same (section 3)."""

from typing import Annotated

import numpy as np
from pydantic import Field

from penalized_bandits.bandit.rewards import Gaussian
from penalized_bandits.common.section import Section
from penalized_bandits.experiments.base import Case, Context, Experiment, Run, half_spread, rule_of
from penalized_bandits.experiments.keys import CaseName, FairCase, Horizons, Rates, Replicates
from penalized_bandits.policies import PAPER_POLICY


class LfgFairness(Section):
    """Section ``lfg_fairness`` of the config."""

    replicates: Replicates
    horizons: Horizons
    eta_0: Rates
    """LFG's tuning parameters."""
    cases: Annotated[dict[CaseName, FairCase], Field(min_length=1)]

    @property
    def policies(self) -> list[str]:
        """All policies that take part."""
        return ["lfg", PAPER_POLICY]


def _cases(section: LfgFairness, context: Context) -> list[Case]:
    cases = []
    horizons = tuple(section.horizons)
    for name, given in section.cases.items():
        means = np.array(given.means)
        lfg = rule_of("lfg", context.readings)
        # Beside it the hard threshold, at a penalty rate above every gap.
        penalties = 2 * half_spread(means) + 0.1
        hard = rule_of(PAPER_POLICY, context.readings)
        runs = (
            *(
                Run("lfg", lfg, horizons, e, penalties=penalties, tuning_shown=e)
                for e in section.eta_0
            ),
            Run(PAPER_POLICY, hard, horizons, penalties=penalties),
        )
        rewards = Gaussian(1 / means.size)
        cases.append(Case(name, means, np.array(given.fairness), rewards, runs))
    return cases


EXPERIMENT = Experiment(
    id="lfg_fairness",
    title="LFG's unfairness as the horizon grows",
    section=LfgFairness,
    cases=_cases,
    readings=("log_of", "lfg"),
)
