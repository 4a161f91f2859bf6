"""Setting 4 (Figure 4): pulls of an arm against its inverse squared gap."""

from collections.abc import Iterator
from typing import Literal

import numpy as np

from penalized_bandits.bandit.rewards import Bernoulli, Gaussian
from penalized_replication.common.section import Section
from penalized_replication.experiments import base, keys


class GapCase(keys.NamedCase):
    """One panel of Figure 4."""

    means: keys.Means
    penalty: keys.Rate
    """Penalty rate A of every arm; in `crossover` by default half the range of the means."""
    group: Literal["noncritical", "critical"]
    """Group of the arms whose pulls are shown, `noncritical` or `critical`."""


class Setting4(Section):
    replicates: keys.Replicates
    policies: keys.UntunedPolicies
    horizon: keys.Horizon
    """Horizon T, in Settings 2 and 4 at least the number of arms."""
    fairness: keys.Fraction
    """Fairness fraction τ_k of every arm."""
    cases: keys.Named[GapCase]

    def _check(self) -> None:
        for given in self.cases.values():
            keys.feasible(given.means, fairness=[self.fairness] * len(given.means))
        keys.a_pull_each(self.horizon, self.cases)


@base.declare("log_of", "setting_4_rewards", figure_shows_claims=True)
def setting_4(section: Setting4, context: base.Context) -> Iterator[base.Case]:
    """Pulls against the inverse squared gap."""
    gaussian = context.interpretations.setting_4_rewards == "gaussian"
    for name, given in section.cases.items():
        means = np.array(given.means)
        fairness = np.full(means.size, section.fairness)
        law = Gaussian(1 / means.size) if gaussian else Bernoulli()
        runs = base.rate_runs(section.policies, [section.horizon], context, [given.penalty])
        yield base.Case(name, means, fairness, law, runs, label=given.label, group=given.group)
