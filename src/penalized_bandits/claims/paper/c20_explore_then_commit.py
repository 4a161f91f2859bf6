"""C20: explore-then-commit that knows no gap is worse in the worst case (section 5)."""

from penalized_bandits.claims.base import Claim, Finding, above
from penalized_bandits.claims.evidence import Evidence
from penalized_bandits.claims.measures.worst_case import exponent_part, worst_regrets
from penalized_bandits.policies import PAPER_POLICY

ETC = "explore_then_commit"


def _measure(evidence: Evidence) -> Finding:
    from penalized_bandits.statistics.estimates import mean_estimate

    parts = [exponent_part(evidence, ETC, 0.6, 0.73, 1 / 3)]
    horizon = evidence.section("worst_case").horizons[-1]
    # Different gaps are worst for the two, so replicates are not paired.
    ours, theirs = (worst_regrets(evidence, policy)[-1] for policy in (PAPER_POLICY, ETC))
    size = min(len(ours), len(theirs))
    found = mean_estimate(theirs[:size] - ours[:size])
    name = f"worst regret of {ETC} minus that of {PAPER_POLICY}, T={horizon}"
    parts.append(above(name, found.value, found.low, found.high, 0.0))
    return Finding(
        "exponent in T of its worst mean regret over (log T)^(1/3)",
        tuple(parts),
        note="It explores each arm m = (T/K)^(2/3) (log T)^(1/3) times.",
    )


CLAIM = Claim(
    where='section 5, "Comparison with ETC method"',
    statement="Explore-then-commit, its length chosen from T alone, has worst-case regret of the "
    "order T^(2/3), worse than the hard threshold's √T.",
    rule="(a) Holds if the 95 % interval of the exponent of its worst regret over gaps, divided by "
    "(log T)^(1/3), lies between 0.6 and 0.73, fails if outside; (b) holds if at the largest "
    "horizon its worst regret is above the hard threshold's with the 95 % interval of the "
    "difference, fails if below.",
    evidence="results/summaries/worst_case.csv",
    measure=_measure,
)
