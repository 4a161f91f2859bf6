"""How often a rule would notice that its claim is broken.

A part is given a truth just on the wrong side of its limits, by a factor, with the error of
the run itself; the rule notices if the part no longer holds.
"""

import math
from collections.abc import Sequence

from penalized_bandits.claims.base import Part
from penalized_bandits.common.numbers import shown

FACTORS = (1.1, 1.5, 2.0)
"""Violations that are tried: by 10 %, by 50 %, by a factor 2."""


def broken(part: Part, factor: float) -> list[float]:
    """Return truths that break a part by a factor: one for each side that has a limit.

    - A difference: the limit missed by so much more than 0 of its stake.
    - A probability: the chance of what should not happen, so many times as large.
    - Two limits: so many times what they lie around, and its inverse; where that may be 0,
      so many times each limit.
    - One limit: so many times the limit, or its inverse.
    """
    upper, lower = part.most < math.inf, part.least > -math.inf
    if not (upper or lower):
        return []
    if part.trials:
        return [min(1.0, part.most * factor)] if upper else [1 - (1 - part.least) * factor]
    if not math.isnan(part.stake):
        missed = (factor - 1) * part.stake
        return [part.most + missed] if upper else [part.least - missed]
    if upper and lower:
        if part.least < 0 < part.most:
            return [part.most * factor, part.least * factor]
        centre = _centre(part)
        return [centre * factor, centre / factor]
    if upper and part.most > 0:
        return [part.most * factor]
    return [part.least / factor] if lower and part.least > 0 else []


def _centre(part: Part) -> float:
    """Return what two limits lie around."""
    return (part.least + part.most) / 2 if math.isnan(part.limit) else part.limit


def violation(part: Part) -> str:
    """Say in words how a part is broken by each of the factors."""
    *some, last = (f"{factor:g}" for factor in FACTORS)
    factors = f"{', '.join(some)} or {last}"
    upper, lower = part.most < math.inf, part.least > -math.inf
    if part.trials:
        edge = part.most if upper else 1 - part.least
        what = f"a probability {factors} times {shown(edge)}"
        return f"{part.name}: {what}{'' if upper else ' short of 1'}"
    if not math.isnan(part.stake):
        *some, last = (f"{100 * (factor - 1):.0f}" for factor in FACTORS)
        shares = f"{', '.join(some)} or {last} %"
        edge = part.most if upper else part.least
        return f"{part.name}: {shown(edge)} missed by {shares} of {shown(part.stake)}"
    if upper and lower:
        if part.least < 0 < part.most:
            return f"{part.name}: {factors} times {shown(part.least)} or {shown(part.most)}"
        claimed = f"{factors} times the claimed {shown(_centre(part))}"
        return f"{part.name}: true value {claimed}, or that fraction of it"
    if upper:
        return f"{part.name}: {factors} times {shown(part.most)}"
    return f"{part.name}: {shown(part.least)} divided by {factors}"


def weakest(parts: Sequence[Part]) -> Part | None:
    """Return the part that holds and shows a violation least, if one can be broken."""
    found = [
        (tuple(noticed(part, factor) for factor in reversed(FACTORS)), number)
        for number, part in enumerate(parts)
        if part.status == "holds"
    ]
    known = [one for one in found if not any(map(math.isnan, one[0]))]
    return parts[min(known)[1]] if known else None


def _standard_error(part: Part, truth: float) -> float:
    """Return the standard error of a part where the truth is another: in proportion to it."""
    from penalized_bandits.statistics.estimates import NORMAL

    error = (part.high - part.low) / (2 * NORMAL)
    scaled = math.isnan(part.stake) and part.estimate > 0
    return error * truth / part.estimate if scaled else error


def noticed(part: Part, factor: float) -> float:
    """Return how often a part would no longer hold if it were broken by a factor.

    The less often of its two sides; NaN where it has no limits or no finite interval.
    """
    chances = []
    for truth in broken(part, factor):
        if part.trials:
            chances.append(1 - _share_holds(part, truth))
            continue
        error = _standard_error(part, truth)
        if not math.isfinite(error):
            return math.nan
        chances.append(1 - _holds(part, truth, error))
    return min(chances, default=math.nan)


def _holds(part: Part, truth: float, error: float) -> float:
    """Return the chance that the whole 95 % interval lies within the limits."""
    from scipy.special import ndtr

    from penalized_bandits.statistics.estimates import NORMAL

    if error == 0:
        return float(part.least <= truth <= part.most)
    highest = (part.most - truth) / error - NORMAL
    lowest = (part.least - truth) / error + NORMAL
    return max(0.0, float(ndtr(highest) - ndtr(lowest)))


def _share_holds(part: Part, truth: float) -> float:
    """Return the chance that Wilson's interval of a share lies within the limits."""
    from scipy.stats import binom

    from penalized_bandits.statistics.estimates import wilson

    n = part.trials
    intervals = [wilson(successes, n) for successes in range(n + 1)]
    counts = [i for i, one in enumerate(intervals) if part.least < one.low and one.high < part.most]
    return float(binom.pmf(counts, n, max(0.0, min(1.0, truth))).sum()) if counts else 0.0


def power_of(parts: Sequence[Part], factor: float) -> float:
    """Return how often the rule notices where the part that shows it least is broken.

    Of the parts that hold; NaN where there is none that can be broken by a factor.
    """
    found = [noticed(part, factor) for part in parts if part.status == "holds"]
    return min((chance for chance in found if not math.isnan(chance)), default=math.nan)
