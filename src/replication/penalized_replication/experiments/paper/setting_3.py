"""Setting 3 (Figure 3): reward against unfairness on movie ratings."""

from collections.abc import Iterator
from dataclasses import replace

from penalized_replication.experiments import base, keys
from penalized_replication.experiments.movies import movie_bandit


class Setting3(keys.TradeoffSection):
    fairness: keys.Total
    m0: keys.Thresholds


@base.declare("log_of", "movielens_rewards", "lfg", figure_shows_claims=True)
def setting_3(section: Setting3, context: base.Context) -> Iterator[base.Case]:
    """Reward against unfairness on movie ratings."""
    for m0 in section.m0:
        bandit = movie_bandit(context, m0, section.fairness)
        runs = base.tradeoff_runs(section, context, bandit.means.size, section.fairness)
        yield replace(bandit, runs=runs)
