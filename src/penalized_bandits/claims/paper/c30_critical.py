"""C30: pulls of critical arms go as the inverse squared gap (Figure 4, bottom)."""

from penalized_bandits.claims.base import Claim
from penalized_bandits.claims.measures.elasticity import RULE, proportional_pulls

CLAIM = Claim(
    where="Figure 4, lower row",
    statement="N_k(T) is proportional to Δ_k^−2 for critical arms above their fairness level.",
    rule=RULE.format(side="above", inverse="Δ_k^−2"),
    measure=lambda evidence: proportional_pulls(evidence, critical=True),
)
