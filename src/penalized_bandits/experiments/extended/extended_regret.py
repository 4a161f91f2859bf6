"""Penalized regret of every policy under Setting 5's reward laws and on MovieLens."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import product

from penalized_bandits.experiments.base import Case, Context, Experiment
from penalized_bandits.experiments.cells import RewardLaws, drawn_cell
from penalized_bandits.experiments.extended.budget import Budget, with_budgeted_runs
from penalized_bandits.experiments.keys import GridSection, Thresholds, format_for_id
from penalized_bandits.experiments.movies import movie_bandit


class ExtendedRegret(GridSection):
    """Section ``extended_regret`` of the config."""

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


def _cases(section: ExtendedRegret, context: Context) -> Iterator[Case]:
    for bandit in _bandits(section, context):
        yield with_budgeted_runs(bandit, section, context, section.tuning_values)


EXPERIMENT = Experiment(
    id="extended_regret",
    title="Penalized regret of every policy under three reward laws and on MovieLens",
    section=ExtendedRegret,
    cases=_cases,
    readings=("log_of", "means", "movielens_rewards", "lfg"),
    needs_ratings=True,
)
