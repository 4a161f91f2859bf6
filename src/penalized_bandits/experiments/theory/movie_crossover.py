"""Crossover on MovieLens: the comparison of ``crossover`` with movies for arms.

A study of its own, because it depends on readings and ratings that the other does not.
A_k = (max mu - min mu) / 2 as in Setting 1, tau_k = tau / K as in Setting 3.
"""

from collections.abc import Iterator
from dataclasses import replace

from penalized_bandits.experiments.base import Case, Context, declare, regret_runs
from penalized_bandits.experiments.keys import Fraction, LongRegretSection, Thresholds
from penalized_bandits.experiments.movies import movies_with_rates


class MovieCrossover(LongRegretSection):
    """Section ``movie_crossover`` of the config."""

    m0: Thresholds
    """Thresholds: movies with more than m0 ratings are the arms (reading R9)."""
    fairness: Fraction
    """Total tau: each of the K movies has tau_k = tau / K."""


@declare(
    "movie_crossover",
    title="Penalized regret up to long horizons on movie ratings",
    readings=("log_of", "movielens_rewards"),
    needs_ratings=True,
)
def movie_crossover(section: MovieCrossover, context: Context) -> Iterator[Case]:
    tuned = section.tuned_horizons
    for bandit, rates in movies_with_rates(section, context):
        identifier, label = f"movies_{bandit.id}", f"MovieLens, {bandit.label}"
        runs = regret_runs(section.policies, section.horizons, context, rates, tuned)
        yield replace(bandit, id=identifier, label=label, runs=runs)
