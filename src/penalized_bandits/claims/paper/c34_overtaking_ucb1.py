"""C34: whether and where the hard threshold overtakes UCB1 (not in the paper)."""

from penalized_bandits.claims.base import Claim
from penalized_bandits.claims.measures.overtaking import overtaken

CLAIM = Claim(
    where="implied by Figure 1; not shown in the paper",
    statement="From some horizon on the hard threshold has smaller penalized regret than UCB1, "
    "which ignores fairness.",
    rule="In each cell, up to the largest horizon: holds if the last clear sign of the paired "
    "difference (t-test, Holm over horizons) favours the hard threshold, fails if it favours "
    "UCB1. The estimate is the horizon of the change, with its bootstrap interval.",
    evidence="results/summaries/crossover.csv",
    measure=lambda evidence: overtaken(evidence, "ucb1"),
)
