"""Extended experiments, one file each.  A new one is a file and a line here.

They are made like the paper's own (``experiments/base.py``).  Their sections stand in
``config/extended.yaml`` and ``config/sharp.yaml``, so that the default run does not import them.
"""

from dataclasses import replace
from typing import Self

from pydantic import model_validator

from penalized_bandits.common.section import Section
from penalized_bandits.experiments.base import Experiment
from penalized_bandits.experiments.extended import (
    changing_catalogue,
    extended_regret,
    heavy_tails,
    heterogeneous_penalties,
    long_runs,
    many_arms,
    minimax,
    sharp,
    shrinking_fairness,
)
from penalized_bandits.experiments.paper import setting_3, setting_5
from penalized_bandits.policies import PAPER_POLICY

EXTENSIONS: dict[str, Experiment] = {
    experiment.id: experiment
    for experiment in (
        extended_regret.EXTENDED_1,
        replace(
            setting_3.EXPERIMENT,
            id="extended_3",
            title="Reward against unfairness of every policy on MovieLens",
        ),
        replace(
            setting_5.EXPERIMENT,
            id="extended_5",
            title="Reward against unfairness of every policy under three reward laws",
        ),
        extended_regret.EXPERIMENT,
        long_runs.EXPERIMENT,
        long_runs.KL_EXPERIMENT,
        heterogeneous_penalties.EXPERIMENT,
        shrinking_fairness.EXPERIMENT,
        heavy_tails.EXPERIMENT,
        many_arms.EXPERIMENT,
        changing_catalogue.EXPERIMENT,
    )
}
"""Experiments that compare policies: section ``extended``."""

SHARP: dict[str, Experiment] = {
    experiment.id: experiment for experiment in (*sharp.EXPERIMENTS, *minimax.EXPERIMENTS)
}
"""Experiments on the sharp constants and on the minimax rate: section ``sharp``."""


class Extended(Section):
    """Section ``extended`` of the config, to which the sections of all extensions are added."""

    @model_validator(mode="after")
    def _leaves_something_to_compare(self) -> Self:
        for name in EXTENSIONS:
            section = getattr(self, name)
            if section is None:
                continue
            if section.replicates < 2:
                raise ValueError(
                    f"{name}.replicates must be at least 2: a tuning is chosen on some and "
                    "measured on the others"
                )
            if min(getattr(section, "arms", [2])) < 2:
                raise ValueError(f"{name}.arms must be at least 2 each: one arm has no regret")
            # Its bandits are those of long_runs, where the paper's policy is.
            if name != "long_runs_kl" and PAPER_POLICY not in section.policies:
                raise ValueError(
                    f"{name}.policies must have {PAPER_POLICY} among them: all others are compared "
                    "with it"
                )
        return self
