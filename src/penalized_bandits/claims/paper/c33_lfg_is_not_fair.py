"""C33: LFG is not asymptotically fair for a positive tuning parameter (section 3)."""

import numpy as np

from penalized_bandits.bandit.regret import unfairness
from penalized_bandits.claims.base import Claim, Finding, below
from penalized_bandits.claims.evidence import Evidence
from penalized_bandits.claims.measures.fair_arms import all_served
from penalized_bandits.policies import PAPER_POLICY

HALF = 0.5


def _measure(evidence: Evidence) -> Finding:
    from penalized_bandits.statistics.estimates import wilson

    section = evidence.section("lfg_fairness")
    last = section.horizons[-1]
    parts, deficits = [], []
    for outcome in evidence.outcomes("lfg_fairness", policy="lfg", horizon=last):
        fair = all_served(outcome)
        found = wilson(int(fair.sum()), fair.size)
        name = f"{outcome.case} η₀ = {outcome.tuning:g} T={last}"
        parts.append(below(name, found.value, found.low, found.high, HALF))
        paths = [
            unfairness(o.pulls, o.fairness, o.horizon).mean()
            for o in evidence.outcomes("lfg_fairness", case=outcome.case, policy="lfg")
            if o.tuning == outcome.tuning
        ]
        shown = ", ".join(f"{value:.3g}" for value in paths)
        deficits.append(f"η₀ = {outcome.tuning:g}: {shown}")
    hard = evidence.outcomes("lfg_fairness", policy=PAPER_POLICY, horizon=last)
    share = np.mean([all_served(outcome).mean() for outcome in hard])
    times = ", ".join(str(t) for t in section.horizons)
    return Finding(
        "probability that every arm has its ⌊τ_k T⌋ pulls",
        tuple(parts),
        note=f"Mean deficit Σ (τ_k T − N_k)₊ at T = {times}: {'; '.join(deficits)}. Where it "
        "stands still LFG's share of pulls does tend to τ_k: it is unfair by a number of pulls "
        "that grows with η₀, not with T. The hard threshold with A above every gap is fair with "
        f"probability {share:.3g}.",
    )


CLAIM = Claim(
    where="section 3",
    statement="LFG is not asymptotically fair for η₀ > 0 (in the sense of Theorem 4.1).",
    rule="For each η₀ at the largest horizon: holds if the Wilson interval of the probability that "
    "all arms have ⌊τ_k T⌋ pulls lies below one half, fails if above.",
    evidence="results/summaries/lfg_fairness.csv",
    measure=_measure,
)
