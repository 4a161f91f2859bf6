"""Setting 3 with every policy: reward against unfairness on MovieLens."""

from dataclasses import replace

from penalized_bandits.settings import setting_3

EXTENSION = replace(
    setting_3.SETTING,
    id="extended_3",
    title="Reward against unfairness of every policy on MovieLens",
)
