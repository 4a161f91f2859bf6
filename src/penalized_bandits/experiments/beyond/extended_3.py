"""Setting 3 with every policy: reward against unfairness on MovieLens."""

from dataclasses import replace

from penalized_bandits.experiments.paper import setting_3

EXPERIMENT = replace(
    setting_3.EXPERIMENT,
    id="extended_3",
    title="Reward against unfairness of every policy on MovieLens",
)
