"""The sharp constants at the longest horizons: a policy whose pulls are dear."""

from dataclasses import replace

from penalized_bandits.experiments.beyond import sharp

EXPERIMENT = replace(
    sharp.EXPERIMENT,
    id="sharp_longest_kl",
    title=f"{sharp.EXPERIMENT.title}: a policy whose pulls are dear, the longest horizons",
)
