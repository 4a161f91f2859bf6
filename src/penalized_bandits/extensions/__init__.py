"""Experiments beyond the paper, one file each.  A new one is a file and a line here.

They are settings like the paper's own (``settings/base.py``).  Their sections stand in
``config/extended.yaml``, so that the default run knows nothing of them.
"""

from typing import Self

from pydantic import model_validator

from penalized_bandits.extensions import (
    extended_1,
    extended_3,
    extended_5,
    extended_regret,
    heavy_tails,
    heterogeneous_penalties,
    long_runs,
    many_arms,
    shrinking_fairness,
)
from penalized_bandits.settings import Section, Setting

EXTENSIONS: dict[str, Setting] = {
    extension.id: extension
    for extension in (
        extended_1.EXTENSION,
        extended_3.EXTENSION,
        extended_5.EXTENSION,
        extended_regret.EXTENSION,
        long_runs.EXTENSION,
        long_runs.KL_EXTENSION,
        heterogeneous_penalties.EXTENSION,
        shrinking_fairness.EXTENSION,
        heavy_tails.EXTENSION,
        many_arms.EXTENSION,
    )
}

OURS = "hard_threshold_ucb"
"""The paper's policy, with which all others are compared."""


class Extended(Section):
    """Section ``extended`` of the config, to which the sections of all extensions are added."""

    @model_validator(mode="after")
    def _leaves_something_to_compare(self) -> Self:
        for name in EXTENSIONS:
            section = getattr(self, name)
            if section.replicates < 2:
                raise ValueError(
                    f"{name}.replicates must be at least 2: a tuning is chosen on some and "
                    "measured on the others"
                )
            if min(getattr(section, "arms", [2])) < 2:
                raise ValueError(f"{name}.arms must be at least 2 each: one arm has no regret")
            # Its bandits are those of long_runs, where the paper's policy is.
            if name != "long_runs_kl" and OURS not in section.policies:
                raise ValueError(
                    f"{name}.policies must have {OURS} among them: all others are compared with it"
                )
        return self


__all__ = ["EXTENSIONS", "OURS", "Extended"]
