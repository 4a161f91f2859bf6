"""The MovieLens arms, for every experiment that plays them."""

from pathlib import Path

from penalized_bandits.rewards import Categorical
from penalized_bandits.settings.base import Context


def movie_rewards(context: Context, m0: int) -> Categorical:
    """Return the reward distributions of the movies with more than m0 ratings (R8, R9).

    Raises
    ------
    ValueError
        If the context has no table of rating counts.
    """
    if context.rating_counts is None:
        raise ValueError("MovieLens arms need the table of rating counts")
    # Reading a config must not pay for pandas.
    from penalized_bandits.datasets.counts import reward_distributions
    from penalized_bandits.datasets.counts_csv import read_counts_csv

    counts = read_counts_csv(Path(context.rating_counts))
    movies = reward_distributions(counts, m0, context.readings.movielens_rewards)
    return Categorical(movies.support, movies.probabilities)
