"""Penalized regret of every policy: as published, and with the same tuning budget for each.

The budget is the published value and a number of others. A policy with a parameter of its own has
half of them for that and half for its exploration constant, one with either alone has all of them
for it. All values are simulated on all replicates; claim E03 chooses on one half of them.
"""

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import product
from typing import Annotated

from pydantic import Field

from penalized_bandits.policies import Policy
from penalized_replication.experiments import base, keys
from penalized_replication.experiments.base import Case, Context, PolicyRun, declare
from penalized_replication.experiments.movies import movie_bandit

Budget = Annotated[int, Field(ge=1, le=100)]
"""Number of values of the tuned parameter of each policy."""
STEP = 4.0
"""Factor between neighbouring values of a policy's own parameter."""
SMALLEST = 4.0**-7
"""Least factor on the exploration constant that is tried, but for 0: no exploration at all."""


def own_values(rule: Policy, points: int, n_arms: int, level: float, horizon: int) -> list[float]:
    """Return ``points`` values of a policy's own parameter, the published one not among them."""
    published = rule.published_tuning(n_arms, horizon)
    if published is None:
        return []
    if rule.tuning is not None and rule.tuning.tradeoff is not None:
        # Its range but for the lower end, and but for what is nearest to the published value.
        grid = rule.tuning.tradeoff(points + 2, level, horizon)[1:]
        grid.remove(min(grid, key=lambda value: abs(value - published)))
        return grid
    below = points // 2
    exponents = [*range(-below, 0), *range(1, points - below + 1)]
    values = [published * STEP**exponent for exponent in exponents]
    if not rule.commits:
        return values
    # Whole pulls of each arm, and not more than there are rounds.
    most = max(horizon // n_arms, 1)
    whole = dict.fromkeys(float(min(max(round(v), 1), most)) for v in values)
    return [value for value in whole if value != published]


def scales(points: int) -> list[float]:
    """Return ``points`` factors on an exploration constant, evenly spaced on a log scale, then 0.

    So the grid ends where a policy is greedy: there is nothing beyond to be tried.
    """
    return [*(SMALLEST ** (i / (points - 1)) for i in range(1, points)), 0.0]


@cache
def scaled(rule: Policy, factor: float) -> Policy:
    """Return a policy with its exploration constant times a factor, the same one each time."""
    return replace(rule, exploration=lambda noise: rule.exploration_for(noise) * factor)


class Extended1(keys.GridSection):
    tuning_values: Budget
    """Number of values that each policy is tuned over, at the last horizon."""


class ExtendedRegret(Extended1):
    rewards: keys.Values[keys.RewardLaw]
    """Reward laws: `gaussian`, `beta`, `bernoulli`."""
    m0: keys.Thresholds


def with_budgeted_runs(bandit: Case, section: Extended1, context: Context) -> Case:
    """Return a bandit with each policy's runs: as published at all horizons, tuned at the last.

    Penalty rates are those of Setting 1, and all arms have one fairness level.  ``scale`` is 1 for
    a published run; for a tuned one it is the factor on its exploration constant, or missing where
    its own parameter is tuned.
    """
    runs: list[PolicyRun] = []
    rates, n_arms = base.half_spread(bandit.means), bandit.fairness.size
    horizon, points = section.horizons[-1], section.tuning_values
    level = float(bandit.fairness[0]) * horizon
    for policy in section.policies:
        published = base.regret_runs([policy], section.horizons, context, rates)
        runs += [replace(run, scale=1.0) for run in published]
        rule = base.rule_of(policy, context.interpretations)
        explores = rule.exploration_for(1.0) > 0
        own = 0 if rule.tuning is None else points // 2 if explores else points
        values = own_values(rule, own, n_arms, level, horizon)
        runs += [PolicyRun(policy, rule, (horizon,), v, penalties=rates) for v in values]
        last = published[-1]
        for factor in scales(points - own) if explores else ():
            other = scaled(rule, factor)
            runs.append(replace(last, rule=other, checkpoints=(horizon,), scale=factor))
    return replace(bandit, runs=tuple(runs))


@declare("log_of", "means", "lfg", compared=True)
def extended_1(section: Extended1, context: Context) -> Iterator[Case]:
    """Penalized regret of every policy in Setting 1."""
    for n_arms, tau in product(section.arms, section.fairness):
        cell = base.drawn_cell(context, "setting_1", n_arms, tau)
        yield with_budgeted_runs(cell, section, context)


@declare("log_of", "means", "movielens_rewards", "lfg", compared=True)
def extended_regret(section: ExtendedRegret, context: Context) -> Iterator[Case]:
    """Penalized regret of every policy under three reward laws and on MovieLens."""
    for n_arms, tau, law in product(section.arms, section.fairness, section.rewards):
        cell = base.drawn_cell(context, "setting_5", n_arms, tau, law)
        yield with_budgeted_runs(cell, section, context)
    for m0, tau in product(section.m0, section.fairness):
        bandit = movie_bandit(context, m0, tau)
        name = f"{bandit.id}_tau{keys.format_for_id(tau)}"
        bandit = replace(bandit, id=name, label=f"{bandit.label}, τ = {tau:g}")
        yield with_budgeted_runs(bandit, section, context)
