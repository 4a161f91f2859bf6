"""C08: the constant of the log T law of a non-critical arm's pulls."""

import numpy as np

from penalized_bandits.claims.base import Claim, Finding, within
from penalized_bandits.claims.evidence import Evidence
from penalized_bandits.claims.measures.growth import meets_4_2, series


def _measure(evidence: Evidence) -> Finding:
    from penalized_bandits.statistics.fits import fit_log
    from penalized_bandits.statistics.measurements import measure
    from penalized_bandits.theory.bounds import PULLS_SLOPES

    parts = []
    for one in series(evidence):
        if not meets_4_2(one):
            continue
        late = one.settled()
        margins = one.gaps - one.penalties()
        for arm in np.flatnonzero(margins > 0):
            slope = fit_log(measure(late.horizons, late.pulls(int(arm)))).slope
            scale = float(margins[arm]) ** 2
            values = (slope.value * scale, slope.low * scale, slope.high * scale)
            parts.append(within(f"{one.name} arm {arm + 1}", *values, *PULLS_SLOPES))
    constants = [part.estimate for part in parts] or [np.nan]
    return Finding(
        "slope of E N_k in log T, times (Δ_k − A_k)²",
        tuple(parts),
        note=f"Over all arms the constant is {np.mean(constants):.3g} on average, from "
        f"{min(constants):.3g} to {max(constants):.3g}; balancing the indices gives 2 as T → ∞.",
    )


CLAIM = Claim(
    where="section 4, tightness of Theorem 4.2",
    statement="N_k (Δ_k − A_k)²/log T of a non-critical arm tends to a constant between 1 and 8.",
    rule="For every non-critical arm of an instance that meets the theorem's conditions, from "
    "T = 10,000 on: holds if the 95 % interval of the slope of N_k in log T, times "
    "(Δ_k − A_k)², lies between 1 and 8, fails if outside.",
    evidence="results/summaries/log_laws.csv",
    measure=_measure,
)
