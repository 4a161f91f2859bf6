"""Penalized regret of every policy under Setting 5's reward laws and on MovieLens."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import product

from penalized_bandits.experiments.base import (
    Case,
    Context,
    Experiment,
    half_spread,
)
from penalized_bandits.experiments.cells import RewardLaws, drawn_cell
from penalized_bandits.experiments.extended.budget import Budget, budgeted_runs
from penalized_bandits.experiments.keys import (
    ArmNumbers,
    Fractions,
    RegretSection,
    Thresholds,
    format_for_id,
)
from penalized_bandits.experiments.movies import movie_bandit


class ExtendedRegret(RegretSection):
    """Section ``extended_regret`` of the config."""

    arms: ArmNumbers
    fairness: Fractions
    """Totals tau: each arm has tau_k = tau / K."""
    rewards: RewardLaws
    m0: Thresholds
    """Thresholds of ratings: movies with more than m0 ratings are arms too."""
    tuning_values: Budget
    """Values of each policy's one tuned number, at the last horizon."""


def _bandits(section: ExtendedRegret, context: Context) -> Iterator[Case]:
    """Yield each bandit, without runs."""
    for n_arms, tau, law in product(section.arms, section.fairness, section.rewards):
        yield drawn_cell(context, "setting_5", n_arms, tau, law)
    for m0, tau in product(section.m0, section.fairness):
        bandit = movie_bandit(context, m0, tau)
        name = f"{bandit.id}_tau{format_for_id(tau)}"
        yield replace(bandit, id=name, label=f"{bandit.label}, τ = {tau:g}")


def _cases(section: ExtendedRegret, context: Context) -> list[Case]:
    cases = []
    for case in _bandits(section, context):
        runs = budgeted_runs(
            section.policies,
            section.horizons,
            context,
            half_spread(case.means),
            float(case.fairness[0]) * section.horizons[-1],
            section.tuning_values,
        )
        cases.append(replace(case, runs=runs))
    return cases


EXPERIMENT = Experiment(
    id="extended_regret",
    title="Penalized regret of every policy under three reward laws and on MovieLens",
    section=ExtendedRegret,
    cases=_cases,
    readings=("log_of", "means", "movielens_rewards", "lfg"),
    needs_ratings=True,
)
