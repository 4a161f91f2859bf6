"""C34: whether and where the hard threshold overtakes UCB1 (not in the paper)."""

from penalized_bandits.claims.base import Claim
from penalized_bandits.claims.measures.overtaking import MISSES, RULE, overtaken

CLAIM = Claim(
    where="not in the paper; follows from Theorem 4.2",
    statement="From some horizon on the hard threshold has smaller penalized regret than UCB1, "
    "which ignores fairness.",
    rule=f"{RULE} In the cells of Setting 1 it is from the replicates there, which are more, where "
    "the change is within their horizons.",
    ours=True,
    misses=MISSES,
    measure=lambda evidence: overtaken(evidence, "ucb1", "setting_1"),
)
