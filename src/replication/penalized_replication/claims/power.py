"""How often a rule would notice that its claim is broken.

A part is given a truth just on the wrong side of its limits, by a factor, with the error of
the run itself; the rule detects it if the part no longer holds.
"""

import math
from collections.abc import Sequence

from penalized_bandits.common.numbers import format_number
from penalized_replication.claims.parts import Part

FACTORS = (1.1, 1.5, 2.0)
"""Violations that are tried: by 10 %, by 50 %, by a factor 2."""


def broken(part: Part, factor: float) -> tuple[list[float], str]:
    """Return truths that break a part by a factor, one for each side that has a limit.

    Beside them is what each of `FACTORS` does, in words; there are none where nothing can be
    broken.
    """
    times, upper, lower = "1.1, 1.5 or 2", part.most < math.inf, part.least > -math.inf
    most, least = format_number(part.most), format_number(part.least)
    if part.trials and upper:
        return [min(1.0, part.most * factor)], f"a probability {times} times {most}"
    if part.trials:
        rest = 1 - part.least
        return [1 - rest * factor], f"a probability {times} times {format_number(rest)} short of 1"
    if not math.isnan(part.reference_scale):
        missed = (factor - 1) * part.reference_scale
        words = f"missed by 10, 50 or 100 % of {format_number(part.reference_scale)}"
        if upper:
            return [part.most + missed], f"{most} {words}"
        return [part.least - missed], f"{least} {words}"
    if upper and lower and part.least < 0 < part.most:
        return [part.most * factor, part.least * factor], f"{times} times {least} or {most}"
    if upper and lower:
        centre = (part.least + part.most) / 2 if math.isnan(part.limit) else part.limit
        words = f"true value {times} times the claimed {format_number(centre)}"
        return [centre * factor, centre / factor], f"{words}, or that fraction of it"
    if upper and part.most > 0:
        return [part.most * factor], f"{times} times {most}"
    return ([part.least / factor], f"{least} divided by {times}") if part.least > 0 else ([], "")


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
    chances = [1 - holds(part, truth) for truth in broken(part, factor)[0]]
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
