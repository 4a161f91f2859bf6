"""E10: a policy that is told no more than the paper's has less penalized regret."""

from penalized_bandits.claims.base import Claim, Finding
from penalized_bandits.claims.beyond.best import LEAST_ALIKE, pairs_of
from penalized_bandits.claims.beyond.margins import RULE, less_regret
from penalized_bandits.claims.evidence import Evidence
from penalized_bandits.policies import PAPER_POLICY


def _measure(evidence: Evidence) -> Finding:
    return Finding(
        f"penalized regret of {LEAST_ALIKE} less that of {PAPER_POLICY}, both as published",
        less_regret(pairs_of(evidence, LEAST_ALIKE), evidence.level),
    )


CLAIM = Claim(
    where="beyond the paper",
    statement=f"{LEAST_ALIKE}, told no more than the paper's hard threshold, has less penalized "
    "regret in every case, both as published.",
    rule=f"In each case, at the largest horizon: {RULE}. The policy is fixed by name; it was "
    "chosen on data of the exploration.",
    evidence="results/extended/comparison_by_case.csv",
    measure=_measure,
    ours=True,
)
