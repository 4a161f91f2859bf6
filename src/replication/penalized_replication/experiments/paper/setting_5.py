"""Setting 5 (Figure 5): reward against unfairness under three reward laws."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import product

from penalized_replication.experiments import base, keys


class Setting5(keys.TradeoffSection):
    arms: keys.ArmNumbers
    fairness: keys.Totals
    rewards: keys.Values[keys.RewardLaw]
    """Reward laws: `gaussian`, `beta`, `bernoulli`."""


@base.declare("log_of", "means", "lfg", figure_shows_claims=True)
def setting_5(section: Setting5, context: base.Context) -> Iterator[base.Case]:
    """Reward against unfairness under three reward laws."""
    for n_arms, tau, law in product(section.arms, section.fairness, section.rewards):
        runs = base.tradeoff_runs(section, context, n_arms, tau)
        yield replace(base.drawn_cell(context, "setting_5", n_arms, tau, law), runs=runs)
