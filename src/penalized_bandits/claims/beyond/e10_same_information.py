"""E10: a policy that is told no more than the paper's has less penalized regret."""

from penalized_bandits.claims.base import Claim
from penalized_bandits.claims.beyond.best import LEAST_ALIKE, less_regret_of
from penalized_bandits.claims.beyond.margins import RULE

CLAIM = Claim(
    where="beyond the paper",
    statement=f"{LEAST_ALIKE}, told no more than the paper's hard threshold, has less penalized "
    "regret in every case, both as published.",
    rule=f"In each case, at the largest horizon: {RULE}. The policy is fixed by name; it was "
    "chosen on data of the exploration.",
    evidence="results/extended/comparison_by_case.csv",
    measure=lambda evidence: less_regret_of(evidence, LEAST_ALIKE),
    ours=True,
)
