"""Means that change, floors of every period: dynamic penalized regret as T grows, changes fixed.

Arm 1 of five has the mean .5, the others .2; in every other segment one of these has .8.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from penalized_bandits import half_life
from penalized_bandits.bandit.changing import Changing
from penalized_bandits.bandit.instances import Instance
from penalized_bandits.bandit.rewards import Bernoulli
from penalized_bandits.common.typing import FloatArray
from penalized_replication.experiments import base
from penalized_replication.experiments.base import Case, Context, PolicyRun
from penalized_replication.experiments.keys import RegretSection
from penalized_research.rivals import RIVALS

if TYPE_CHECKING:
    from penalized_replication.storage.replicates import Outcome

PERIOD, CHANGES = 1000, 8
MEANS = np.array([0.5, 0.2, 0.2, 0.2, 0.2])
HIGH, SHARE, RATE = 0.8, 0.1, 1.0


def means_of(horizon: int) -> FloatArray:
    """Return the means of each period, shape (T/P, K); segments are whole periods."""
    periods = horizon // PERIOD
    segments = np.arange(periods) * (CHANGES + 1) // periods
    means = np.tile(MEANS, (periods, 1))
    for p in np.flatnonzero(segments % 2):
        means[p, 1 + segments[p] // 2] = HIGH
    return means


@dataclass(frozen=True, eq=False)
class ChangingCase(Case):
    """A case whose outcomes have an arm for each arm of each period, with its gap there.

    Their penalized regret is the dynamic one, as means are constant in periods.
    """

    def bandit(self, instance: Instance) -> Changing:
        """Return the bandit whose means change."""
        each = means_of(self.horizon or 0)
        first = np.flatnonzero((each[1:] != each[:-1]).any(axis=1)) + 1
        return Changing(instance, {int(p) * PERIOD + 1: each[p] for p in first}, PERIOD)

    def seen(self, outcomes: Iterable["Outcome"]) -> Iterator["Outcome"]:
        """Yield the outcome at the horizon, with the arms of all periods."""
        ends = [outcome for outcome in outcomes if outcome.horizon % PERIOD == 0]
        counts, n, last = np.stack([end.pulls for end in ends], axis=1), len(ends), ends[-1]
        each = means_of(n * PERIOD)
        gaps = (each.max(axis=1, keepdims=True) - each).ravel()
        fields = {x: np.tile(getattr(last, x), (1, n)) for x in ("max_deficit", "penalties")}
        fields["means"] = np.tile(1 - gaps, (len(counts), 1))
        fields["pulls"] = np.diff(counts, axis=1, prepend=0).reshape(len(counts), -1)
        info, fairness = replace(last.info, n_arms=gaps.size), np.tile(last.fairness / n, n)
        yield replace(last, info=info, fairness=fairness, **fields)


def runs_of(policies: list[str], horizon: int, context: Context) -> Iterator[PolicyRun]:
    """Yield the runs of policies, a tuning being a half-life, and of rivals at each window."""
    life = half_life(SHARE, HIGH - MEANS[0], horizon, horizon / (CHANGES + 1))
    rules = [base.rule_of(policy, context.interpretations) for policy in policies]
    tunings = {rule: (life if rule.tuning else None,) for rule in rules} | RIVALS
    for rule, tuning in ((rule, x) for rule, several in tunings.items() for x in several):
        yield PolicyRun(rule.id, rule, (horizon,), tuning, penalties=RATE)


@base.declare("log_of")
def renewed_floors(section: RegretSection, context: Context) -> Iterator[Case]:
    """Dynamic penalized regret where means change."""
    bandit = ChangingCase("wide", MEANS, np.full(MEANS.size, SHARE), Bernoulli(), instance="wide")
    for t in section.horizons:
        runs = tuple(runs_of(section.policies, t, context))
        yield replace(bandit, id=base.case_of("wide", t), horizon=t, runs=runs)
