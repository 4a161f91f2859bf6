"""C17: the construction of Theorem 4.7 has the regret that it claims."""

from penalized_bandits.claims.base import Claim
from penalized_bandits.claims.measures.constructions import construction_parts

CLAIM = Claim(
    where="Theorem 4.7",
    statement="On the proof's instance regret is at least Σ Δ_k (log T/Δ_k² − τ_k T) "
    "over critical arms.",
    rule="At each horizon where the proof's assumptions hold: holds if regret (nothing is random) "
    "is at least the bound, fails if less. Where they do not hold, nothing is said.",
    evidence="results/summaries/deterministic.csv",
    measure=lambda evidence: construction_parts(evidence, "4_7"),
)
