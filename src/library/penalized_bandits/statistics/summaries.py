"""Summaries of replicates: means, standard errors and intervals.

Intervals are Student's t over replicates, which are independent: at each cell they cover the mean
over new rewards and, where means are drawn for each replicate, over new instances.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from penalized_bandits.bandit import regret
from penalized_bandits.bandit.instances import Instance
from penalized_bandits.common.typing import FloatArray, PullArray
from penalized_bandits.statistics.estimates import student

CEILINGS = ("ceiling", "excess_penalty")
"""Columns of arms that only instances with ceilings have."""


def mean_and_interval(values: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return mean, standard error and half width of the t-interval over axis 0; nan for one row."""
    n = len(values)
    mean = values.mean(axis=0)
    if n == 1:
        return mean, np.full_like(mean, np.nan), np.full_like(mean, np.nan)
    with np.errstate(invalid="ignore"):  # regrets above hard caps are infinite
        se = values.std(axis=0, ddof=1) / np.sqrt(n)
    return mean, se, student(n) * se


def run_metrics(
    pulls: PullArray, bandits: Instance, penalized: bool = True
) -> dict[str, FloatArray]:
    """Whole-run metrics (R,) of pulls (R, K); penalized regret where runs are ``penalized``."""
    regrets = {"penalized_regret": regret.penalized_regret(pulls, bandits)} if penalized else {}
    return regrets | {
        "expected_reward": regret.expected_reward(pulls, bandits),
        "reward_loss": (bandits.gaps_to_best * pulls).sum(axis=1),
        "unfairness": regret.unfairness(pulls, bandits),
    }


def rows_of(
    about: Mapping[str, Any],
    metrics: Mapping[str, FloatArray],
    subjects: Sequence[Mapping[str, Any]] = ({"arm": None},),
) -> Iterator[dict[str, Any]]:
    """Yield a row for each metric and subject: a whole run, or its arms.

    ``about`` has the first columns of every row, ``metrics`` values by name, (R,) or, for arms,
    (R, K), and ``subjects`` the columns of each arm.
    """
    for metric, values in metrics.items():
        by_subject = values.reshape(len(values), -1)
        mean, se, half = mean_and_interval(by_subject)
        statistics = {"mean": mean, "se": se, "ci_low": mean - half, "ci_high": mean + half}
        for subject, *row in zip(subjects, *statistics.values(), strict=True):
            numbers = dict(zip(statistics, map(float, row), strict=True))
            yield {**about, **subject, "metric": metric, **numbers, "n_replicates": len(values)}


def run_rows(
    about: Mapping[str, Any],
    pulls: PullArray,
    max_deficit: FloatArray,
    bandits: Instance,
    penalized: bool = True,
) -> Iterator[dict[str, Any]]:
    """Yield the rows of runs: of the whole, then of each arm with its own numbers.

    ``about`` has the first columns of every row; ``pulls`` and ``max_deficit`` are (R, K).  Where
    ``bandits`` vary by replicate, ``gap`` and ``penalty_rate`` are means over replicates; there
    are no rates where runs are not ``penalized``, and ceilings only where some are charged.
    """
    columns = (bandits.gaps_to_best, bandits.penalties)
    gaps, rates = (np.atleast_2d(each).mean(axis=0) for each in columns)
    arms = [
        {"arm": k + 1, "gap": gaps[k], "fairness_fraction": bandits.fairness[k]}
        | {"penalty_rate": rates[k] if penalized else None}
        for k in range(bandits.n_arms)
    ]
    if bandits.charges_excess:
        for arm, *limits in zip(arms, bandits.ceilings, bandits.excess_penalties, strict=True):
            arm.update(zip(CEILINGS, limits, strict=True))
    yield from rows_of(about, run_metrics(pulls, bandits, penalized))
    by_arm = {
        "pulls": pulls.astype(np.float64),
        "arm_unfairness": regret.shortfall(pulls, bandits),
        "max_deficit": max_deficit,
    }
    yield from rows_of(about, by_arm, arms)
