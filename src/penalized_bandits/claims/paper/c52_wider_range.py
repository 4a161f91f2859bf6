"""C52: the hard threshold keeps arms fair over a wider range of its scale (Figure 2)."""

import numpy as np

from penalized_bandits.claims.base import Claim, Finding, Part, above, by_p_values
from penalized_bandits.claims.evidence import Evidence
from penalized_bandits.claims.measures.effects import NEGLIGIBLE, sized
from penalized_bandits.claims.measures.unfairness_paths import (
    SETTING,
    Paths,
    arm_name,
    paths_of,
)
from penalized_bandits.common.typing import FloatArray
from penalized_bandits.policies import PAPER_POLICY
from penalized_bandits.statistics.estimates import paired_difference

RIVALS = ("fair_learn", "lfg")


def _range(paths: Paths) -> FloatArray:
    """Share of the grid of eta at which each arm is fair, shape (R, K)."""
    return np.asarray((~paths.unfair).mean(axis=0))


def _measure(evidence: Evidence) -> Finding:
    parts: list[Part] = []
    p_holds: list[float] = []
    p_fails: list[float] = []
    for case in evidence.cases(SETTING):
        paths = paths_of(evidence, case, PAPER_POLICY)
        ours = _range(paths)
        for rival in RIVALS:
            theirs = _range(paths_of(evidence, case, rival))
            for arm in paths.suboptimal:
                found = paired_difference(ours[:, arm], theirs[:, arm])
                name = f"{case} {arm_name(paths, arm)} against {rival}"
                parts.append(above(name, *found.difference.interval, 0.0, stake=1.0))
                p_holds.append(found.p_greater)
                p_fails.append(found.p_less)
    decided = by_p_values(parts, p_holds, p_fails)
    return Finding(
        "share of the scale η from 0 to 1 at which an arm is fair, hard threshold less rival",
        tuple(sized(part, "the scale") for part in decided),
        note="Fair: short of floor(τ_k T) by less than a whole pull. The scales are the paper's: "
        "A = η, α = (1 − η)τ_1 T and η₀ = (1 − η)T. Equal steps of them are not equal in any other "
        "sense.",
    )


CLAIM = Claim(
    where="Figure 2, caption",
    statement="The hard threshold keeps each suboptimal arm fair over a wider range of its scale "
    "than Flearn and LFG do over theirs.",
    rule="For each case, suboptimal arm and rival: holds if the mean paired difference of the "
    "shares of the grid of η at which the arm is fair is above 0, fails if below, at "
    "Holm-adjusted one-sided p < 0.05 over all parts. Undecided where it is negligible: where its "
    f"95 % interval is within {100 * NEGLIGIBLE:g} % of the scale.",
    measure=_measure,
)
