"""Outcomes of ``log_laws`` made up for claims, arm by arm."""

import math
from collections.abc import Callable, Sequence

from config_helpers import PAPER
from outcome_factories import Runs, around, outcome
from penalized_bandits.common.typing import FloatArray
from penalized_bandits.experiments.catalogue import STUDIES
from penalized_bandits.experiments.theory.log_laws import case_of

LATE = (31_623, 100_000, 316_228, 1_000_000, 3_162_278)
HORIZONS = (1000, 3162, 10_000, 31_623, 100_000, 316_228, 1_000_000)
Law = Callable[[int], float | Sequence[float]]


def laws(
    instance: str,
    pulls: Law,
    *,
    spread: float | FloatArray = 1.0,
    deficits: Law | None = None,
    horizons: Sequence[int] = HORIZONS,
) -> Runs:
    """Outcomes of an instance of ``log_laws`` whose arms have pulls by a law in T."""
    given = PAPER["log_laws"]["instances"][instance]
    section = {**PAPER["log_laws"], "horizons": list(horizons), "instances": {instance: given}}
    model = STUDIES["log_laws"].section.model_validate(section).instances[instance]
    arms, found = len(model.means), []
    for i, horizon in enumerate(horizons):
        others = around(pulls(horizon), arms - 1, i, spread)
        bandit = (model.means, model.fairness_at(horizon), model.penalties_at(horizon))
        worst = None if deficits is None else around(deficits(horizon), arms, 100 + i, 0.1)
        case = case_of(instance, horizon)
        found.append(outcome(others, horizon, *bandit, case=case, max_deficit=worst))
    return Runs({"log_laws": found}, {"log_laws": section})


def all_lack(deficit: Callable[[int], float]) -> Runs:
    """All arms at their level of T / 10, less what they lack."""
    return laws("all_critical", lambda t: t / 10 - deficit(t), spread=0.0)


def balanced(
    constant: float, horizons: Sequence[int] = HORIZONS, deficits: Law | None = None
) -> Runs:
    """The non-critical arm of ``two_arms`` has a multiple of log T / 0.15^2 pulls.

    At most nearly its level, which it is below as long as it is rightly given up.
    """

    def pulls(t: int) -> float:
        return min(constant * math.log(t) / 0.15**2, 0.28 * t)

    return laws("two_arms", pulls, horizons=horizons, deficits=deficits)
