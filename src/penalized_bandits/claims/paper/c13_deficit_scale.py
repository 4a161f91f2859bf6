"""C13: the scale of the deficit where the margin A − Δ is small (Lemma 4.4)."""

import numpy as np

from penalized_bandits.bandit.regret import shortfall
from penalized_bandits.claims.base import Claim, Finding
from penalized_bandits.claims.evidence import Evidence
from penalized_bandits.claims.measures.growth import bounded, series


def _measure(evidence: Evidence) -> Finding:
    from penalized_bandits.theory.conditions import condition_lemma_4_4
    from penalized_bandits.theory.deficits import deficit_scale

    parts = []
    for one in series(evidence):
        samples, scales, horizons = [], [], []
        for i, outcome in enumerate(one.outcomes):
            bandit = (one.means, one.fairness(i), one.penalties(i))
            arms = one.gaps <= one.penalties(i)
            condition = condition_lemma_4_4(*bandit, outcome.horizon)
            arms &= condition.per_arm
            if not arms.any():
                continue
            scale = deficit_scale(*bandit, outcome.horizon)
            short = shortfall(outcome.pulls, outcome.fairness, outcome.horizon)
            ratios = (short[:, arms] / scale[arms]).mean(axis=0)
            arm = np.flatnonzero(arms)[int(np.argmax(ratios))]
            samples.append(short[:, arm])
            scales.append(float(scale[arm]))
            horizons.append(outcome.horizon)
        if samples:
            parts.append(bounded(one.name, samples, np.array(scales), horizons))
    return Finding("largest ratio of E(τ_k T − N_k)₊ to 32 τ_k K log T/(A_k − Δ_k)²", tuple(parts))


CLAIM = Claim(
    where="Lemma 4.4",
    statement="E(τ_k T − N_k)₊ = O(32 τ_k K log T/(A_k − Δ_k)²) where A_k − Δ_k ≥ √(32 K log T/T).",
    rule="For each instance, over the arms that meet the condition and all horizons: holds if the "
    "largest ratio of the mean deficit to the scale lies below 1 with its interval, fails if "
    "above (Bonferroni over horizons).",
    evidence="results/summaries/log_laws.csv",
    measure=_measure,
)
