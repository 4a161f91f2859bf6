"""C26P: where arms turn unfair under the hard threshold (not in the paper; behind Figure 2)."""

from dataclasses import replace

import numpy as np

from penalized_bandits.claims.base import Claim, Finding, Part, within
from penalized_bandits.claims.evidence import Evidence
from penalized_bandits.claims.measures.unfairness_paths import (
    ROUNDING,
    SETTING,
    Paths,
    arm_name,
    paths_of,
)
from penalized_bandits.policies import PAPER_POLICY
from penalized_bandits.statistics.estimates import mean_estimate
from penalized_bandits.theory.fluid import break_points


def _parts(case: str, paths: Paths) -> list[Part]:
    predicted = break_points(paths.means, paths.fairness, float(paths.horizon))
    tolerance = paths.step / 2 + ROUNDING
    parts: list[Part] = []
    for arm in paths.suboptimal:
        fluid = float(predicted[arm])
        interval = mean_estimate(paths.break_points[:, arm]).interval
        limits = (fluid - tolerance, fluid + tolerance, fluid)
        part = within(f"{case} {arm_name(paths, arm)}", *interval, *limits)
        parts.append(replace(part, detail=f"{part.detail}; as T → ∞ {paths.gaps[arm]:g}"))
    return parts


def _measure(evidence: Evidence) -> Finding:
    cases = {case: paths_of(evidence, case, PAPER_POLICY) for case in evidence.cases(SETTING)}
    parts = [part for case, paths in cases.items() for part in _parts(case, paths)]
    offsets = np.concatenate(
        [
            paths.break_points[:, paths.suboptimal].mean(axis=0) - paths.gaps[paths.suboptimal]
            for paths in cases.values()
        ]
    )
    note = "The fluid prediction is Δ_k + √(2 log T/N_1) − √(2 log T/(τ_k T)), and Δ_k as T → ∞."
    if offsets.size:
        note += f" Break points lie {offsets.min():+.3f} to {offsets.max():+.3f} from the gaps."
    return Finding("scale η at which an arm turns unfair", tuple(parts), note=note)


CLAIM = Claim(
    where="not in the paper; behind Figure 2",
    statement="Under the hard threshold an arm turns unfair where the fluid prediction has it, "
    "which tends to A = Δ_k as T grows.",
    rule="For each suboptimal arm: holds if the mean break point (midway between the largest η at "
    "which the arm lacks a whole pull and the next) is within half a grid step of the fluid "
    "prediction with its 95 % t-interval, fails if outside.",
    measure=_measure,
    ours=True,
)
