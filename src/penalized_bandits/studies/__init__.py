"""Experiments that test the paper's theory, one file each.  A new one is a file and a line here.

They are settings like the paper's own (``settings/base.py``), simulated and kept in the
same way, but the paper does not have them: it proves and does not measure.
"""

from penalized_bandits.settings import SETTINGS, Setting
from penalized_bandits.studies import (
    crossover,
    deterministic,
    equal_penalties,
    lfg_fairness,
    log_laws,
    movie_crossover,
    two_instances,
    worst_case,
)

STUDIES: dict[str, Setting] = {
    study.id: study
    for study in (
        log_laws.STUDY,
        crossover.STUDY,
        movie_crossover.STUDY,
        worst_case.STUDY,
        deterministic.STUDY,
        two_instances.STUDY,
        equal_penalties.STUDY,
        lfg_fairness.STUDY,
    )
}

EXPERIMENTS: dict[str, Setting] = {**SETTINGS, **STUDIES}
"""The paper's settings and the studies, by id."""

__all__ = ["EXPERIMENTS", "STUDIES"]
