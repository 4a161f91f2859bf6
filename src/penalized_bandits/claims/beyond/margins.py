"""Regrets compared in pairs, with a margin below which a difference is none."""

from collections.abc import Mapping
from dataclasses import replace

from penalized_bandits.claims.base import Part, below, by_p_values, not_said
from penalized_bandits.common.typing import FloatArray
from penalized_bandits.statistics.estimates import paired_difference

MARGIN = 0.01
"""Differences up to this share of what is at stake are none: the other's regret, or the range
of reward on the frontier."""

SHOWN = f"{100 * MARGIN:g} %"

RULE = (
    f"holds if the mean regret said to be less is below {1 - MARGIN:g} times the other, fails if "
    f"above {1 + MARGIN:g} times (paired, Holm over all cases, and over the seeds of a "
    f"confirmation, p < 0.05); vacuous where the two are the same within {SHOWN} (both one-sided "
    "p < 0.05)"
)


def less_regret(
    pairs: Mapping[str, tuple[FloatArray, FloatArray]], level: float = 0.05
) -> tuple[Part, ...]:
    """Decide in each case whether the first of two regrets, shape (R,) each, is less: `RULE`.

    Parameters
    ----------
    pairs
        The two regrets by the name of the case.
    level
        Of all tests together, in either direction.
    """
    parts, p_less, p_more, same = [], [], [], []
    for name, (ours, theirs) in pairs.items():
        found = paired_difference(ours, theirs).difference
        stake = abs(float(theirs.mean()))
        part = below(name, *found.interval, -MARGIN * stake, stake)
        parts.append(replace(part, detail=f"{ours.mean():.4g} against {theirs.mean():.4g}"))
        under, over = ((1 + sign * MARGIN) * theirs for sign in (-1, 1))
        lower, upper = paired_difference(ours, under), paired_difference(ours, over)
        p_less.append(lower.p_less)
        p_more.append(upper.p_greater)
        close = max(lower.p_greater, upper.p_less) < 0.05
        same.append("in every replicate" if (ours == theirs).all() else f"within {SHOWN}" * close)
    decided = by_p_values(parts, p_less, p_more, level)
    return tuple(
        not_said(part, f"the same {how}: {part.detail}") if how else part
        for part, how in zip(decided, same, strict=True)
    )
