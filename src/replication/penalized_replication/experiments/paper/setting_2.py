"""Setting 2 (Figure 2): unfairness of each arm along the scale eta."""

from collections.abc import Iterator
from itertools import product
from typing import Annotated

from pydantic import Field

from penalized_replication.common.section import Section
from penalized_replication.experiments import base, keys


class PathCase(keys.FairCase):
    """One row of Figure 2."""

    means: Annotated[list[keys.Mean], Field(min_length=1)]
    """Mean rewards of the arms."""
    fairness: Annotated[list[keys.Fraction], Field(min_length=1)]


class Setting2(Section):
    replicates: keys.Replicates
    policies: keys.PathPolicies
    horizon: keys.Horizon
    """Horizon T, in Settings 2 and 4 at least the number of arms."""
    scale_points: keys.GridSize
    """Number of values of η from 0 to 1 (R6, R7)."""
    cases: keys.Named[PathCase]

    def _check(self) -> None:
        keys.a_pull_each(self.horizon, self.cases)


@base.declare("log_of", "lfg", figure="Path of each arm's unfairness along the scale η")
def setting_2(section: Setting2, context: base.Context) -> Iterator[base.Case]:
    """Path of each arm's unfairness along the scale."""
    horizon, points = section.horizon, section.scale_points
    for name, given in section.cases.items():
        runs: list[base.PolicyRun] = []
        for policy, i in product(section.policies, range(points)):
            rule, eta = base.rule_of(policy, context.interpretations), i / (points - 1)
            path = rule.tuning and rule.tuning.path
            tuning = path and path(eta, given.fairness[0] * horizon, horizon)
            shown = eta if tuning is None else None
            runs.append(base.PolicyRun(policy, rule, (horizon,), tuning, eta, eta, shown))
        yield base.fixed_bandit(name, given, runs=tuple(runs))
