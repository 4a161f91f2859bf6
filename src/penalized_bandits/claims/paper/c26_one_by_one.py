"""C26: under the hard threshold arms turn unfair one by one (Figure 2)."""

from itertools import pairwise
from typing import Any

import numpy as np

from penalized_bandits.claims.base import (
    Claim,
    Finding,
    Part,
    below,
    not_said,
    nothing_known,
    share_of,
)
from penalized_bandits.claims.evidence import Evidence
from penalized_bandits.claims.measures.unfairness_paths import (
    ROUNDING,
    SETTING,
    Paths,
    arm_name,
    paths_of,
    resampled_rises,
)
from penalized_bandits.common.confidence import TAILS
from penalized_bandits.policies import PAPER_POLICY
from penalized_bandits.statistics.paths import isotonic

IN_ORDER = 0.9
"""Share of replicates that must turn two arms unfair in the order of their gaps."""
RISE = 0.01
"""Rise of the mean path that is let pass, as a share of the fairness level."""


def _order(case: str, paths: Paths) -> list[Part]:
    """Check that the larger of neighbouring gaps turns unfair at a larger eta."""
    parts: list[Part] = []
    values = np.unique(paths.gaps[paths.suboptimal])
    for small, large in pairwise(values):
        name = f"{case} order: Δ = {large:g} turns unfair before Δ = {small:g}"
        if large - small < paths.step - ROUNDING:
            parts.append(nothing_known(name, f"gaps nearer than the grid's step {paths.step:g}"))
            continue
        latest = paths.last_unfair[:, paths.gaps == small].max(axis=1)
        first = paths.last_unfair[:, paths.gaps == large].min(axis=1)
        # Both fair, or both unfair, on the whole grid: their order is not to be seen.
        seen = (latest != first) | ((latest >= 0) & (latest < len(paths.scale) - 1))
        if not seen.any():
            parts.append(nothing_known(name, "neither changes on the grid"))
            continue
        first_to_turn = int((first > latest)[seen].sum())
        parts.append(share_of(name, first_to_turn, int(seen.sum()), least=IN_ORDER))
    return parts


def _falls(case: str, paths: Paths, resamples: int) -> list[Part]:
    """Check that the mean path of each suboptimal arm does not rise with eta."""
    parts: list[Part] = []
    mean = paths.short.mean(axis=1)
    rises = resampled_rises(paths.short, resamples)
    for arm in paths.suboptimal:
        name = f"{case} path: {arm_name(paths, arm)} never more unfair at a larger A"
        fit = isotonic(paths.scale, mean[:, arm], increasing=False)
        low, high = np.quantile(rises[:, arm], TAILS)
        part = below(
            name, fit.largest_reversal, float(low), float(high), RISE * float(paths.levels[arm])
        )
        if paths.short.shape[1] < 2:
            part = nothing_known(name, "one replicate")
        elif not paths.unfair[:, :, arm].any():
            part = not_said(part, "fair at every η in every replicate")
        parts.append(part)
    return parts


def _concordance(paths: Paths) -> float:
    """Mean over replicates of Kendall's tau-b of break points and gaps, suboptimal arms.

    Of the replicates in which break points differ; NaN if there is none, or one gap only.
    """
    from scipy.stats import kendalltau

    gap = paths.gaps[paths.suboptimal]
    rows = paths.break_points[:, paths.suboptimal]
    rows = rows[(rows != rows[:, :1]).any(axis=1)]
    if len(rows) == 0 or (gap == gap[0]).all():
        return float("nan")
    different, times = np.unique(rows, axis=0, return_counts=True)
    tau: Any = kendalltau
    found = [float(tau(gap, row).statistic) for row in different]
    return float(np.average(found, weights=times))


def _note(cases: dict[str, Paths]) -> str:
    concordances = ", ".join(f"{case} {_concordance(paths):.3f}" for case, paths in cases.items())
    return (
        "An arm is unfair if it lacks one whole pull of floor(τ_k T); its break point is midway "
        "between the largest η at which it is unfair and the next. The best arm is left out: "
        "nothing makes it unfair. Kendall's tau of break points and gaps, on average: "
        f"{concordances}. Where arms turn unfair is C26P: the paper does not say."
    )


def _measure(evidence: Evidence) -> Finding:
    cases = {case: paths_of(evidence, case, PAPER_POLICY) for case in evidence.cases(SETTING)}
    cases = {case: paths for case, paths in cases.items() if paths.suboptimal.size}
    order = [part for case, paths in cases.items() for part in _order(case, paths)]
    falls = [
        part for case, paths in cases.items() for part in _falls(case, paths, evidence.resamples)
    ]
    return Finding(
        "order: share of replicates in which the arm with the larger of two neighbouring gaps "
        "turns unfair first; paths: largest rise of unfairness with A, in pulls",
        (*order, *falls),
        note=_note(cases),
    )


CLAIM = Claim(
    where="Figure 2",
    statement="Under the hard threshold arms turn unfair one by one as the common penalty rate A "
    "falls, the one with the largest gap first.",
    rule="Order: the share of replicates in which the larger of two neighbouring gaps turns "
    f"unfair at a strictly larger η is above {IN_ORDER:g} (Wilson interval); undecided if the gaps "
    "differ by less than a grid step. Path, for each suboptimal arm: the mean unfairness nowhere "
    f"rises with A by more than {100 * RISE:g} % of τ_k T (isotonic fit, bootstrap interval). "
    "Each holds, or fails, if its whole 95 % interval is on one side of the limit.",
    measure=_measure,
)
