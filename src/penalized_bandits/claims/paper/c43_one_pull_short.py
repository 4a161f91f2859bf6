"""C43: no critical arm lacks more than one pull from some round on (proof of Theorem 4.2)."""

from dataclasses import replace

import numpy as np

from penalized_bandits.bandit.regret import shortfall
from penalized_bandits.claims.base import Claim, Finding, Part, exactly, share_of
from penalized_bandits.claims.evidence import Evidence
from penalized_bandits.claims.measures.constructions import waiting
from penalized_bandits.claims.measures.growth import meets_4_2, series

ONE_PULL = 1 + 1e-6
UNLIKELY = 0.05


def _measure(evidence: Evidence) -> Finding:
    parts: list[Part] = []
    for small, every in waiting(evidence):
        last = every[-1]
        if not last.meets_4_2:
            continue
        lacking = float(last.deficits.max())
        part = exactly(f"{small} arms go first, T={last.horizon}", lacking <= ONE_PULL, lacking, 1)
        parts.append(replace(part, most=1.0))
    for one in series(evidence):
        if not meets_4_2(one):
            continue
        outcome = one.outcomes[-1]
        arms = one.gaps <= one.penalties()
        short = shortfall(outcome.pulls, outcome.fairness, outcome.horizon)[:, arms].max(axis=1)
        name = f"{one.name} T={outcome.horizon}: replicates with a deficit above 1"
        many = int(np.count_nonzero(short > ONE_PULL))
        parts.append(share_of(name, many, len(short), most=UNLIKELY))
    return Finding(
        "pulls that the arm furthest behind lacks (constructions), or share of replicates with an "
        "arm that lacks more than one (random rewards)",
        tuple(parts),
        note="Arms with small τ come due in one round and go before the arm with the large one, "
        "which waits for all of them: p of them make it lack p/2 pulls, for ever. The deficit is "
        "bounded all the same, as Theorem 4.2a says.",
    )


CLAIM = Claim(
    where="proof of Theorem 4.2, first part",
    statement="From the round n₂ on no critical arm lacks more than one pull, with probability "
    "going to 1.",
    rule="At the largest horizon, for every bandit that meets the theorem's conditions. "
    "Deterministic rewards: holds if no arm lacks more than one pull, fails if one does. Random "
    "rewards: holds if the share of replicates in which one does lies below "
    f"{UNLIKELY} with its Wilson interval, fails if above.",
    evidence="results/summaries/deterministic.csv",
    measure=_measure,
    kind="theorem",
)
