"""The replication of "On Penalization in Stochastic Multi-armed Bandits"."""

import os

# Jobs and notebooks: where the config names no policies they need not pay for this import.
if given := os.environ.get("PENALIZED_BANDITS_POLICIES"):
    from penalized_replication.common import arithmetic  # noqa: F401  before numpy
    from penalized_replication.experiments.own_policies import register

    register(dict(pair.split("=", 1) for pair in given.split(",")))
