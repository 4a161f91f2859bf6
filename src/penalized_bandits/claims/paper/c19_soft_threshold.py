"""C19: a soft threshold has regret linear in T, the hard one log T (section 5)."""

import math

from penalized_bandits.claims.base import Claim, Finding, above, below
from penalized_bandits.claims.evidence import Evidence
from penalized_bandits.claims.measures.overtaking import cells, overtaking
from penalized_bandits.claims.measures.regret import regret_of
from penalized_bandits.policies import PAPER_POLICY


def _growth(evidence: Evidence, study: str, case: str, policy: str) -> tuple[float, float, float]:
    """Exponent of mean regret between the two ends of the last decade, with its interval."""
    import numpy as np

    from penalized_bandits.statistics.estimates import mean_estimate

    outcomes = {o.horizon: o for o in evidence.outcomes(study, case=case, policy=policy)}
    last = max(outcomes)
    first = max((t for t in outcomes if t <= last / 10), default=min(outcomes))
    before, after = regret_of(outcomes[first]), regret_of(outcomes[last])
    if first == last or min(before.mean(), after.mean()) <= 0:
        return math.nan, math.nan, math.nan  # one horizon, or no regret: nothing that grows
    # log of a ratio of paired means, linearised: the mean of its influence values.
    influence = after / after.mean() - before / before.mean()
    centre = float(np.log(after.mean() / before.mean()))
    found = mean_estimate(influence)
    span = float(np.log(last / first))
    return centre / span, (centre + found.low) / span, (centre + found.high) / span


def _measure(evidence: Evidence) -> Finding:
    parts = []
    soft = "soft_threshold_ucb"
    for study, case in cells(evidence):
        of_soft, of_hard = (_growth(evidence, study, case, p) for p in (soft, PAPER_POLICY))
        parts.append(above(f"{case}: exponent, soft", *of_soft, 0.9))
        parts.append(below(f"{case}: exponent, hard", *of_hard, 0.5))
        parts.append(overtaking(evidence, study, case, soft))
    return Finding(
        "exponent of mean regret over the last decade of horizons; horizon of overtaking",
        tuple(parts),
    )


CLAIM = Claim(
    where='section 5, "On hard threshold"',
    statement="A soft threshold has penalized regret linear in T, the hard threshold log T.",
    rule="In each cell of the studies: (a) the soft threshold's exponent over the last decade of "
    "horizons holds if its 95 % interval lies above 0.9, fails if below; (b) the hard "
    "threshold's holds if below 0.5, fails if above; (c) the hard threshold is ahead at the "
    "last clear sign of the paired difference.",
    evidence="results/summaries/crossover.csv",
    measure=_measure,
)
