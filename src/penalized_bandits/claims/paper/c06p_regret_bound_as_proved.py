"""C06P: the regret bound of Theorem 4.2d as its proof gives it."""

from penalized_bandits.claims.base import Claim
from penalized_bandits.claims.measures.bounds import CONSTANT, regret_within

CLAIM = Claim(
    where="Theorem 4.2d, as proved",
    statement="Regret stays below the bound of eq. (12) plus O(K), with "
    "(8 log T/Δ_k − Δ_k τ_k T)₊ for critical arms, as the proof arrives at.",
    rule="For each instance with fixed τ and A, and for the bandit of Theorem 4.7 with "
    "τ_2 T = log T/(2 Δ²): the largest ratio of mean regret to the bound plus "
    f"{CONSTANT:g} K, over horizons, holds if below 1 and fails if above it with its whole "
    "interval (Bonferroni over horizons). Vacuous where the bound exceeds T or the largest regret "
    "that there is.",
    measure=lambda evidence: regret_within(evidence, "proved"),
    kind="bound",
    ours=True,
)
