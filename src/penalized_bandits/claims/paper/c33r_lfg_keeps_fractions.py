"""C33R: LFG keeps the fractions asymptotically, as its authors say (not in the paper)."""

from dataclasses import replace

from penalized_bandits.bandit.regret import unfairness
from penalized_bandits.claims.base import Claim, Finding, Part, below, nothing_known
from penalized_bandits.claims.evidence import Evidence
from penalized_bandits.statistics.estimates import mean_estimate
from penalized_bandits.storage.replicates import Outcome


def _part(name: str, before: Outcome, last: Outcome) -> Part:
    """Hold the shortfall of all arms against a pull an arm, or against that at a horizon before."""
    lacks, lacked = (unfairness(o.pulls, o.fairness, o.horizon) for o in (last, before))
    detail = f"lacks {lacks.mean():.4g} pulls in all on average, {lacked.mean():.4g} before"
    few = mean_estimate(lacks)
    if few.high < last.fairness.size:
        part = below(name, *few.interval, float(last.fairness.size))
    else:
        share = lacked / before.horizon
        found = mean_estimate(lacks / last.horizon - (before.horizon / last.horizon) ** 0.5 * share)
        part = below(name, *found.interval, 0.0, stake=float(share.mean()))
    return replace(part, detail=detail)


def _measure(evidence: Evidence) -> Finding:
    parts = []
    for case in evidence.cases("lfg_fairness"):
        runs = evidence.outcomes("lfg_fairness", case=case, policy="lfg")
        for eta in dict.fromkeys(run.tuning for run in runs):
            own = sorted((r for r in runs if r.tuning == eta), key=lambda run: run.horizon)
            name = f"{case} η₀ = {eta:g} T={own[-1].horizon}"
            known = len(own) > 1
            parts.append(_part(name, *own[-2:]) if known else nothing_known(name, "one horizon"))
    return Finding(
        "shortfall Σ (τ_k T − N_k)₊ in pulls; where it is more than a pull an arm, the shortfall "
        "a round less √(T′/T) times the one at T′, the horizon before",
        tuple(parts),
        note="A shortfall a round that goes to 0 is lim inf N_k/T ≥ τ_k, what Li, Liu and Ji "
        "prove: the queues of LFG stay bounded, by a number that grows with η₀.",
    )


CLAIM = Claim(
    where="not in the paper; Li, Liu and Ji 2019",
    statement="For every η₀ LFG keeps the fractions in the long run: lim inf N_k/T ≥ τ_k.",
    rule="For each η₀ at the largest horizon T: holds if the mean shortfall of all arms together, "
    "Σ (τ_k T − N_k)₊, is less than a pull an arm, or a round less than √(T′/T) times that at T′, "
    "the horizon before (t-intervals, paired by replicate); fails if it is more than both.",
    measure=_measure,
    ours=True,
)
