"""C14: the regret bound that knows no gap (Theorem 4.5)."""

import numpy as np

from penalized_bandits.claims.base import Claim, Finding, below, vacuous
from penalized_bandits.claims.evidence import Evidence
from penalized_bandits.claims.measures.worst_case import worst_outcome, worst_regrets
from penalized_bandits.policies import PAPER_POLICY
from penalized_bandits.statistics.estimates import mean_estimate
from penalized_bandits.theory.bounds import gap_independent_bound


def _measure(evidence: Evidence) -> Finding:
    parts, note = [], ""
    horizons = evidence.section("worst_case").horizons
    for horizon, regrets in zip(horizons, worst_regrets(evidence, PAPER_POLICY), strict=True):
        outcome = worst_outcome(evidence, PAPER_POLICY, horizon)
        bound = float(gap_independent_bound(outcome.fairness, horizon))
        found = mean_estimate(regrets)
        part = below(f"T={horizon}", *(found / bound).interval, 1.0)
        why = f"the bound is {bound:.0f}, more than T"
        parts.append(vacuous(part, why) if bound >= horizon else part)
        unit = float(np.sqrt(outcome.means.shape[1] * horizon * np.log(horizon)))
        note = (
            f"At T = {horizon} the worst mean regret is {found.value / unit:.3g} √(K T log T), the "
            f"bound with C = 0 {bound / unit:.3g} √(K T log T)."
        )
    return Finding(
        "worst mean regret over gaps, over the bound without its unknown constant C",
        tuple(parts),
        note=note,
    )


CLAIM = Claim(
    where="Theorem 4.5",
    statement="Whatever the gaps, regret is at most 8 √(T log T) Σ √τ_k + "
    "8 √((1 − τ_min) K T log T) + C √(K T log T).",
    rule="At each horizon the largest mean regret over gaps and penalty rates, over the bound with "
    "C = 0: holds if below 1 with its 95 % interval, fails if above. Vacuous where the bound "
    "exceeds T.",
    measure=_measure,
    kind="bound",
)
