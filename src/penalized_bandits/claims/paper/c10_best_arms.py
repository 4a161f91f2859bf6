"""C10: a common penalty rate between two gaps keeps exactly the best arms fair."""

from penalized_bandits.claims.base import Claim, Finding, above
from penalized_bandits.claims.evidence import Evidence
from penalized_bandits.claims.measures.fair_arms import fair_arms, shifts, within_reach
from penalized_bandits.policies import PAPER_POLICY

MOST = 0.9


def _measure(evidence: Evidence) -> Finding:
    from penalized_bandits.statistics.estimates import wilson

    horizons = evidence.section("equal_penalties").horizons
    parts = []
    for outcome in evidence.outcomes("equal_penalties", policy=PAPER_POLICY, horizon=horizons[-1]):
        wanted = within_reach(outcome)
        right = (fair_arms(outcome) == wanted).all(axis=1)
        found = wilson(int(right.sum()), right.size)
        name = f"{outcome.case} A = {outcome.tuning:.3g}, {wanted.sum()} arms, T={horizons[-1]}"
        parts.append(above(name, found.value, found.low, found.high, MOST))
    return Finding(
        "probability that exactly the k best arms are fair",
        tuple(parts),
        note="At a finite horizon arms leave their level at a penalty rate below the gap: "
        f"{shifts(evidence, horizons[-1])}. Gaps closer than that cannot be told apart yet.",
    )


CLAIM = Claim(
    where="remark after Theorem 4.2",
    statement="With equal penalty rates between Δ_(k) and Δ_(k+1) exactly the k best arms are "
    "fair.",
    rule="For A halfway between neighbouring gaps, at the largest horizon: holds if the Wilson "
    "interval of the probability that exactly these arms are fair (to 1 % of their level, or "
    "one pull) lies above 0.9, fails if below.",
    evidence="results/summaries/equal_penalties.csv",
    measure=_measure,
)
