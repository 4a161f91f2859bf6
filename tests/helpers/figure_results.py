"""Artificial results of claims for the figures that show them."""

import itertools
import math
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from penalized_bandits.claims import claims_of
from penalized_bandits.claims.paper.figure_4 import EXPONENT, LINE
from penalized_bandits.claims.parts import EstimateSeries, Part, Status, unknown
from penalized_bandits.claims.results import ClaimResult

HARD = "hard_threshold_ucb"
HORIZONS = (1000, 3000, 10_000, 30_000, 100_000, 300_000)
CELLS = ("K5_tau0.2", "K20_tau0.8", "setting_2_case_1", "movies_m0_2500")
SETTING_3 = ["m0_2500", "m0_1250"]
SETTING_5 = ["K5_tau0.2_gaussian", "K5_tau0.2_beta", "K20_tau0.5_gaussian", "K20_tau0.5_beta"]

Row = dict[str, Any]


def results_of(topic: str) -> list[ClaimResult]:
    """Return results of the claims of a topic; of one that is not here, claims not measured."""
    made = {
        "crossover": crossings,
        "small_studies": bounds,
        "setting_3": partial(gains, "C28", SETTING_3),
        "setting_4": powers,
        "setting_5": partial(gains, "C31", SETTING_5),
    }
    if topic in made:
        return made[topic]()
    return [ClaimResult(entry.id, missing="not part of this test") for entry in claims_of(topic)]


def crossings() -> list[ClaimResult]:
    """Return claims on overtaking: of UCB1 in C34, of another policy in C36."""
    nan, inf = math.nan, math.inf
    found: list[tuple[float, float, float, Status, str]] = [
        (42_929.3, 34_401.8, 59_175.7, "holds", "overtakes"),
        (nan, 0, 1000, "holds", "always ahead"),
        (3000.0, 0.0, inf, "undecided", "is overtaken"),
        (nan, 1e6, inf, "undecided", "not yet"),
    ]
    parts = []
    for case, (at, low, high, status, change) in zip(CELLS, found, strict=True):
        numbers: Row = {"estimate": at, "low": low, "high": high, "status": status}
        about: Row = {"case": case, "policy": HARD, "rival": "ucb1"}
        parts.append(Part(**numbers, **about, values={"change": change, "last": 1_000_000}))
    other = replace(parts[0], rival="explore_then_commit")
    return [ClaimResult("C36", (other,)), ClaimResult("C34", tuple(parts))]


def gains(claim: str, cases: Sequence[str]) -> list[ClaimResult]:
    """Return a claim on a trade-off: the hard threshold ahead by 2 to 4 %."""
    values = (100.0, 200.0, 300.0), (0.02, 0.03, 0.04), (0.01, 0.02, 0.03), (0.03, 0.04, math.nan)
    pairs = itertools.product(cases, ("fair_learn", "lfg"))
    series = (EstimateSeries("gain", case, HARD, rival, *values) for case, rival in pairs)
    unknown_one = ClaimResult(f"{claim}L", missing="not part of this test")
    return [ClaimResult(claim, series=tuple(series)), unknown_one]


def powers() -> list[ClaimResult]:
    """Return the claims on Figure 4: an exponent of 1 in one panel, too few arms in another."""
    case: Row = {"case": "noncritical_1", "status": "holds"}
    used = {"arms": [2, 3, 4, 5], "used": [False, True, True, True], "factor": 20.0}
    exponent = Part(estimate=1.0, low=0.98, high=1.02, quantity=EXPONENT, values=used, **case)
    line = Part(estimate=0.99, low=0.98, high=1.0, quantity=LINE, **case)
    few = unknown("too few arms", case="noncritical_2", quantity=EXPONENT)
    return [ClaimResult("C29", (exponent, line, few)), ClaimResult("C30")]


def bounds() -> list[ClaimResult]:
    """Return the claims on lower bounds: ratios at some horizons, vacuous at the first."""
    claims = []
    for claim, asymptote in (("C16", 2.0), ("C17", 3.0)):
        parts = []
        for place, horizon in enumerate(HORIZONS):
            status: Status = "holds" if place else "vacuous"
            numbers: Row = {"estimate": 1.0 + place / 10, "low": 1.0, "high": 1.0, "status": status}
            parts.append(Part(**numbers, horizon=horizon, asymptote=asymptote))
        claims.append(ClaimResult(claim, tuple(parts)))
    least = Part(estimate=7.0, low=7.0, high=7.0, status="holds", case="least_regret")
    ratio = Part(estimate=20.0, low=19.0, high=21.0, status="holds")
    pairs = itertools.product((HARD, "lfg"), HORIZONS)
    of_policies = [replace(ratio, policy=policy, horizon=horizon) for policy, horizon in pairs]
    return [*claims, ClaimResult("C18", (least, *of_policies))]
