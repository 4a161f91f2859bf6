"""C12: the deterministic inequality for small margins (Observation 1)."""

import numpy as np

from penalized_bandits.bandit.regret import shortfall
from penalized_bandits.claims.base import Claim, Finding, below
from penalized_bandits.claims.evidence import Evidence
from penalized_bandits.claims.measures.growth import series
from penalized_bandits.theory.deficits import small_margin_bound


def _measure(evidence: Evidence) -> Finding:
    parts = []
    for one in series(evidence):
        largest = -np.inf
        for i, outcome in enumerate(one.outcomes):
            margin = one.penalties(i) - one.gaps
            n_arms, horizon = margin.size, outcome.horizon
            least = np.sqrt(32 * n_arms * np.log(horizon) / horizon)
            small = (margin >= 0) & (margin <= least)
            if not small.any():
                continue
            cost = margin * shortfall(outcome.pulls, outcome.fairness, horizon)
            limit = small_margin_bound(outcome.fairness, horizon)
            largest = max(largest, float((cost / limit)[:, small].max()))
        if np.isfinite(largest):
            parts.append(below(one.name, largest, largest, largest, 1.0 + 1e-12))
    return Finding(
        "largest ratio of (A_k − Δ_k)(τ_k T − N_k)₊ to τ_k √(32 K T log T)", tuple(parts)
    )


CLAIM = Claim(
    where="Observation 1",
    statement="If A_k − Δ_k ≤ √(32 K log T/T), then (A_k − Δ_k) E(τ_k T − N_k)₊ ≤ "
    "τ_k √(32 K T log T).",
    rule="Holds if the ratio of the two sides is at most 1 in every replicate, for every arm with "
    "0 ≤ A_k − Δ_k below the limit; fails otherwise. (It follows from N_k ≥ 0 alone.)",
    measure=_measure,
    kind="identity",
)
