"""C50: Flearn keeps the fairness levels only at a tuning parameter of 0 (section 3)."""

from dataclasses import replace

import numpy as np

from penalized_bandits.claims.base import Claim, Finding, Part, nothing_known, share_of
from penalized_bandits.claims.evidence import Evidence
from penalized_bandits.claims.measures.fair_arms import HALF, SURE
from penalized_bandits.claims.measures.unfairness_paths import SETTING, Paths, paths_of


def _parts(case: str, paths: Paths) -> list[Part]:
    fair = np.asarray(~paths.unfair.any(axis=2))
    parts: list[Part] = []
    for place in np.flatnonzero(paths.tuning == 0):
        found = fair[place]
        parts.append(share_of(f"{case} α = 0", int(found.sum()), found.size, least=SURE))
    above = np.flatnonzero(paths.tuning >= 1)
    if not above.size:
        return [*parts, nothing_known(f"{case} α > 0", "no α of a pull or more")]
    # Of several that are fair as often, the one that lacks least.
    chances, lacking = fair[above].sum(axis=1), paths.short[above].sum(axis=2).mean(axis=1)
    best = np.lexsort((lacking, -chances))[0]
    found = fair[above[best]]
    part = share_of(f"{case} α > 0", int(found.sum()), found.size, most=HALF)
    lacks = f"lacks {lacking[best]:.1f} pulls in all on average"
    detail = f"at α = {paths.tuning[above[best]]:g}; {lacks}"
    return [*parts, replace(part, detail=detail)]


def _measure(evidence: Evidence) -> Finding:
    parts = [
        part
        for case in evidence.cases(SETTING)
        for part in _parts(case, paths_of(evidence, case, "fair_learn"))
    ]
    return Finding(
        "probability that every arm has its ⌊τ_k T⌋ pulls",
        tuple(parts),
        note="Flearn's shortfall is at most α and a pull at any T: with a fixed α the fractions "
        "N_k/T tend to τ_k or more all the same. Here α is (1 − η)τ_1 T, a fraction of T.",
    )


CLAIM = Claim(
    where="section 3",
    statement="Flearn makes each arm be pulled at its level τ_k T if α = 0, and at no α of a pull "
    "or more; below a pull ⌊τ_k T⌋ hides what α leaves out.",
    rule="In each case of Setting 2, two parts. With α = 0: holds if the Wilson interval of the "
    f"probability that all arms have ⌊τ_k T⌋ pulls lies above {SURE:g}, fails if below. With "
    "α > 0: of all α on the grid of a pull or more, at the one where this probability is "
    "largest, and of several the one where least lacks: holds if the interval lies below "
    f"{HALF:g}, fails if above.",
    measure=_measure,
)
