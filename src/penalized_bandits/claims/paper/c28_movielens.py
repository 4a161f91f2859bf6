"""C28: on MovieLens the hard threshold has the highest reward at equal unfairness (Figure 3)."""

from penalized_bandits.claims.base import Claim
from penalized_bandits.claims.measures.tradeoff import RULE, highest_reward

CLAIM = Claim(
    where="Figure 3",
    statement="On MovieLens, for each m0, the hard threshold has a higher reward than Flearn and "
    "LFG (as in this paper, and as its authors published it) at every level of unfairness that "
    "both reach.",
    rule=RULE,
    measure=lambda evidence: highest_reward(evidence, "setting_3"),
)
