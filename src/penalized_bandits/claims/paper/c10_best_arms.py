"""C10: a common penalty rate between two gaps keeps the best arms fair."""

from penalized_bandits.claims.base import Claim, Finding, share_of
from penalized_bandits.claims.evidence import Evidence
from penalized_bandits.claims.measures.fair_arms import SURE, exact, fair_arms, within_reach
from penalized_bandits.policies import PAPER_POLICY


def _measure(evidence: Evidence) -> Finding:
    last = evidence.section("equal_penalties").horizons[-1]
    parts = []
    for outcome in evidence.outcomes("equal_penalties", policy=PAPER_POLICY, horizon=last):
        wanted = within_reach(outcome)
        fair = fair_arms(outcome)[:, wanted].all(axis=1)
        name = f"{outcome.case} A = {outcome.tuning:.3g}, {wanted.sum()} arms, T={last}"
        parts.append(share_of(name, int(fair.sum()), fair.size, least=SURE))
    return Finding(
        "probability that all of the k best arms are fair", tuple(parts), note=exact(evidence, last)
    )


CLAIM = Claim(
    where="remark after Theorem 4.2",
    statement="An equal penalty rate can be chosen that keeps the k best arms fair, where the "
    "next gap is larger.",
    rule="For A halfway between neighbouring gaps, at the largest horizon: holds if the Wilson "
    "interval of the probability that all of the k best arms are fair (to 1 % of their level, or "
    f"one pull) lies above {SURE:g}, fails if below. Whether another arm is fair as well is in the "
    "note.",
    measure=_measure,
)
