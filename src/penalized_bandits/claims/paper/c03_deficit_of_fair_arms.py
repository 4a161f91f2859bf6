"""C03: the deficit of optimal and critical arms is O(1) (Theorem 4.2a)."""

from penalized_bandits.claims.base import Claim, Finding
from penalized_bandits.claims.evidence import Evidence
from penalized_bandits.claims.measures.growth import law_part, meets_4_2, series

SLACK = 1.0


def _measure(evidence: Evidence) -> Finding:
    parts = []
    for one in series(evidence):
        if not meets_4_2(one):
            continue
        late = one.settled()
        arms = one.gaps <= one.penalties()
        parts.append(law_part(one.name, late.horizons, late.shortfalls(arms), "plateau", SLACK))
    return Finding(
        "growth of Σ E(τ_k T − N_k)₊ over optimal and critical arms, in pulls, between the "
        "smallest and the largest horizon of the fit",
        tuple(parts),
    )


CLAIM = Claim(
    where="Theorem 4.2a",
    statement="E(τ_k T − N_k(T))₊ = O(1) for optimal and critical arms.",
    rule="For every instance that meets the theorem's conditions: holds if a plateau predicts the "
    "two largest horizons clearly better than log T and powers do, or if the growth in log T "
    "is less than a pull with its whole interval; fails if log T or a power wins.",
    evidence="results/summaries/log_laws.csv",
    measure=_measure,
)
