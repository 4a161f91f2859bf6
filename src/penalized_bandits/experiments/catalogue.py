"""Every experiment by its id.  A new one is a file, and its import and its entry here.

The paper's settings and the studies of its theory are read with the config.  Those beyond the
paper (`penalized_bandits.experiments.extended`) are imported when they are asked for.
"""

from penalized_bandits.experiments.base import Experiment
from penalized_bandits.experiments.paper import (
    setting_1,
    setting_2,
    setting_3,
    setting_4,
    setting_5,
)
from penalized_bandits.experiments.theory import (
    crossover,
    deterministic,
    equal_penalties,
    lfg_fairness,
    log_laws,
    movie_crossover,
    two_instances,
    worst_case,
)

SETTINGS: dict[str, Experiment] = {
    experiment.id: experiment
    for experiment in (
        setting_1.EXPERIMENT,
        setting_2.EXPERIMENT,
        setting_3.EXPERIMENT,
        setting_4.EXPERIMENT,
        setting_5.EXPERIMENT,
    )
}
"""The paper's own."""

STUDIES: dict[str, Experiment] = {
    experiment.id: experiment
    for experiment in (
        log_laws.EXPERIMENT,
        crossover.EXPERIMENT,
        movie_crossover.EXPERIMENT,
        worst_case.EXPERIMENT,
        deterministic.EXPERIMENT,
        two_instances.EXPERIMENT,
        equal_penalties.EXPERIMENT,
        lfg_fairness.EXPERIMENT,
    )
}
"""Studies that test the theory, which the paper proves without measurements."""

EXPERIMENTS: dict[str, Experiment] = {**SETTINGS, **STUDIES}


def experiment(name: str) -> Experiment:
    """Return an experiment by its id; extended ones are imported when asked for."""
    if name in EXPERIMENTS:
        return EXPERIMENTS[name]
    from penalized_bandits.experiments.extended import EXTENSIONS, SHARP

    return (EXTENSIONS | SHARP)[name]
