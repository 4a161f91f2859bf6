"""Many movies: MovieLens arms by the hundred."""

from collections.abc import Iterator
from dataclasses import replace

from penalized_bandits.experiments.base import Case, Context, declare, regret_runs
from penalized_bandits.experiments.keys import MoviesSection
from penalized_bandits.experiments.movies import movies_with_rates


@declare(
    "many_arms",
    title="Penalized regret with many movies for arms",
    readings=("log_of", "movielens_rewards", "lfg"),
    needs_ratings=True,
    compared=True,
)
def many_arms(section: MoviesSection, context: Context) -> Iterator[Case]:
    for bandit, rates in movies_with_rates(section, context):
        runs = regret_runs(section.policies, section.horizons, context, rates)
        yield replace(bandit, runs=runs)
