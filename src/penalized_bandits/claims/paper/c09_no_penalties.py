"""C09: without penalties the policy is UCB1."""

import numpy as np

from penalized_bandits.bandit.regret import gaps
from penalized_bandits.claims.base import Claim, Finding, exactly
from penalized_bandits.claims.evidence import Evidence
from penalized_bandits.claims.measures.growth import bounded, series
from penalized_bandits.policies import PAPER_POLICY


def _measure(evidence: Evidence) -> Finding:
    from penalized_bandits.theory.bounds import ucb1_regret_bound

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
        losses = [(gaps(o.means) * o.pulls).sum(axis=1) for o in one.outcomes]
        bounds = ucb1_regret_bound(one.means, np.array(one.horizons, dtype=np.float64))
        said = bounds < np.array(one.horizons) * one.gaps.max()
        kept = [loss for loss, yes in zip(losses, said, strict=True) if yes]
        if kept:
            rounds = np.array(one.horizons)[said]
            parts.append(bounded(f"{one.name}: regret / bound", kept, bounds[said], rounds))
    return Finding(f"replicates in which {PAPER_POLICY} with A = 0 and UCB1 differ", tuple(parts))


CLAIM = Claim(
    where="remark after Theorem 4.2",
    statement="With A = 0 the policy is UCB1, arm by arm, and meets Auer et al.'s bound (2002).",
    rule="Holds if on the same rewards no replicate has other pulls than UCB1 at any horizon, and "
    "if the ratio of regret to Auer et al.'s bound lies below 1 with its interval wherever the "
    "bound is below the largest regret possible; fails otherwise.",
    evidence="results/summaries/log_laws.csv",
    measure=_measure,
)
