"""C33: LFG does not guarantee asymptotic fairness for a positive tuning parameter (section 3)."""

from dataclasses import replace

import numpy as np

from penalized_bandits.bandit.regret import unfairness
from penalized_bandits.claims.base import Claim, Finding, share_of
from penalized_bandits.claims.evidence import Evidence
from penalized_bandits.claims.measures.fair_arms import HALF, all_served
from penalized_bandits.policies import PAPER_POLICY


def _measure(evidence: Evidence) -> Finding:
    section = evidence.section("lfg_fairness")
    largest = max(section.eta_0)
    parts = []
    for outcome in evidence.outcomes("lfg_fairness", policy="lfg"):
        if outcome.tuning == largest:
            fair = all_served(outcome)
            name = f"{outcome.case} η₀ = {largest:g} T={outcome.horizon}"
            lacks = unfairness(outcome.pulls, outcome.fairness, outcome.horizon).mean()
            part = share_of(name, int(fair.sum()), fair.size, most=HALF)
            parts.append(replace(part, detail=f"lacks {lacks:.1f} pulls in all on average"))
    last = section.horizons[-1]
    smaller = ", ".join(
        f"{all_served(o).mean():.3g} ({o.case}, η₀ = {o.tuning:g})"
        for o in evidence.outcomes("lfg_fairness", policy="lfg", horizon=last)
        if o.tuning != largest
    )
    hard = evidence.outcomes("lfg_fairness", policy=PAPER_POLICY, horizon=last)
    share = np.mean([all_served(outcome).mean() for outcome in hard])
    note = (
        "A guarantee is refuted by one bandit and one η₀. It is one in the sense of Theorem 4.1; "
        "in Li, Liu and Ji's own sense, that of fractions, see C33R. The hard threshold with A "
        f"above every gap is fair with probability {share:.3g} at T = {last}."
    )
    if smaller:
        note += f" At smaller η₀ LFG is so with probability {smaller}."
    return Finding("probability that every arm has its ⌊τ_k T⌋ pulls", tuple(parts), note=note)


CLAIM = Claim(
    where="section 3",
    statement="LFG does not guarantee asymptotic fairness when η₀ > 0, in the sense of "
    "Theorem 4.1: there is a bandit and an η₀ with which it is not fair.",
    rule="For the largest η₀ and each horizon: holds if the Wilson interval of the probability "
    f"that all arms have ⌊τ_k T⌋ pulls lies below {HALF:g}, fails if above.",
    measure=_measure,
)
