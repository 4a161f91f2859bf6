"""C44: each arm's pulls in the constructions of Theorems 4.6 and 4.7."""

from penalized_bandits.claims.base import Claim, Finding
from penalized_bandits.claims.evidence import Evidence
from penalized_bandits.claims.measures.constructions import pulls_by_arm


def _measure(evidence: Evidence) -> Finding:
    return Finding(
        "least of the arms' pulls over log T/(Δ_k − A_k)² (4.6) or log T/Δ_k² (4.7)",
        (*pulls_by_arm(evidence, "4_6"), *pulls_by_arm(evidence, "4_7")),
        note="The ratio tends to 2 as T → ∞. These are the pulls behind the regret of C16 and C17.",
    )


CLAIM = Claim(
    where="proofs of Theorems 4.6 and 4.7",
    statement="In the proofs' bandits every non-critical arm is pulled at least log T/(Δ_k − A_k)² "
    "times (4.6), every critical one at least log T/Δ_k² times (4.7).",
    rule="At each horizon where a proof's assumptions hold: holds if every such arm (nothing is "
    "random) has more pulls than that, fails if one has fewer. Where they do not hold, nothing "
    "is said.",
    measure=_measure,
    kind="bound",
)
