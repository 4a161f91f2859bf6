"""C17: the construction of Theorem 4.7 has the regret that it claims."""

import numpy as np

from penalized_bandits.claims.base import Claim, Finding
from penalized_bandits.claims.evidence import Evidence
from penalized_bandits.claims.measures.constructions import regret_by_arm
from penalized_bandits.theory.limits import PULLS


def _measure(evidence: Evidence) -> Finding:
    level = evidence.section("deterministic").theorem_4_7.level
    limit = (PULLS - level) / (1 - level) if level < 1 else np.inf
    return Finding(
        "least of the arms' own regrets over their parts of the lower bound",
        regret_by_arm(evidence, "4_7"),
        note="The regret of other arms does not count. The ratio tends to "
        f"{limit:.3g} as T → ∞: to {PULLS:g} log T/Δ² pulls, less the level "
        f"of {level:g} log T/Δ².",
    )


CLAIM = Claim(
    where="Theorem 4.7",
    statement="There is a bandit, that of the proof, in which each critical arm "
    "costs at least Δ_k (log T/Δ_k² − τ_k T).",
    rule="At each horizon where the proof's assumptions hold: holds if the regret of every such "
    "arm (nothing is random) is above its own part of the bound, fails if that of one is below. "
    "Where they do not hold, nothing is said.",
    measure=_measure,
    kind="bound",
)
