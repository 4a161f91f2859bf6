"""C15: the worst case over gaps grows like the root of T (Theorems 4.5 and 4.8)."""

from penalized_bandits.claims.base import Claim, Finding
from penalized_bandits.claims.evidence import Evidence
from penalized_bandits.claims.measures.worst_case import exponent_part, gap_multiples
from penalized_bandits.policies import PAPER_POLICY


def _measure(evidence: Evidence) -> Finding:
    part = exponent_part(evidence, PAPER_POLICY, 0.45, 0.55, 0.5)
    where = gap_multiples(evidence, PAPER_POLICY)
    note = f"The worst gaps are {where} times √(K log T/T)."
    return Finding("exponent in T of the worst mean regret over √(log T)", (part,), note=note)


CLAIM = Claim(
    where="Theorems 4.5 and 4.8",
    statement="The worst case over gaps grows like √T up to logarithms.",
    rule="Holds if the 95 % interval of the exponent of the worst mean regret over gaps, divided "
    "by the bound's √(log T), lies between 0.45 and 0.55, fails if outside.",
    evidence="results/summaries/worst_case.csv",
    measure=_measure,
)
