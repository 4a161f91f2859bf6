"""Every experiment by its id: the paper's settings, the studies, and what goes beyond."""

from penalized_bandits.settings import Setting
from penalized_bandits.studies import EXPERIMENTS


def experiment(name: str) -> Setting:
    """Return an experiment by its id; those beyond the paper are imported when asked for."""
    if name in EXPERIMENTS:
        return EXPERIMENTS[name]
    from penalized_bandits.extensions import EXTENSIONS

    return EXTENSIONS[name]
