"""Where the hard threshold overtakes another policy, from the studies made for it."""

import math
from dataclasses import replace

import numpy as np

from penalized_bandits.claims.base import Finding, Part, nothing_known
from penalized_bandits.claims.evidence import Evidence
from penalized_bandits.claims.measures.regret import regret_of
from penalized_bandits.policies import PAPER_POLICY
from penalized_bandits.statistics.crossing import crossing

NOT_YET = "not by"
STUDIES = ("crossover", "movie_crossover")
RULE = (
    "In each cell, up to the largest horizon: holds if the last clear sign of the paired "
    "difference (t-test, Holm over horizons) favours the hard threshold. Else it is undecided: "
    "what has not happened by then may happen later, so that no part fails. The estimate is the "
    "horizon of the change, with its bootstrap interval."
)

MISSES = "no part can fail: what has not happened by the last horizon may happen later"


def cells(evidence: Evidence) -> list[tuple[str, str]]:
    """Return (study, case) of every cell that is compared."""
    return [(study, case) for study in STUDIES for case in evidence.cases(study)]


def behind(parts: list[Part]) -> str:
    """Say up to which horizons the hard threshold is the worse of the two, and where to the end."""
    found = [part for part in parts if part.status == "holds" and not math.isnan(part.estimate)]
    if not found:
        return ""
    first = min(found, key=lambda part: part.estimate)
    last = max(found, key=lambda part: part.estimate)
    said = (
        f"Before that it has more: up to T = {first.estimate:.0f} in {first.name}, and up to "
        f"{last.estimate:.0f} in {last.name}."
    )
    open_ = [part.name for part in parts if part.detail.startswith(NOT_YET)]
    return f"{said} It has more to the last horizon in {', '.join(open_)}." if open_ else said


def overtaking(evidence: Evidence, study: str, case: str, other: str) -> Part:
    """Make a part that says: from some horizon on the hard threshold has less regret.

    The estimate is that horizon.  It holds if the last clear sign of the difference, along
    the horizons, is in favour of the hard threshold, and fails if it is against it.
    """
    theirs = {o.horizon: o for o in evidence.outcomes(study, case=case, policy=other)}
    ours = {o.horizon: o for o in evidence.outcomes(study, case=case, policy=PAPER_POLICY)}
    horizons = sorted(set(ours) & set(theirs))
    name = f"{case} against {other}"
    if len(horizons) < 3:
        return nothing_known(name, "too few horizons")
    differences = np.stack([regret_of(theirs[t]) - regret_of(ours[t]) for t in horizons], axis=1)
    found = crossing(horizons, differences, resamples=evidence.resamples)
    clear = found.signs[found.signs != 0]
    if clear.size == 0:
        return nothing_known(name, "no difference at any horizon")
    status = "holds" if clear[-1] > 0 else "fails"
    at = found.horizon
    if found.status == "crossed":
        detail = "overtakes there" if found.upward else "is overtaken there"
    elif clear[-1] > 0:
        detail = f"ahead from T = {horizons[0]} or before"
    else:
        detail = f"{NOT_YET} T = {horizons[-1]}"
    last = float(horizons[-1])
    # The last horizon is no bound: how far from it they cross says nothing.
    return Part(name, at.value, at.low, at.high, status, last, detail)


def sharper(part: Part, more: Part) -> Part:
    """Return a part with the horizon from more replicates of the same cell, where they have one."""
    if part.status != "holds" or more.status != "holds" or math.isnan(more.estimate):
        return part
    detail = f"{more.detail}, in Setting 1"
    if not math.isnan(part.estimate):
        detail += f"; the longer runs have {part.estimate:.0f} [{part.low:.0f}, {part.high:.0f}]"
    return replace(part, estimate=more.estimate, low=more.low, high=more.high, detail=detail)


def overtaken(evidence: Evidence, other: str, shared: str = "") -> Finding:
    """Say for each cell whether and where the hard threshold overtakes another policy.

    ``shared`` is an experiment with more replicates of some of the cells, up to shorter
    horizons.
    """
    cases = evidence.cases(shared) if shared else []
    parts = []
    for study, case in cells(evidence):
        part = overtaking(evidence, study, case, other)
        if part.status == "fails":
            part = replace(part, status="undecided")
        if case in cases:
            part = sharper(part, overtaking(evidence, shared, case, other))
        parts.append(part)
    return Finding(
        "horizon from which the hard threshold has less penalized regret",
        tuple(parts),
        note=behind(parts),
    )
