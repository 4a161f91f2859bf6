"""C29: pulls of non-critical arms go as the inverse squared gap beyond A (Figure 4, top)."""

from penalized_bandits.claims.base import Claim
from penalized_bandits.claims.measures.elasticity import RULE, proportional_pulls

CLAIM = Claim(
    where="Figure 4, upper row",
    statement="N_k(T) is proportional to (Δ_k − A_k)^−2 for non-critical arms below their "
    "fairness level.",
    rule=RULE.format(side="below", inverse="(Δ_k − A_k)^−2"),
    measure=lambda evidence: proportional_pulls(evidence, critical=False),
)
