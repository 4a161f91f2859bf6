"""Where the hard threshold overtakes UCB1 and explore-then-commit."""

import math
from collections.abc import Iterator
from dataclasses import replace
from typing import Literal

import numpy as np

from penalized_bandits.claims.base import claim
from penalized_bandits.claims.evidence import Evidence
from penalized_bandits.claims.horizon_series import regret_of
from penalized_bandits.claims.measures.regret import crossover_cells
from penalized_bandits.claims.parts import Part, Status, about, unknown
from penalized_bandits.policies import PAPER_POLICY
from penalized_bandits.statistics.crossing import Crossing, crossing

Change = Literal["overtakes", "is overtaken", "always ahead", "not yet"]
"""How the hard threshold compares along the horizons; `values["change"]` of a part."""

RULE = (
    "In each cell, up to the largest horizon: holds if the last clear sign of the paired "
    "difference (t-test, Holm over horizons) favours the hard threshold. Else it is undecided: "
    "what has not happened by then may happen later, so that no part fails. The estimate is the "
    "horizon of the change, with its bootstrap interval."
)
QUANTITY = "horizon from which the hard threshold has less penalized regret"
LOW_POWER = "no part can fail: what has not happened by the last horizon may happen later"


def _change(result: Crossing, *, ahead: bool) -> Change:
    """Return how the comparison changes along the horizons; ``ahead`` is the last clear sign."""
    if result.status == "crossed":
        return "overtakes" if result.upward else "is overtaken"
    return "always ahead" if ahead else "not yet"


def overtaking(evidence: Evidence, study: str, case: str, rival: str) -> Part:
    """Return the part on the horizon from which the hard threshold has less regret.

    It holds if the last clear sign of the difference, along the horizons, favours the hard
    threshold, and else is undecided.  `values` has the `Change`, and the first and last horizon.
    """
    theirs = {o.horizon: o for o in evidence.outcomes(study, case=case, policy=rival)}
    ours = {o.horizon: o for o in evidence.outcomes(study, case=case, policy=PAPER_POLICY)}
    horizons = sorted(set(ours) & set(theirs))
    fields = about(next(iter(ours.values()))) | {"rival": rival, "horizon": None}
    if len(horizons) < 3:
        return unknown("too few horizons", **fields)
    differences = np.stack([regret_of(theirs[t]) - regret_of(ours[t]) for t in horizons], axis=1)
    result = crossing(horizons, differences, resamples=evidence.resamples)
    clear = result.signs[result.signs != 0]
    if clear.size == 0:
        return unknown("no difference at any horizon", **fields)
    ahead = bool(clear[-1] > 0)
    status: Status = "holds" if ahead else "undecided"
    change = _change(result, ahead=ahead)
    values = {"change": change, "first": horizons[0], "last": horizons[-1]}
    value, low, high = result.horizon.interval
    # The last horizon is no bound: how far from it they cross says nothing.
    limit = float(horizons[-1])
    return Part(
        estimate=value, low=low, high=high, status=status, limit=limit, values=values, **fields
    )


def sharper(part: Part, more: Part) -> Part:
    """Return a part with the horizon from more replicates of the same cell, where they have one.

    `values["longer"]` keeps that of the longer runs, NaN where they have none.
    """
    if part.status != "holds" or more.status != "holds" or math.isnan(more.estimate):
        return part
    longer = [part.estimate, part.low, part.high]
    values = {**more.values, "longer": longer}
    return replace(part, estimate=more.estimate, low=more.low, high=more.high, values=values)


@claim(
    "C34",
    where="not in the paper; follows from Theorem 4.2",
    statement="From some horizon on the hard threshold has smaller penalized regret than UCB1, "
    "which ignores fairness.",
    rule=f"{RULE} In the cells of Setting 1 it is from the replicates there, which are more, where "
    "the change is within their horizons.",
    quantity=QUANTITY,
    ours=True,
    low_power=LOW_POWER,
)
def overtakes_ucb1(evidence: Evidence) -> Iterator[Part]:
    """Measure where the hard threshold overtakes UCB1."""
    shared = evidence.cases("setting_1")
    for study, case in crossover_cells(evidence):
        part = overtaking(evidence, study, case, "ucb1")
        more = case in shared
        yield sharper(part, overtaking(evidence, "setting_1", case, "ucb1")) if more else part


@claim(
    "C36",
    where="section 5; not shown in the paper",
    statement="From some horizon on the hard threshold has smaller penalized regret than "
    "explore-then-commit.",
    rule=RULE,
    quantity=QUANTITY,
    ours=True,
    low_power=LOW_POWER,
)
def overtakes_explore_then_commit(evidence: Evidence) -> Iterator[Part]:
    """Measure where the hard threshold overtakes explore-then-commit."""
    for study, case in crossover_cells(evidence):
        yield overtaking(evidence, study, case, "explore_then_commit")
