"""C25: the hard threshold has smaller penalized regret than Flearn (Figure 1)."""

from penalized_bandits.claims.base import Claim
from penalized_bandits.claims.measures.regret import smaller_regret
from penalized_bandits.policies import PAPER_POLICY

CLAIM = Claim(
    where="Figure 1",
    statement="The hard threshold has smaller penalized regret than Flearn in each panel and at "
    "each horizon.",
    rule="A cell (panel and horizon) holds if the mean paired difference is below 0, fails if it "
    "is above 0, each at Holm-adjusted one-sided p < 0.05 over all cells.",
    evidence="results/summaries/setting_1.csv",
    measure=lambda evidence: smaller_regret(evidence, PAPER_POLICY, "fair_learn"),
)
