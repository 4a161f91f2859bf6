"""C04: the bound on a critical arm's pulls (Theorem 4.2b)."""

from penalized_bandits.claims.base import Claim
from penalized_bandits.claims.measures.bounds import pulls_within

CLAIM = Claim(
    where="Theorem 4.2b",
    statement="E N_k(T) ≤ max(8 log T/Δ_k², τ_k T) + O(1) for critical arms.",
    rule="For each instance with fixed τ and A: the largest ratio of E N_k to the bound plus 10 "
    "pulls, over critical arms and horizons, holds if below 1 and fails if above it with its "
    "whole interval (Bonferroni over horizons). Vacuous where the bound exceeds T.",
    measure=lambda evidence: pulls_within(evidence, "critical"),
    kind="bound",
)
