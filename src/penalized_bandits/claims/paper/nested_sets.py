"""Section 5: the set of fair arms grows with the penalty rate, as LASSO's sets do with its own."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from penalized_bandits.claims.base import claim
from penalized_bandits.claims.evidence import Evidence
from penalized_bandits.claims.measures.unfairness_paths import (
    SETTING,
    Paths,
    has_policy,
    paths_of,
    resampled_rises,
)
from penalized_bandits.claims.parts import Part, above, below, irrelevant, probability, unknown
from penalized_bandits.common.typing import BoolArray
from penalized_bandits.policies import PAPER_POLICY
from penalized_bandits.statistics.estimates import paired_difference
from penalized_bandits.statistics.paths import largest_reversal

OTHERS = ("fair_learn", "lfg")
REVERSED = 0.05
"""Share of replicates, or fall of a probability, that is let pass."""


def _lost(paths: Paths) -> BoolArray:
    """Return whether a fair arm turns unfair at a step up of the scale, shape (m - 1, R, K)."""
    return np.asarray(~paths.unfair[:-1] & paths.unfair[1:])


def _leaving(paths: Paths) -> Iterator[Part]:
    """Measure how often each suboptimal arm leaves the set."""
    lost = _lost(paths)
    for arm in paths.suboptimal:
        reversed_ = lost[:, :, arm].any(axis=0)
        fields = paths.about(arm, quantity="leaving the set")
        part = probability(int(reversed_.sum()), reversed_.size, most=REVERSED, **fields)
        unfair = paths.unfair[:, :, arm]
        same = unfair.all() or not unfair.any()
        yield irrelevant(part, "the same at every η in every replicate") if same else part


def _fall(paths: Paths, resamples: int) -> Part:
    """Return the part on the largest fall of P(fair), of the arm of which it is largest."""
    fields = paths.about(quantity="largest fall of P(fair) of an arm")
    if paths.short.shape[1] < 2:
        return unknown("one replicate", **fields)
    unfair = paths.unfair.astype(np.float64)
    fall = max(
        largest_reversal(paths.scale, 1 - path, increasing=True) for path in unfair.mean(axis=1).T
    )
    low, high = np.quantile(resampled_rises(unfair, resamples).max(axis=1), [0.025, 0.975])
    part = below((fall, low, high), REVERSED, **fields)
    return part if unfair.any() else irrelevant(part, "all arms are fair at every η")


def _growth(paths: Paths) -> Part:
    """Return the part on the number of fair arms at the largest eta less that at the smallest."""
    fair = (~paths.unfair).sum(axis=2)
    gained = paired_difference(fair[-1], fair[0]).difference
    ends = {"first": float(paths.scale[0]), "last": float(paths.scale[-1])}
    fields = paths.about(quantity="growth of the set", values=ends)
    part = above(gained.interval, 0.0, paths.means.size, **fields)
    return replace(part, status="fails") if gained.high == 0 else part


def _nesting(paths: Paths) -> dict[str, Any]:
    """Return how often sets are nested along the whole grid, and how often a step breaks it."""
    lost, fair = _lost(paths), int((~paths.unfair[:-1]).sum())
    return {
        "label": paths.info.label,
        "policy": paths.policy,
        "nested": float((~lost.any(axis=(0, 2))).mean()),
        "steps": int(lost.sum()) / fair if fair else 0.0,
    }


@claim(
    "C32",
    where="section 5, connections to the statistical literature; Figure 2",
    statement="The set of fair arms grows with the penalty rate: no arm that is fair at some A is "
    "unfair at a larger one.",
    rule="An arm (of each case) holds if the share of replicates in which it is fair at some A "
    "and unfair at the next is below 0.05, fails if above (Wilson interval); an arm that never "
    "changes counts for nothing. P(fair) holds if no arm's falls with A by 0.05 (isotonic fit, "
    "bootstrap interval). The number of fair arms holds if it is larger at the largest A than at "
    "the smallest (paired t-interval). All by the whole 95 % interval.",
    quantity="share of replicates in which a fair arm turns unfair as A grows, or fall of P(fair), "
    "for the worst arm",
)
def nested_sets(evidence: Evidence) -> Iterator[Part | dict[str, Any]]:
    """Measure whether the sets of fair arms are nested along the grid of A."""
    ours, others = [], []
    for case in evidence.cases(SETTING):
        paths = paths_of(evidence, case, PAPER_POLICY)
        yield from _leaving(paths)
        yield _fall(paths, evidence.resamples)
        yield _growth(paths)
        ours.append(_nesting(paths))
        policies = [policy for policy in OTHERS if has_policy(evidence, case, policy)]
        others += [_nesting(paths_of(evidence, case, policy)) for policy in policies]
    yield {"ours": ours, "others": others}
