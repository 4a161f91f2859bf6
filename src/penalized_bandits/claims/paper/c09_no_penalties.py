"""C09: without penalties the policy is UCB1."""

import numpy as np

from penalized_bandits.claims.base import Claim, Finding, exactly
from penalized_bandits.claims.evidence import Evidence
from penalized_bandits.claims.measures.growth import series
from penalized_bandits.policies import PAPER_POLICY
from penalized_bandits.theory.bounds import gap_dependent_bound
from penalized_bandits.theory.inputs import instance_of

ROUNDING = 1e-12


def _measure(evidence: Evidence) -> Finding:
    parts = []
    instances = evidence.section("log_laws").instances
    for one in series(evidence):
        if one.penalties().any() or one.penalties(0).any():
            continue
        if "ucb1" not in instances[one.name].policies:
            continue
        ucb1 = [evidence.outcome("log_laws", o.case, "ucb1", o.horizon) for o in one.outcomes]
        pairs = zip(one.outcomes, ucb1, strict=True)
        differing = sum(int((a.pulls != b.pulls).any(axis=1).sum()) for a, b in pairs)
        name = f"{one.name}: replicates with other pulls than UCB1"
        parts.append(exactly(name, holds=differing == 0, value=differing, limit=0))
        last = one.horizons[-1]
        known = float((8 * np.log(last) / one.gaps[one.gaps > 0]).sum())
        ratio = float(gap_dependent_bound(instance_of(*one.bandit), last)) / known
        holds = abs(ratio - 1) < ROUNDING
        parts.append(exactly(f"{one.name}: bound of 4.2d over Σ 8 log T/Δ", holds, ratio, 1.0))
    return Finding(f"replicates in which {PAPER_POLICY} with A = 0 and UCB1 differ", tuple(parts))


CLAIM = Claim(
    where="remark after Theorem 4.2",
    statement="With A = 0 the policy is UCB1, pull by pull, and the bound of Theorem 4.2d is "
    "Σ 8 log T/Δ_k, as Auer et al. (2002) have it.",
    rule="Holds if on the same rewards no replicate has other pulls than UCB1 at any horizon, and "
    "if the two bounds agree at the largest horizon; fails otherwise.",
    measure=_measure,
    kind="identity",
)
