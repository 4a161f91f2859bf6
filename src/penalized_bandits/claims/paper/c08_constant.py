"""C08: the constant of the log T law of a non-critical arm's pulls."""

import numpy as np

from penalized_bandits.claims.base import Claim, Finding, Part
from penalized_bandits.claims.evidence import Evidence
from penalized_bandits.claims.measures.fluid_law import RULE, Track, agreement, said_of_rivals
from penalized_bandits.claims.measures.growth import meets_4_2, series
from penalized_bandits.theory.fluid import predicted_pulls
from penalized_bandits.theory.inputs import instance_of
from penalized_bandits.theory.limits import PULLS


def _measure(evidence: Evidence) -> Finding:
    parts: list[Part] = []
    tracks: list[Track] = []
    for one in series(evidence):
        if not meets_4_2(one):
            continue
        late = one.settled()
        horizons = np.array(late.horizons, dtype=np.float64)
        predicted = np.array([predicted_pulls(instance_of(*one.bandit), t) for t in horizons])
        margins = one.gaps - one.penalties()
        for arm in np.flatnonzero(margins > 0):
            fluid = list(predicted[:, arm])
            name = f"{one.name} arm {arm + 1}"
            track = Track(name, horizons, late.pulls(int(arm)), fluid)
            parts.append(agreement(track, margins[arm] ** 2 / np.log(horizons), PULLS))
            tracks.append(track)
    return Finding(
        "mean pulls over their fluid prediction",
        tuple(parts),
        note="The numbers are N_k (Δ_k − A_k)²/log T: it still rises at the largest horizon, and "
        f"the fluid prediction puts its limit at {PULLS:g}, where the paper has at least 1 on the "
        f"instance of Theorem 4.6 and at most 8. {said_of_rivals(tracks)}",
    )


CLAIM = Claim(
    where="section 4, tightness of Theorem 4.2",
    statement="N_k (Δ_k − A_k)²/log T of a non-critical arm tends to a constant, at most 8 by "
    "Theorem 4.2c and at least 1 in the bandit of Theorem 4.6.",
    rule="For every non-critical arm of an instance that meets the theorem's conditions, from "
    "T = 10,000 on, its mean pulls over their fluid prediction, for which the limit is 2: "
    f"{RULE}",
    measure=_measure,
)
