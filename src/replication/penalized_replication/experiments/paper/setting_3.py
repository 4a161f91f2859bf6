"""Setting 3 (Figure 3): reward against unfairness on movie ratings."""

from collections.abc import Iterator
from dataclasses import replace

from penalized_replication.experiments.base import Case, Context, declare, tradeoff_runs
from penalized_replication.experiments.keys import Thresholds, Total, TradeoffSection
from penalized_replication.experiments.movies import movie_bandit


class Setting3(TradeoffSection):
    fairness: Total
    m0: Thresholds


@declare("log_of", "movielens_rewards", "lfg", figure_shows_claims=True)
def setting_3(section: Setting3, context: Context) -> Iterator[Case]:
    """Reward against unfairness on movie ratings."""
    for m0 in section.m0:
        bandit = movie_bandit(context, m0, section.fairness)
        runs = tradeoff_runs(section, context, bandit.means.size, section.fairness)
        yield replace(bandit, runs=runs)
