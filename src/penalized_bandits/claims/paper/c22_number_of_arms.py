"""C22: the first rule for A keeps a chosen number of arms fair."""

from penalized_bandits.claims.base import Claim, Finding, within
from penalized_bandits.claims.evidence import Evidence
from penalized_bandits.claims.measures.fair_arms import fair_arms, within_reach
from penalized_bandits.policies import PAPER_POLICY


def _measure(evidence: Evidence) -> Finding:
    from penalized_bandits.statistics.estimates import mean_estimate

    horizons = evidence.section("equal_penalties").horizons
    parts = []
    for outcome in evidence.outcomes("equal_penalties", policy=PAPER_POLICY, horizon=horizons[-1]):
        wanted = int(within_reach(outcome).sum())
        found = mean_estimate(fair_arms(outcome).sum(axis=1).astype(float))
        name = f"{outcome.case} K_exploit = {wanted}, T={horizons[-1]}"
        limits = (wanted - 0.5, wanted + 0.5)
        parts.append(within(name, found.value, found.low, found.high, *limits))
    return Finding(
        "mean number of fair arms",
        tuple(parts),
        note="As printed the rule is the infimum of a set without lower bound: every a below 0 is "
        "in it. Read as the rates that keep exactly K_exploit arms, those between two "
        "neighbouring gaps.",
    )


CLAIM = Claim(
    where='section 5, "Practical choice", 1',
    statement="An A between Δ_(K_exploit) and the next gap keeps K_exploit arms fair.",
    rule="For each number of arms, at the largest horizon: holds if the mean number of fair arms "
    "(to 1 % of their level, or one pull) lies within one half of it with its 95 % interval, "
    "fails if outside.",
    evidence="results/summaries/equal_penalties.csv",
    measure=_measure,
)
