"""Experiments beyond the paper, one file each.  A new one is a file and a line here.

They are settings like the paper's own (``settings/base.py``).  Their sections stand in
``config/extended.yaml``, so that the default run knows nothing of them.
"""

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
from penalized_bandits.settings import Setting

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

__all__ = ["EXTENSIONS"]
