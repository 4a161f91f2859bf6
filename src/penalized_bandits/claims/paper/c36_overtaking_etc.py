"""C36: whether and where the hard threshold overtakes explore-then-commit (not in the paper)."""

from penalized_bandits.claims.base import Claim
from penalized_bandits.claims.measures.overtaking import MISSES, RULE, overtaken

CLAIM = Claim(
    where="section 5; not shown in the paper",
    statement="From some horizon on the hard threshold has smaller penalized regret than "
    "explore-then-commit.",
    rule=RULE,
    ours=True,
    misses=MISSES,
    measure=lambda evidence: overtaken(evidence, "explore_then_commit"),
)
