"""Crossover: where the hard threshold overtakes UCB1, the soft threshold and ETC.

The bandits of Settings 1, 2 and 4, followed to far longer horizons than the paper's; where
the paper varies A, A_k = (max mu - min mu) / 2 as in Setting 1.  All policies meet the same
rewards, so differences are paired.  Explore-then-commit is tuned to each horizon, which is
an advantage that no other policy here has.
"""

from dataclasses import replace
from itertools import product
from typing import Self

import numpy as np
from pydantic import model_validator

from penalized_bandits.bandit.rewards import Gaussian
from penalized_bandits.common.typing import FloatArray
from penalized_bandits.experiments.base import (
    Case,
    Context,
    Experiment,
    Run,
    half_spread,
    regret_runs,
)
from penalized_bandits.experiments.cells import cell_id, drawn_cell
from penalized_bandits.experiments.keys import (
    ArmNumbers,
    CaseName,
    FairCase,
    Fractions,
    LongRegretSection,
    NamedCase,
    Rate,
)


class CrossoverCase(FairCase, NamedCase):
    """A bandit with fixed means."""

    penalty: Rate | None = None
    """Penalty rate A of every arm; half the range of the means by default."""
    group: CaseName | None = None
    """Of each group the decomposition of regret shows one case."""


class Crossover(LongRegretSection):
    """Section ``crossover`` of the config."""

    arms: ArmNumbers
    fairness: Fractions
    """Totals tau of the cells of Setting 1: each arm has tau_k = tau / K."""
    cases: dict[CaseName, CrossoverCase]
    """Bandits with fixed means, Gaussian rewards of variance 1/K^2."""

    @model_validator(mode="after")
    def _no_name_of_a_cell(self) -> Self:
        cells = {cell_id(n_arms, tau) for n_arms in self.arms for tau in self.fairness}
        for name in self.cases:
            if name in cells:
                raise ValueError(f"cases.{name} has the name of a cell of the grid: rename it")
        return self


def _runs(section: Crossover, context: Context, penalties: FloatArray) -> tuple[Run, ...]:
    return regret_runs(
        section.policies, section.horizons, context, penalties, section.tuned_horizons
    )


def _cases(section: Crossover, context: Context) -> list[Case]:
    cases = []
    for n_arms, tau in product(section.arms, section.fairness):
        cell = drawn_cell(context, "crossover", n_arms, tau)
        cases.append(replace(cell, runs=_runs(section, context, half_spread(cell.means))))
    for name, given in section.cases.items():
        means = np.array(given.means)
        penalties = (
            half_spread(means) if given.penalty is None else np.full(means.size, given.penalty)
        )
        runs = _runs(section, context, penalties)
        rewards = Gaussian(1 / means.size)
        cases.append(
            Case(
                name,
                means,
                np.array(given.fairness),
                rewards,
                runs,
                label=given.label,
                group=given.group,
            )
        )
    return cases


EXPERIMENT = Experiment(
    id="crossover",
    title="Penalized regret up to long horizons",
    section=Crossover,
    cases=_cases,
    readings=("log_of", "means"),
)
