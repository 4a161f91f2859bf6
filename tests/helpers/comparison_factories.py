"""Factories of evidence that compares policies: Figures 1, 3 to 5, crossovers."""

from collections.abc import Sequence

import numpy as np

from case_helpers import info_of
from outcome_factories import Runs, cells, outcome, study
from penalized_bandits.common.typing import FloatArray
from penalized_bandits.policies import PAPER_POLICY
from penalized_bandits.theory.fluid import predicted_pulls
from penalized_bandits.theory.inputs import instance_of
from rule_helpers import alternating

N = 40
UCB1, FLEARN, LFG = "ucb1", "fair_learn", "lfg"


def figure_1(gain: float, spread: float, *, rival: str = LFG, early: float = 100.0) -> Runs:
    """Return a gain and its spread, in pulls of an arm of gap 0.8, at the last horizon.

    Another cell, and the horizon before, have a clear gain: several tests by Holm.
    """
    runs = []
    for case, horizon, by in (
        *(("a", 500, (early, 10)), ("b", 500, (100, 10))),
        *(("a", 1000, (gain, spread)), ("b", 1000, (100, 10))),
    ):
        ours = np.full(N, 200.0)
        for policy, pulls in ((PAPER_POLICY, ours), (rival, ours + alternating(*by, N))):
            bandit = (0.9, 0.1), (0.0, 0.0), 0.4
            runs.append(outcome(pulls[:, None], horizon, *bandit, case=case, policy=policy))
    return study("setting_1", runs, horizons=[500, 1000])


RIVALS = {"C28": (FLEARN, LFG), "C28L": ("lfg_original",)}
RIVALS |= {"C31": RIVALS["C28"], "C31L": RIVALS["C28L"]}

REACH = np.linspace(0, 1200, 11)


def panel(
    claim: str,
    *gains: float,
    spread: float = 18.0,
    n: int = N,
    late: float = 0.0,
    reach: Sequence[float] = REACH.tolist(),
) -> Runs:
    """Return a panel in which rivals waste pulls of arm 2: the gain in reward, and its spread.

    Beyond an unfairness of 900 the gain is so much less.
    """
    runs, bandit = [], ((0.9, 0.6, 0.2), (0.2,) * 3, None)
    for policy, gain in zip((PAPER_POLICY, *RIVALS[claim]), (0.0, *gains), strict=False):
        ours = policy == PAPER_POLICY
        for j, unfair in enumerate(REACH if ours else reach):
            less = late if unfair > 900 else 0.0
            waste = np.zeros(n) if ours else alternating(gain - less, spread, n)
            others = np.column_stack([2300 + waste / 0.3, np.full(n, 2000 - unfair)])
            run = outcome(others, 10_000, *bandit, case="a", policy=policy, tuning=float(j))
            runs.append(run)
    return Runs({"setting_3" if claim.startswith("C28") else "setting_5": runs})


def both(gain: float, spread: float) -> Runs:
    return panel("C28", gain, gain, spread=spread)


GROUPS = {
    "C29": ("noncritical", (0.9, 0.8, 0.4, 0.3, 0.2, 0.1), 900),
    "C30": ("critical", (0.9, 0.85, 0.84, 0.82, 0.3), 4000),
}

RATE, HORIZON = 0.41, 20_000


def setting_4(claim: str, pulls: FloatArray) -> Runs:
    """Return a panel of a row of Figure 4, from the pulls of arms 2 to K."""
    group, means, _ = GROUPS[claim]
    tau = (0.05,) * len(means)
    info = info_of(group, tau, group=group)
    return Runs({"setting_4": [outcome(pulls, HORIZON, means, tau, RATE, case=info)]})


def figure_4(
    claim: str, exponent: float, spread: float = 0.0, *, beside: float = 0.0, factor: float = 1.0,
    n: int = 80,
) -> Runs:  # fmt: skip
    """Return a panel whose arms have pulls by a power of the inverse squared distance.

    The exponent of replicates alternates by the spread; some more pulls stand beside.
    """
    _, means, nearest = GROUPS[claim]
    gap = 0.9 - np.array(means)
    distance = gap if claim == "C30" else gap - RATE
    kind = (gap > 1e-9) & (gap <= RATE) if claim == "C30" else distance > 1e-9
    powers = alternating(exponent, spread, n)[:, None]
    ratio = distance[kind] / distance[kind].min()
    pulls = np.full((n, len(means)), 1000.0)
    counts = factor * (nearest * ratio ** (-2 * powers) + beside)
    pulls[:, kind] = np.maximum(counts, 1000) if claim == "C30" else np.minimum(counts, 1000)
    return setting_4(claim, pulls[:, 1:])


def off_by(error: float, spread: float) -> Runs:
    """Return pulls as predicted but for those of arm 2, off by a share and its spread."""
    _, means, _ = GROUPS["C29"]
    bandit = instance_of(means, (0.05,) * len(means), RATE)
    pulls = np.tile(predicted_pulls(bandit, HORIZON)[1:], (80, 1))
    pulls[:, 0] *= 1 + alternating(error, spread, 80)
    return setting_4("C29", pulls)


HORIZONS = (1000, 3162, 10_000, 31_623, 100_000)


def leads(*leads_: float, rival: str = UCB1) -> Runs:
    """Return the hard threshold's lead in regret at each horizon; 0.8 a pull of arm 2."""
    runs, bandit = [], ((0.9, 0.1), (0.1, 0.0), 0.4)
    for horizon, lead in zip(HORIZONS, leads_, strict=False):
        ours = np.full((N, 1), 400.0)
        theirs = ours + alternating(lead, 10.0, N)[:, None] / 0.8
        for policy, pulls in ((PAPER_POLICY, ours), (rival, theirs)):
            runs.append(outcome(pulls, horizon, *bandit, case="a", policy=policy))
    return Runs(cells(runs) | {"setting_1": cells(runs, "c")["movie_crossover"]})
