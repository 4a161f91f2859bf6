"""C26: under the hard threshold arms turn unfair one by one, at A near their gap (Figure 2)."""

from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np

from penalized_bandits.claims.base import (
    Claim,
    Finding,
    Part,
    above,
    below,
    not_said,
    nothing_known,
    within,
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
from penalized_bandits.policies import PAPER_POLICY

IN_ORDER = 0.9
"""Share of replicates that must turn two arms unfair in the order of their gaps."""
RISE = 0.01
"""Rise of the mean path that is let pass, as a share of the fairness level."""


def _order(case: str, paths: Paths) -> list[Part]:
    """Check that the larger of neighbouring gaps turns unfair at a larger eta."""
    from penalized_bandits.statistics.estimates import wilson

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
        share = wilson(int((first > latest)[seen].sum()), int(seen.sum()))
        parts.append(above(name, share.value, share.low, share.high, IN_ORDER))
    return parts


def _falls(case: str, paths: Paths) -> list[Part]:
    """Check that the mean path of each suboptimal arm does not rise with eta."""
    from penalized_bandits.statistics.paths import isotonic

    parts: list[Part] = []
    mean = paths.short.mean(axis=1)
    rises = resampled_rises(paths.short)
    for arm in paths.suboptimal:
        name = f"{case} path: {arm_name(paths, arm)} never more unfair at a larger A"
        fit = isotonic(paths.scale, mean[:, arm], increasing=False)
        low, high = np.quantile(rises[:, arm], [0.025, 0.975])
        part = below(
            name, fit.largest_reversal, float(low), float(high), RISE * float(paths.levels[arm])
        )
        if paths.short.shape[1] < 2:
            part = nothing_known(name, "one replicate")
        elif not paths.unfair[:, :, arm].any():
            part = not_said(part, "fair at every η in every replicate")
        parts.append(part)
    return parts


def _places(case: str, paths: Paths) -> list[Part]:
    """Check that the break point of each suboptimal arm is at its gap."""
    from penalized_bandits.statistics.estimates import mean_estimate
    from penalized_bandits.theory.fluid import break_points

    predicted = break_points(paths.means, paths.fairness, float(paths.horizon))
    tolerance = paths.step / 2 + ROUNDING
    parts: list[Part] = []
    for arm in paths.suboptimal:
        gap = float(paths.gaps[arm])
        found = mean_estimate(paths.break_points[:, arm])
        part = within(
            f"{case} place: {arm_name(paths, arm)} turns unfair at A = Δ",
            found.value,
            found.low,
            found.high,
            gap - tolerance,
            gap + tolerance,
            gap,
        )
        detail = f"{part.detail}; fluid prediction {predicted[arm]:.3f}"
        parts.append(replace(part, detail=detail))
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
    from penalized_bandits.theory.fluid import break_points

    sentences: list[str] = []
    for case, paths in cases.items():
        arms = paths.suboptimal
        mean = paths.break_points[:, arms].mean(axis=0)
        offset = mean - paths.gaps[arms]
        predicted = break_points(paths.means, paths.fairness, float(paths.horizon))[arms]
        sentences.append(
            f"{case}: break points lie {offset.min():+.3f} to {offset.max():+.3f} from the gaps, "
            f"at most {np.abs(mean - predicted).max():.3f} from the fluid prediction (grid step "
            f"{paths.step:g}); Kendall's tau of break points and gaps "
            f"{_concordance(paths):.3f} on average."
        )
    return " ".join(
        [
            "An arm is unfair if it lacks one whole pull of floor(τ_k T); its break point is "
            "midway between the largest η at which it is unfair and the next. The best arm is "
            "left out: nothing makes it unfair. The fluid prediction, which tends to Δ_k as T "
            "grows, is Δ_k + √(2 log T/N_1) − √(2 log T/(τ_k T)): an arm is explored up to its "
            "level at rates well below its gap.",
            *sentences,
        ]
    )


def _measure(evidence: Evidence) -> Finding:
    cases = {case: paths_of(evidence, case, PAPER_POLICY) for case in evidence.cases(SETTING)}
    cases = {case: paths for case, paths in cases.items() if paths.suboptimal.size}
    order = [part for case, paths in cases.items() for part in _order(case, paths)]
    falls = [part for case, paths in cases.items() for part in _falls(case, paths)]
    places = [part for case, paths in cases.items() for part in _places(case, paths)]
    return Finding(
        "scale η at which an arm turns unfair, of the arm furthest from its gap; in the parts on "
        "order, share of replicates; in those on paths, largest rise in pulls",
        (*order, *falls, *places),
        note=_note(cases),
    )


CLAIM = Claim(
    where="Figure 2",
    statement="Under the hard threshold arms turn unfair one by one as the common penalty rate A "
    "falls, the one with the largest gap first, each at A near its Δ_k.",
    rule="Three parts for each suboptimal arm. Order: the share of replicates in which the larger "
    "of two neighbouring gaps turns unfair at a strictly larger η is above 0.9 (Wilson interval); "
    "undecided if the gaps differ by less than a grid step. Path: the mean unfairness nowhere "
    "rises with A by more than 1 % of τ_k T (isotonic fit, bootstrap interval). Place: the mean "
    "break point is within half a grid step of Δ_k (t-interval). Each holds, or fails, if its "
    "whole 95 % interval is on one side of the limit.",
    evidence="results/summaries/setting_2.csv",
    measure=_measure,
)
