"""C33R: LFG keeps the fractions asymptotically, as its authors say (not in the paper)."""

from dataclasses import replace
from itertools import pairwise

from penalized_bandits.bandit.regret import unfairness
from penalized_bandits.claims.base import Claim, Finding, below
from penalized_bandits.claims.evidence import Evidence


def _measure(evidence: Evidence) -> Finding:
    from penalized_bandits.statistics.estimates import mean_estimate

    parts = []
    for case in evidence.cases("lfg_fairness"):
        runs = evidence.outcomes("lfg_fairness", case=case, policy="lfg")
        for eta in dict.fromkeys(run.tuning for run in runs):
            along = sorted((r for r in runs if r.tuning == eta), key=lambda run: run.horizon)
            lacks = [unfairness(r.pulls, r.fairness, r.horizon) / r.horizon for r in along]
            for (earlier, first), (later, run) in pairwise(zip(lacks, along, strict=True)):
                before = float(earlier.mean())
                found = mean_estimate(later - (first.horizon / run.horizon) ** 0.5 * earlier)
                name = f"{case} η₀ = {eta:g} T={run.horizon}"
                part = below(name, found.value, found.low, found.high, 0.0, stake=before)
                if not later.any():
                    part = replace(part, status="holds")
                detail = f"lacks {later.mean():.3g} of a pull a round, {before:.3g} before"
                parts.append(replace(part, detail=detail))
    return Finding(
        "shortfall Σ (τ_k T − N_k)₊/T less √(T′/T) times that at T′, the horizon before",
        tuple(parts),
        note="A shortfall a round that goes to 0 is lim inf N_k/T ≥ τ_k, what Li, Liu and Ji "
        "prove: the queues of LFG stay bounded, by a number that grows with η₀.",
    )


CLAIM = Claim(
    where="not in the paper; Li, Liu and Ji 2019",
    statement="For every η₀ LFG keeps the fractions in the long run: lim inf N_k/T ≥ τ_k.",
    rule="For each η₀ and each horizon but the first: holds if the mean shortfall a round, "
    "Σ (τ_k T − N_k)₊/T, is less than √(T′/T) times that at T′, the horizon before (paired "
    "t-interval), or 0 in every replicate; fails if it is more.",
    evidence="results/summaries/lfg_fairness.csv",
    measure=_measure,
    ours=True,
)
