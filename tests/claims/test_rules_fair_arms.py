"""Rules of the claims on a common penalty rate: cases near each limit."""

import numpy as np

from config_helpers import PAPER
from outcome_factories import Runs, outcome
from penalized_bandits.common.typing import FloatArray
from rule_helpers import Case, check, first, table

N, T = 60, 10_000
MEANS, RATES = (0.9, 0.7, 0.5), (0.1, 0.3, 0.5)
"""Gaps 0, 0.2, 0.4: the rates cover one arm, two and three."""
SHORT = 11.0
"""A level is 1000 pulls; an arm that lacks more than 1 % of them is not fair."""


def equal(*lacks: FloatArray | float, rates: tuple[float, ...] = RATES) -> Runs:
    """Return runs at each rate whose arms 2 and 3 lack pulls, (R,) or one number for both."""
    runs = [
        outcome(1000 - np.broadcast_to(lack, (2, N)).T, T, MEANS, (0.1,) * 3, rate, tuning=rate)
        for rate, lack in zip(rates, lacks, strict=True)
    ]
    fixed = {"case_1": {"means": list(MEANS), "fairness": [0.1] * 3}}
    section = {**PAPER["equal_penalties"], "horizons": [1000, T], "cases": fixed}
    return Runs({"equal_penalties": runs}, {"equal_penalties": section})


def fair(k: int) -> Runs:
    """At the largest rate all arms are fair in k replicates."""
    return equal(np.where(first(k, N), 0.0, SHORT), rates=RATES[2:])


def swapped() -> Runs:
    """At the middle rate arm 3 is fair in place of arm 2."""
    return equal(np.array([[SHORT], [0.0]]) * np.ones(N), rates=RATES[1:2])


def lacking(k: int) -> Runs:
    """At the rate that covers all arms the two others lack a pull each, and two in k replicates."""
    return equal(np.where(first(k, N), 2.0, 1.0), rates=RATES[2:])


FAIR = (
    # Above 0.9 by Wilson's interval.
    *(Case(claim, lambda k=k: fair(k), s) for claim in ("C10", "C22") for k, s in
      ((60, "h"), (57, "u"), (51, "u"), (49, "f"))),
    # Fair to 1 % of the level.
    *(Case("C10", lambda x=x: equal(x, rates=RATES[2:]), s) for x, s in ((10, "h"), (11, "f"))),
    # More arms than the rate covers are no failure; other arms are one of C10.
    *(Case(claim, lambda: equal(0.0, 0.0, 0.0), "hhh") for claim in ("C10", "C22")),
    Case("C10", swapped, "f"),
    Case("C22", swapped, "h"),
    # Below the tolerance of 0 and a pull an arm, three in all.
    *(Case("C23", lambda k=k: lacking(k), s) for k, s in
      ((20, "h"), (28, "u"), (31, "u"), (40, "f"))),
    # Where one arm is covered the others may lack all.
    Case("C23", lambda: equal(1000.0, 501.0, 1.0), "hhh"),
    Case("C23", lambda: equal(1000.0, 502.0, 1.0), "hfh"),
)  # fmt: skip


@table(*FAIR)
def test_arms_within_reach(case: Case) -> None:
    check(case)
