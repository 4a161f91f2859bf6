"""Setting 5 with every policy: reward against unfairness under three reward laws."""

from dataclasses import replace

from penalized_bandits.settings import setting_5

EXTENSION = replace(
    setting_5.SETTING,
    id="extended_5",
    title="Reward against unfairness of every policy under three reward laws",
)
