"""C31: under three reward laws the hard threshold has the best trade-off (Figure 5)."""

from penalized_bandits.claims.base import Claim
from penalized_bandits.claims.measures.tradeoff import RULE, highest_reward

CLAIM = Claim(
    where="Figure 5",
    statement="For each number of arms, τ and reward law, the hard threshold has a higher reward "
    "than Flearn and LFG (as in this paper, and as its authors published it) at every level of "
    "unfairness that both reach.",
    rule=RULE,
    measure=lambda evidence: highest_reward(evidence, "setting_5"),
)
