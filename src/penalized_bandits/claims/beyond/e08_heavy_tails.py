"""E08: heavy tails break the law."""

from penalized_bandits.claims.base import Claim, Finding
from penalized_bandits.claims.evidence import Evidence
from penalized_bandits.claims.measures.growth import growth_part
from penalized_bandits.policies import PAPER_POLICY

NAME = "heavy_tails"
LIMIT = 0.5


def _measure(evidence: Evidence) -> Finding:
    parts = []
    for case in evidence.cases(NAME):
        runs = [
            evidence.outcome(NAME, case, PAPER_POLICY, horizon)
            for horizon in evidence.section(NAME).horizons
        ]
        parts.append(growth_part(case, runs, LIMIT))
    return Finding("exponent of mean regret in T", tuple(parts))


CLAIM = Claim(
    where="beyond the paper",
    statement="Under rewards with heavy tails the hard threshold's penalized regret still grows "
    "more slowly than the square root of T.",
    rule="For each tail index: the exponent of mean regret between the smallest and the largest "
    "horizon; holds if its 95 % interval is below 0.5, fails if above.",
    measure=_measure,
)
