"""C36: whether and where the hard threshold overtakes explore-then-commit (not in the paper)."""

from penalized_bandits.claims.base import Claim
from penalized_bandits.claims.measures.overtaking import overtaken

CLAIM = Claim(
    where="section 5; not shown in the paper",
    statement="From some horizon on the hard threshold has smaller penalized regret than "
    "explore-then-commit.",
    rule="In each cell, up to the largest horizon: holds if the last clear sign of the paired "
    "difference (t-test, Holm over horizons) favours the hard threshold, fails if it favours "
    "explore-then-commit. The estimate is the horizon of the change, with its bootstrap interval.",
    evidence="results/summaries/crossover.csv",
    measure=lambda evidence: overtaken(evidence, "explore_then_commit"),
)
