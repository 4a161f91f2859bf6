"""C16: the construction of Theorem 4.6 has the regret that it claims."""

from penalized_bandits.claims.base import Claim
from penalized_bandits.claims.measures.constructions import construction_parts

CLAIM = Claim(
    where="Theorem 4.6",
    statement="On the proof's instance regret is at least Σ log T/(Δ_k − A_k) "
    "over non-critical arms.",
    rule="At each horizon where the proof's assumptions hold: holds if regret (nothing is random) "
    "is at least the bound, fails if less. Where they do not hold, nothing is said.",
    evidence="results/summaries/deterministic.csv",
    measure=lambda evidence: construction_parts(evidence, "4_6"),
)
