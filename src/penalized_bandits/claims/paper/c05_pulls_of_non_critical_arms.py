"""C05: the bound on a non-critical arm's pulls (Theorem 4.2c)."""

from penalized_bandits.claims.base import Claim
from penalized_bandits.claims.measures.bounds import pulls_within

CLAIM = Claim(
    where="Theorem 4.2c",
    statement="E N_k(T) ≤ max(min(8 log T/(Δ_k − A_k)², τ_k T), 8 log T/Δ_k²) + O(1) for "
    "non-critical arms.",
    rule="For each instance with fixed τ and A: the largest ratio of E N_k to the bound plus 10 "
    "pulls, over non-critical arms and the horizons at which the bound is below their level, holds "
    "if below 1 and fails if above it with its whole interval (Bonferroni over horizons). Vacuous "
    "where the bound exceeds T. (The constant that is attained is 2, not 8: C08.)",
    measure=lambda evidence: pulls_within(evidence, "non_critical"),
    kind="bound",
)
