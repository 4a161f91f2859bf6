"""C02: arms reach their fairness level with probability going to 1 (Theorem 4.1)."""

import numpy as np

from penalized_bandits.claims.base import Claim, Finding, Part, above
from penalized_bandits.claims.evidence import Evidence
from penalized_bandits.claims.measures.fair_arms import all_served
from penalized_bandits.claims.measures.growth import series
from penalized_bandits.policies import PAPER_POLICY
from penalized_bandits.storage.replicates import Outcome

CERTAIN = 0.9


def _part(name: str, outcome: Outcome) -> Part:
    from penalized_bandits.statistics.estimates import wilson

    fair = all_served(outcome)
    if np.ptp(outcome.pulls, axis=0).max() == 0:  # nothing random
        share = float(fair.mean())
        return above(name, share, share, share, CERTAIN)
    found = wilson(int(fair.sum()), fair.size)
    return above(name, found.value, found.low, found.high, CERTAIN)


def _measure(evidence: Evidence) -> Finding:
    from penalized_bandits.theory.conditions import condition_4_1

    parts = []
    for one in series(evidence):
        last = one.horizons[-1]
        stated = condition_4_1(one.means, one.fairness(), one.penalties(), last)
        if stated.holds:
            parts.append(_part(f"{one.name} T={last}", one.outcomes[-1]))
    horizons = evidence.section("deterministic").horizons_4_1
    for horizon in horizons[-1:]:
        case = f"theorem_4_1_T{horizon}"
        outcome = evidence.outcome("deterministic", case, PAPER_POLICY, horizon)
        parts.append(_part(f"unequal fairness fractions T={horizon}", outcome))
    return Finding(
        "probability that every arm has its ⌊τ_k T⌋ pulls at the largest horizon",
        tuple(parts),
        note="With unequal τ an arm can fall short by more than one pull for ever: many arms with "
        "small τ come due in the same round and are served before it. With equal τ the "
        "argument of the proof gives a deficit below 1.",
    )


CLAIM = Claim(
    where="Theorem 4.1",
    statement="If A_k − Δ_k is above the theorem's limit for all arms, then N_k(T) ≥ ⌊τ_k T⌋ for "
    "all of them with probability going to 1.",
    rule="For every instance that meets the condition as stated at the largest horizon: holds if "
    "the Wilson interval of that probability lies above 0.9 there, fails if below.",
    evidence="results/summaries/log_laws.csv",
    measure=_measure,
)
