"""How often a rule would notice that its claim is broken.

A part is given a truth just on the wrong side of its limits, by a factor, with the error of
the run itself; the rule detects it if the part no longer holds.
"""

import math
from collections.abc import Sequence

from penalized_replication.claims.parts import Part

FACTORS = (1.1, 1.5, 2.0)
"""Violations that are tried: by 10 %, by 50 %, by a factor 2."""


def broken(part: Part, factor: float) -> list[float]:
    """Return truths that break a part by a factor: one for each side that has a limit.

    - A difference: the limit missed by so much more than 0 of its reference scale.
    - A probability: the chance of what should not happen, so many times as large.
    - Two limits: so many times what they lie around, and its inverse; where that may be 0,
      so many times each limit.
    - One limit: so many times the limit, or its inverse.
    """
    upper, lower = part.most < math.inf, part.least > -math.inf
    if part.trials:
        return [min(1.0, part.most * factor)] if upper else [1 - (1 - part.least) * factor]
    if not math.isnan(part.reference_scale):
        missed = (factor - 1) * part.reference_scale
        return [part.most + missed] if upper else [part.least - missed]
    if upper and lower:
        if part.least < 0 < part.most:
            return [part.most * factor, part.least * factor]
        return [centre(part) * factor, centre(part) / factor]
    if upper and part.most > 0:
        return [part.most * factor]
    return [part.least / factor] if lower and part.least > 0 else []


def centre(part: Part) -> float:
    """Return the number that two limits surround."""
    return (part.least + part.most) / 2 if math.isnan(part.limit) else part.limit


def power_of(parts: Sequence[Part]) -> tuple[tuple[float, ...], int | None]:
    """Return the least detection probability of parts that hold, a number for each factor.

    NaN if none can be broken.  Beside it is the index of the part with the least power, or None.
    """
    holding = {n: part for n, part in enumerate(parts) if part.status == "holds"}
    found = {n: [detected(part, factor) for factor in FACTORS] for n, part in holding.items()}
    known = {n: chances for n, chances in found.items() if not any(map(math.isnan, chances))}
    least = tuple(map(min, zip(*known.values(), strict=True))) or (math.nan,) * len(FACTORS)
    return least, min(known, key=lambda n: known[n][::-1], default=None)


def detected(part: Part, factor: float) -> float:
    """Return how often a part broken by a factor would not hold, on its weaker side, or NaN."""
    holds = _share_holds if part.trials else _holds
    chances = [1 - holds(part, truth) for truth in broken(part, factor)]
    return math.nan if any(map(math.isnan, chances)) else min(chances, default=math.nan)


def _holds(part: Part, truth: float) -> float:
    """Return the chance that the whole 95 % interval lies within the limits."""
    from scipy.special import ndtr

    from penalized_bandits.statistics.estimates import NORMAL

    error = (part.high - part.low) / (2 * NORMAL)
    if math.isnan(part.reference_scale) and part.estimate > 0:
        error = error * truth / part.estimate  # In proportion to the truth.
    if not math.isfinite(error):
        return math.nan
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
