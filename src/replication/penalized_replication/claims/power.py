"""How often a rule would notice that its claim is broken.

A comparison is given a truth just on the wrong side of its limits, by a factor, with the error of
the run itself; the rule detects it if the comparison no longer holds.
"""

import math
from collections.abc import Sequence

from scipy.special import ndtr

from penalized_bandits.common.numbers import format_number
from penalized_bandits.statistics.estimates import NORMAL, wilson
from penalized_replication.claims.comparisons import Comparison

FACTORS = (1.1, 1.5, 2.0)
"""Violations that are tried: by 10 %, by 50 %, by a factor 2."""


def broken(comparison: Comparison, factor: float) -> tuple[list[float], str]:
    """Return truths that break a comparison by a factor, one for each side that has a limit.

    Beside them is what each of `FACTORS` does, in words; there are none where nothing can be
    broken.
    """
    least, most, scale = comparison.least, comparison.most, comparison.reference_scale
    if least == most:
        return [], ""  # What is to be exact may be 0.
    times, upper, lower = "1.1, 1.5 or 2", most < math.inf, least > -math.inf
    above, below = format_number(most), format_number(least)
    if comparison.trials and upper:
        return [min(1.0, most * factor)], f"a probability {times} times {above}"
    if comparison.trials:
        short = format_number(1 - least)
        return [1 - (1 - least) * factor], f"a probability {times} times {short} short of 1"
    if not math.isnan(scale):
        missed, words = (factor - 1) * scale, f"missed by 10, 50 or 100 % of {format_number(scale)}"
        truth, limit = (most + missed, above) if upper else (least - missed, below)
        return [truth], f"{limit} {words}"
    if upper and lower and least < 0 < most:
        return [most * factor, least * factor], f"{times} times {below} or {above}"
    if upper and lower:
        centre = (least + most) / 2 if math.isnan(comparison.limit) else comparison.limit
        words = f"true value {times} times the claimed {format_number(centre)}"
        return [centre * factor, centre / factor], f"{words}, or that fraction of it"
    if upper and most > 0:
        return [most * factor], f"{times} times {above}"
    return ([least / factor], f"{below} divided by {times}") if least > 0 else ([], "")


def power_of(comparisons: Sequence[Comparison]) -> tuple[tuple[float, ...], int | None]:
    """Return the least detection probability of comparisons that hold, one for each factor.

    NaN if nothing can be broken.  Beside it is the index of the comparison with the least power.
    """
    holding = ((n, item) for n, item in enumerate(comparisons) if item.status == "holds")
    chances_of = {n: [detected(item, factor) for factor in FACTORS] for n, item in holding}
    known = {n: chances for n, chances in chances_of.items() if not any(map(math.isnan, chances))}
    least = tuple(map(min, zip(*known.values(), strict=True))) or (math.nan,) * len(FACTORS)
    return least, min(known, key=lambda n: known[n][::-1], default=None)


def detected(comparison: Comparison, factor: float) -> float:
    """Return how often a comparison broken by a factor would not hold, on its weaker side."""
    chances = [1 - _holds(comparison, truth) for truth in broken(comparison, factor)[0]]
    return math.nan if any(map(math.isnan, chances)) else min(chances, default=math.nan)


def _holds(comparison: Comparison, truth: float) -> float:
    """Return the chance that the whole 95 % interval, of a share Wilson's, is within the limits."""
    if n := comparison.trials:
        from scipy.stats import binom  # takes long to import

        intervals = enumerate(wilson(successes, n) for successes in range(n + 1))
        least, most = comparison.least, comparison.most
        counts = [i for i, share in intervals if least < share.low and share.high < most]
        return float(binom.pmf(counts, n, max(0.0, min(1.0, truth))).sum()) if counts else 0.0
    error = (comparison.high - comparison.low) / (2 * NORMAL)
    if math.isnan(comparison.reference_scale) and comparison.estimate > 0:
        error = error * truth / comparison.estimate  # In proportion to the truth.
    if not math.isfinite(error):
        return math.nan
    if error == 0:
        return float(comparison.least <= truth <= comparison.most)
    highest = (comparison.most - truth) / error - NORMAL
    lowest = (comparison.least - truth) / error + NORMAL
    return max(0.0, float(ndtr(highest) - ndtr(lowest)))
