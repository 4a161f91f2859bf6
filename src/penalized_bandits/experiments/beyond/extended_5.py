"""Setting 5 with every policy: reward against unfairness under three reward laws."""

from dataclasses import replace

from penalized_bandits.experiments.paper import setting_5

EXPERIMENT = replace(
    setting_5.EXPERIMENT,
    id="extended_5",
    title="Reward against unfairness of every policy under three reward laws",
)
