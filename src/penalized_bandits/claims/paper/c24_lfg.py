"""C24: the hard threshold has smaller penalized regret than LFG (Figure 1)."""

from penalized_bandits.claims.base import Claim
from penalized_bandits.claims.measures.regret import SMALLER_REGRET, smaller_regret
from penalized_bandits.policies import PAPER_POLICY

CLAIM = Claim(
    where="Figure 1",
    statement="The hard threshold has smaller penalized regret than LFG in each panel and at "
    "each horizon.",
    rule=SMALLER_REGRET,
    measure=lambda evidence: smaller_regret(evidence, PAPER_POLICY, "lfg"),
)
