"""C16: the construction of Theorem 4.6 has the regret that it claims."""

from penalized_bandits.claims.base import Claim, Finding
from penalized_bandits.claims.evidence import Evidence
from penalized_bandits.claims.measures.constructions import regret_by_arm


def _measure(evidence: Evidence) -> Finding:
    return Finding(
        "least of the arms' own regrets over their parts of the lower bound",
        regret_by_arm(evidence, "4_6"),
        note="The regret of other arms does not count. The ratio tends to 2 as T → ∞.",
    )


CLAIM = Claim(
    where="Theorem 4.6",
    statement="There is a bandit, that of the proof, in which each non-critical arm "
    "costs at least log T/(Δ_k − A_k).",
    rule="At each horizon where the proof's assumptions hold: holds if the regret of every such "
    "arm (nothing is random) is above its own part of the bound, fails if that of one is below. "
    "Where they do not hold, nothing is said.",
    measure=_measure,
    kind="bound",
)
