"""C27: under Flearn and LFG all arms turn unfair as soon as eta < 1 (Figure 2)."""

from dataclasses import replace

import numpy as np

from penalized_bandits.claims.base import Claim, Finding, Part, nothing_known, share_of
from penalized_bandits.claims.evidence import Evidence
from penalized_bandits.claims.measures.unfairness_paths import (
    SETTING,
    Paths,
    arm_name,
    has_policy,
    paths_of,
)
from penalized_bandits.policies import PAPER_POLICY

POLICIES = ("fair_learn", "lfg")
MAJORITY = 0.5
"""An arm is unfair where it lacks a whole pull in more than this share of replicates."""


def _parts(case: str, policy: str, paths: Paths) -> list[Part]:
    parts: list[Part] = []
    place = int(np.flatnonzero(paths.scale < 1)[-1])
    for arm in paths.suboptimal:
        name = f"{case} {policy} {arm_name(paths, arm)} at η = {paths.scale[place]:g}"
        if paths.tuning[place] < 1:
            parts.append(nothing_known(name, "the tuning is below one pull: rounding only"))
            continue
        unfair = paths.unfair[place, :, arm]
        mean = paths.short[place, :, arm].mean()
        detail = f"lacks {mean:.1f} of {paths.levels[arm]:.0f} pulls on average"
        part = share_of(name, int(unfair.sum()), unfair.size, least=MAJORITY)
        parts.append(replace(part, detail=detail))
    return parts


def _lasting(case: str, policy: str, paths: Paths) -> str:
    """Say which arms stay fair below eta = 1, and down to where."""
    place = int(np.flatnonzero(paths.scale < 1)[-1])
    unfair_at = paths.unfair.mean(axis=1) > MAJORITY
    arms = [arm for arm in paths.suboptimal if not unfair_at[place, arm]]
    if not arms:
        return ""
    ends = []
    for arm in arms:
        unfair = np.flatnonzero(unfair_at[:, arm])
        until = f"unfair from η = {paths.scale[unfair[-1]]:g} down" if unfair.size else "never"
        ends.append(f"arm {arm + 1} {until}")
    return f"{case}, {policy}: {', '.join(ends)}."


def _measure(evidence: Evidence) -> Finding:
    parts: list[Part] = []
    sentences: list[str] = []
    below = 1.0
    for policy in POLICIES:
        for case in evidence.cases(SETTING):
            paths = paths_of(evidence, case, policy)
            below = float(paths.scale[paths.scale < 1][-1])
            parts += _parts(case, policy, paths)
            sentences.append(_lasting(case, policy, paths))
    for case in evidence.cases(SETTING):
        if has_policy(evidence, case, PAPER_POLICY):
            paths = paths_of(evidence, case, PAPER_POLICY)
            place = int(np.flatnonzero(paths.scale < 1)[-1])
            count = int((paths.unfair[place].mean(axis=0) > MAJORITY).sum())
            sentences.append(f"{case}: {count} arms are unfair under {PAPER_POLICY} at the same η.")
    note = [
        "All arms: all suboptimal ones, since no policy makes the best arm unfair. Unfair: short "
        "of floor(τ_k T) by a whole pull or more, so that a remainder of τ_k T counts for nothing; "
        f"as soon as: at the largest η below 1 on the grid, {below:g}. By "
        "design Flearn's shortfall is at most α = (1 − η)τ_1 T and a pull: as small as 1 − η. "
        "Nearer to 1 than 1/(τ_1 T) for Flearn and 1/T for LFG all is rounding.",
        *sentences,
    ]
    return Finding(
        "share of replicates in which an arm lacks a whole pull, for the arm of which it is least",
        tuple(parts),
        note=" ".join(sentence for sentence in note if sentence),
    )


CLAIM = Claim(
    where="Figure 2",
    statement="Under Flearn and LFG all suboptimal arms turn unfair at once, as soon as the scale "
    "η is below 1.",
    rule="For each policy, case and suboptimal arm, at the largest η below 1: holds if the arm "
    "lacks at least one whole pull of floor(τ_k T) in more than half of the replicates, fails if "
    "in fewer than half, by the whole 95 % Wilson interval; undecided where the tuning is below "
    "one pull.",
    measure=_measure,
)
