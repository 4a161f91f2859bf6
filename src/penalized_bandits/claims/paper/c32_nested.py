"""C32: the set of fair arms grows with the penalty rate, as LASSO's sets do with its own."""

from dataclasses import replace

import numpy as np

from penalized_bandits.claims.base import (
    Claim,
    Finding,
    Part,
    above,
    below,
    not_said,
    nothing_known,
    share_of,
)
from penalized_bandits.claims.evidence import Evidence
from penalized_bandits.claims.measures.unfairness_paths import (
    SETTING,
    Paths,
    arm_name,
    has_policy,
    paths_of,
    resampled_rises,
)
from penalized_bandits.common.confidence import TAILS
from penalized_bandits.policies import PAPER_POLICY
from penalized_bandits.statistics.estimates import paired_difference
from penalized_bandits.statistics.paths import isotonic

OTHERS = ("fair_learn", "lfg")
REVERSED = 0.05
"""Share of replicates, or fall of a probability, that is let pass."""


def _lost(paths: Paths) -> np.ndarray:
    """Whether an arm that was fair turns unfair at a step up of the scale, (m - 1, R, K)."""
    return ~paths.unfair[:-1] & paths.unfair[1:]


def _nested(case: str, paths: Paths) -> list[Part]:
    parts: list[Part] = []
    lost = _lost(paths)
    for arm in paths.suboptimal:
        reversed_ = lost[:, :, arm].any(axis=0)
        name = f"{case} {arm_name(paths, arm)} leaves the set"
        part = share_of(name, int(reversed_.sum()), reversed_.size, most=REVERSED)
        unfair = paths.unfair[:, :, arm]
        if unfair.all() or not unfair.any():
            part = not_said(part, "the same at every η in every replicate")
        parts.append(part)
    return parts


def _probability(case: str, paths: Paths, resamples: int) -> Part:
    """P(fair) of every arm is monotone: the worst arm's largest fall."""
    name = f"{case} largest fall of P(fair), any arm"
    if paths.short.shape[1] < 2:
        return nothing_known(name, "one replicate")
    unfair = paths.unfair.astype(np.float64)
    fall = max(
        isotonic(paths.scale, 1 - path, increasing=True).largest_reversal
        for path in unfair.mean(axis=1).T
    )
    low, high = np.quantile(resampled_rises(unfair, resamples).max(axis=1), TAILS)
    part = below(name, fall, float(low), float(high), REVERSED)
    return part if unfair.any() else not_said(part, "all arms are fair at every η")


def _growth(case: str, paths: Paths) -> Part:
    fair = (~paths.unfair).sum(axis=2)
    gained = paired_difference(fair[-1], fair[0]).difference
    name = f"{case} fair arms at η = {paths.scale[-1]:g} less those at η = {paths.scale[0]:g}"
    part = above(name, *gained.interval, 0.0, stake=paths.means.size)
    return replace(part, status="fails") if gained.high == 0 else part


def _steps(paths: Paths) -> float:
    """Share of steps up the scale, of fair arms, that make an arm unfair."""
    fair = int((~paths.unfair[:-1]).sum())
    return int(_lost(paths).sum()) / fair if fair else 0.0


def _measure(evidence: Evidence) -> Finding:
    parts: list[Part] = []
    sentences: list[str] = []
    for case in evidence.cases(SETTING):
        paths = paths_of(evidence, case, PAPER_POLICY)
        parts += [*_nested(case, paths), _probability(case, paths, evidence.resamples)]
        parts.append(_growth(case, paths))
        whole = (~_lost(paths).any(axis=(0, 2))).mean()
        sentences.append(
            f"{case}: sets of {PAPER_POLICY} are nested along the whole grid in {whole:.1%} of "
            f"replicates; a fair arm turns unfair in {_steps(paths):.2g} of its steps."
        )
        others = [p for p in OTHERS if has_policy(evidence, case, p)]
        for policy in others:
            path = paths_of(evidence, case, policy)
            broken = _lost(path).any(axis=(0, 2)).mean()
            sentences.append(f"{case}, {policy} along its own tuning: {broken:.1%} not nested.")
    return Finding(
        "share of replicates in which a fair arm turns unfair as A grows, or fall of P(fair), for "
        "the worst arm",
        tuple(parts),
        note=" ".join(
            [
                "The paper draws the analogy in words only. It is read as: along the grid of "
                "A = η, on the same rewards, the set of fair arms only gains arms. For LASSO "
                "itself this is usual but no theorem. Nested sets alone do not tell the hard "
                "threshold from policies whose arms all turn fair together: see C26 and C27.",
                *sentences,
            ]
        ),
    )


CLAIM = Claim(
    where="section 5, connections to the statistical literature; Figure 2",
    statement="The set of fair arms grows with the penalty rate: no arm that is fair at some A is "
    "unfair at a larger one.",
    rule="An arm (of each case) holds if the share of replicates in which it is fair at some A "
    "and unfair at the next is below 0.05, fails if above (Wilson interval); an arm that never "
    "changes counts for nothing. P(fair) holds if no arm's falls with A by 0.05 (isotonic fit, "
    "bootstrap interval). The number of fair arms holds if it is larger at the largest A than at "
    "the smallest (paired t-interval). All by the whole 95 % interval.",
    measure=_measure,
)
