"""C13: the scale of the deficit where the margin A − Δ is small (Lemma 4.4)."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from penalized_bandits.bandit.regret import shortfall
from penalized_bandits.claims.base import Claim, Finding, Part, below, vacuous
from penalized_bandits.claims.evidence import Evidence
from penalized_bandits.claims.measures.constructions import at_limits
from penalized_bandits.claims.measures.growth import bounded, series
from penalized_bandits.theory.conditions import condition_lemma_4_4
from penalized_bandits.theory.deficits import deficit_scale
from penalized_bandits.theory.inputs import instance_of

NEAR = 0.99
"""A scale of so large a share of the level itself says nothing."""


def _random(evidence: Evidence) -> Iterator[Part]:
    for one in series(evidence):
        samples, scales, horizons, said = [], [], [], False
        for i, outcome in enumerate(one.outcomes):
            bandit = (one.means, one.fairness(i), one.penalties(i))
            arms = one.gaps <= one.penalties(i)
            condition = condition_lemma_4_4(instance_of(*bandit), outcome.horizon)
            arms &= condition.per_arm
            if not arms.any():
                continue
            scale = deficit_scale(instance_of(*bandit), outcome.horizon)
            short = shortfall(outcome.pulls, outcome.fairness, outcome.horizon)
            ratios = (short[:, arms] / scale[arms]).mean(axis=0)
            arm = np.flatnonzero(arms)[int(np.argmax(ratios))]
            samples.append(short[:, arm])
            scales.append(float(scale[arm]))
            horizons.append(outcome.horizon)
            said |= bool(scale[arm] < NEAR * outcome.fairness[arm] * outcome.horizon)
        if samples:
            part = bounded(one.name, samples, np.array(scales), horizons)
            yield part if said else vacuous(part, "the scale is the level itself")


def _constructed(evidence: Evidence) -> Iterator[Part]:
    for name, every in at_limits(evidence, "lemma_4_4"):
        ratios = [
            float(o.deficits[0] / deficit_scale(instance_of(*o.bandit), o.horizon)[0])
            for o in every
        ]
        if ratios:
            worst = max(ratios)
            shown = ", ".join(f"{ratio:.3g}" for ratio in ratios)
            detail = f"{shown} at T = {every[0].horizon} to {every[-1].horizon}"
            yield replace(below(name, worst, worst, worst, 1.0), detail=detail)


def _measure(evidence: Evidence) -> Finding:
    return Finding(
        "largest ratio of E(τ_k T − N_k)₊ to 32 τ_k K log T/(A_k − Δ_k)²",
        (*_constructed(evidence), *_random(evidence)),
        note="In the construction, at a fixed multiple of the least margin, deficit and scale are "
        "both fixed shares of T. One multiple says nothing of the power of A_k − Δ_k.",
    )


CLAIM = Claim(
    where="Lemma 4.4",
    statement="E(τ_k T − N_k)₊ = O(32 τ_k K log T/(A_k − Δ_k)²) where A_k − Δ_k ≥ √(32 K log T/T).",
    rule="For each instance and construction, over the arms that meet the condition and all "
    "horizons: holds if the largest ratio of the mean deficit to the scale lies below 1 with its "
    "interval, fails if above (Bonferroni over horizons). Vacuous where the scale is the level "
    "τ_k T itself.",
    measure=_measure,
    kind="bound",
)
