"""Setting 2 (Figure 2): unfairness of each arm along the scale eta."""

from collections.abc import Iterator
from itertools import product

from penalized_replication.common.section import Section
from penalized_replication.experiments import base, keys


class Setting2(Section):
    replicates: keys.Replicates
    policies: keys.PathPolicies
    horizon: keys.Horizon
    """Horizon T, in Settings 2 and 4 at least the number of arms."""
    scale_points: keys.GridSize
    """Number of values of η from 0 to 1 (R6, R7)."""
    cases: keys.Named[keys.FairCase]

    def _check(self) -> None:
        keys.a_pull_each(self.horizon, self.cases)


@base.declare("log_of", "lfg")
def setting_2(section: Setting2, context: base.Context) -> Iterator[base.Case]:
    """Path of each arm's unfairness along the scale η."""
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
