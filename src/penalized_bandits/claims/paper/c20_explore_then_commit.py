"""C20: explore-then-commit that knows no gap is worse in the worst case (section 5)."""

import numpy as np

from penalized_bandits.claims.base import Claim, Finding, above, within
from penalized_bandits.claims.evidence import Evidence
from penalized_bandits.claims.measures.worst_case import worst_regrets
from penalized_bandits.policies import PAPER_POLICY
from penalized_bandits.statistics.estimates import mean_estimate
from penalized_bandits.theory.explore_then_commit import least_worst_regret

ETC = "explore_then_commit"
HORIZONS = (1e4, 1e5, 1e6, 1e7, 1e8)
AROUND = 0.03
"""How far the exponent may be from 2/3 in any decade."""


def _measure(evidence: Evidence) -> Finding:
    found = [least_worst_regret(horizon) for horizon in HORIZONS]
    slopes = np.diff(np.log([regret for regret, _ in found])) / np.log(10)
    furthest = float(slopes[np.argmax(np.abs(slopes - 2 / 3))])
    name = "best length for each T: exponent in the decade furthest off"
    limits = (2 / 3 - AROUND, 2 / 3 + AROUND, 2 / 3)
    parts = [within(name, furthest, furthest, furthest, *limits)]
    horizon = evidence.section("worst_case").horizons[-1]
    # Different gaps are worst for the two, so replicates are not paired.
    ours, theirs = (worst_regrets(evidence, policy)[-1] for policy in (PAPER_POLICY, ETC))
    size = min(len(ours), len(theirs))
    gap = mean_estimate(theirs[:size] - ours[:size])
    name = f"worst regret of {ETC} minus that of {PAPER_POLICY}, T={horizon}"
    stake = float(theirs.mean())
    parts.append(above(name, *gap.interval, 0.0, stake=stake))
    lengths = ", ".join(f"{length:.0f}" for _, length in found)
    return Finding(
        "(a) exponent in T of the worst regret; (b) difference of worst regrets",
        tuple(parts),
        note=f"(a) is computed, not simulated: the best lengths are {lengths} pulls at T = 10^4 to "
        "10^8. In (b) each arm is explored (T/K)^(2/3) (log T)^(1/3) times.",
    )


CLAIM = Claim(
    where='section 5, "Comparison with ETC method"',
    statement="Explore-then-commit, its length chosen from T alone, has worst-case regret of the "
    "order T^(2/3), worse than the hard threshold's √T.",
    rule="(a) On two arms without penalties, with the length that is best at each T against the "
    "worst gap: holds if in every decade of T from 10^4 to 10^8 the exponent of that regret is "
    f"within {AROUND} of 2/3, fails otherwise; (b) holds if at the largest horizon of the study "
    "the worst regret of the length (T/K)^(2/3) (log T)^(1/3) is above the hard threshold's with "
    "the 95 % interval of the difference, fails if below.",
    measure=_measure,
)
