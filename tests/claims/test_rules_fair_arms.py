"""Rules can fail: claims on which arms are fair."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from config_helpers import PAPER
from outcome_factories import Case, N, Runs, cases, check_can_fail, check_case, outcome
from penalized_bandits.policies import PAPER_POLICY

# --- equal_penalties: C10, C22, C23 ---------------------------------------------------------


def equal(*fair: int, share: float = 0.5, swapped: bool = False) -> Runs:
    """At three rates the first arms, so many, are fair; others have a share of their level."""
    means, rates = (0.9, 0.7, 0.5), (0.1, 0.3, 0.5)
    runs = []
    for rate, k in zip(rates, fair, strict=True):
        others = np.full((N, 2), 1000.0 * share)
        others[:, : k - 1] = 1000.0
        run = outcome(others, 10_000, means, (0.1,) * 3, rate, tuning=rate)
        runs.append(replace(run, pulls=run.pulls[:, [0, 2, 1]]) if swapped else run)
    fixed = {"case_1": {"means": list(means), "fairness": [0.1] * 3}}
    section = {**PAPER["equal_penalties"], "horizons": [1000, 10_000], "cases": fixed}
    return Runs({"equal_penalties": runs}, {"equal_penalties": section})


WHICH_ARMS = [
    Case(lambda: equal(1, 2, 3), "reproduced"),
    # One arm more than wanted is no failure: it is in the note.
    Case(lambda: equal(2, 2, 3), "reproduced", note="in 2 of 3 cells"),
    Case(lambda: equal(3, 3, 1), "partly", "hhf"),
    Case(lambda: equal(1, 1, 2), "partly", "hff"),
]

# --- lfg_fairness: C33, C33R ---------------------------------------------------------------

Shortfall = Callable[[float, int], float]


def one_pull(eta: float, horizon: int) -> float:
    return 1.0


def lfg(fair: Callable[[float], float], lacks: Shortfall = one_pull) -> Runs:
    """LFG that is fair in a share of replicates, by its tuning; in others arms lack pulls."""
    section = {**PAPER["lfg_fairness"], "horizons": [1000, 10_000]}
    bandit = (0.9, 0.5, 0.4), (0.1,) * 3, 1.0
    runs = []
    for horizon in section["horizons"]:
        full = np.full((N, 2), horizon / 10)
        runs.append(outcome(full, horizon, *bandit))
        for eta in section["eta_0"]:
            others = full.copy()
            others[int(fair(eta) * N) :] -= lacks(eta, horizon)
            runs.append(outcome(others, horizon, *bandit, policy="lfg", tuning=eta))
    return Runs({"lfg_fairness": runs}, {"lfg_fairness": section})


# --- crossover: C51 -------------------------------------------------------------------------


def soft(*lacks: float, rate: float = 0.8) -> Runs:
    """A soft threshold whose critical arm lacks a share of its level, in two cases."""
    bandit = (0.9, 0.7), (0.1, 0.1), rate
    runs: dict[str, list[Any]] = {}
    for study, share in zip(("crossover", "movie_crossover"), lacks * 2, strict=False):
        for policy, short in ((PAPER_POLICY, 0.0), ("soft_threshold_ucb", share)):
            others = np.full((N, 1), 10_000 * (1 - short))
            run = outcome(others, 100_000, *bandit, case=study, policy=policy)
            runs.setdefault(study, []).append(run)
    return Runs(runs)


RULES = {
    "C10": [
        *WHICH_ARMS,
        # As many arms as it should be, but others.
        Case(lambda: equal(1, 2, 3, swapped=True), "partly"),
    ],
    "C22": [*WHICH_ARMS, Case(lambda: equal(1, 2, 3, swapped=True), "reproduced")],
    "C23": [
        Case(lambda: equal(1, 2, 3, share=0.05), "reproduced", "hhh"),
        Case(lambda: equal(1, 2, 3), "consistent", "hhh"),
        # At the smallest rate all that is lacking is tolerated.
        Case(lambda: equal(1, 1, 1, share=0.0), "not reproduced", "hff"),
    ],
    # One part for each horizon, at the largest tuning.
    "C33": [
        Case(lambda: lfg(lambda _: 0.05), "reproduced", "hh"),
        Case(lambda: lfg(lambda _: 1.0), "not reproduced", "ff"),
        # One tuning that is not fair is enough.
        Case(lambda: lfg(lambda eta: 0.0 if eta > 10 else 1.0), "reproduced", "hh"),
        Case(lambda: lfg(lambda eta: 1.0 if eta > 10 else 0.0), "not reproduced", "ff"),
        Case(lambda: lfg(lambda _: 0.5), "undecided"),
    ],
    # One part for each of three tunings.
    "C33R": [
        Case(lambda: lfg(lambda _: 0.0), "reproduced", "hhh"),
        Case(lambda: lfg(lambda _: 1.0), "reproduced", "hhh"),
        Case(lambda: lfg(lambda _: 0.0, lambda _, t: t / 100), "not reproduced", "fff"),
        Case(
            lambda: lfg(lambda _: 0.0, lambda eta, t: 1.0 if eta < 100 else t / 50),
            *("partly", "hhf"),
        ),
        # Too slow a fall: as T^-0.25.
        Case(lambda: lfg(lambda _: 0.0, lambda _, t: t**0.75 / 10), "not reproduced", "fff"),
    ],
    "C51": [
        Case(lambda: soft(0.3), "reproduced", "hh"),
        Case(lambda: soft(0.0), "not reproduced", "ff"),
        Case(lambda: soft(0.3, 0.0), "partly", "hf"),
        # Arms whose penalty rates are near their gaps need not be fair.
        Case(
            lambda: Runs({**soft(0.3).made, "crossover": soft(0.3, rate=0.3).made["crossover"]}),
            *("reproduced", "h"),
        ),
    ],
}


@pytest.mark.parametrize(("identifier", "case"), cases(RULES))
def test_the_rule_decides(identifier: str, case: Case) -> None:
    check_case(identifier, case)


def test_every_rule_can_fail() -> None:
    check_can_fail(RULES, {"C10", "C22", "C23", "C33", "C33R", "C51"})
