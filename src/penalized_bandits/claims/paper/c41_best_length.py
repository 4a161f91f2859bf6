"""C41: the best length of explore-then-commit depends on the gap and on the horizon."""

from penalized_bandits.claims.base import Claim, Finding, above
from penalized_bandits.claims.evidence import Evidence
from penalized_bandits.theory.explore_then_commit import best_length, commit_regret

GAPS, HORIZONS = (0.1, 0.2, 0.4), (1e4, 1e6, 1e8)
DEARER = 1.1
"""Regret with another's length over regret with one's own: above this it matters."""


def _measure(evidence: Evidence) -> Finding:
    del evidence
    parts = []
    middle, horizon = GAPS[1], HORIZONS[1]
    others = [(gap, horizon, f"gap {gap:g}") for gap in (GAPS[0], GAPS[2])]
    others += [(middle, t, f"T = {t:g}") for t in (HORIZONS[0], HORIZONS[2])]
    own = best_length(middle, horizon)
    least = float(commit_regret(middle, own, horizon))
    for gap, rounds, name in others:
        length = best_length(gap, rounds)
        ratio = float(commit_regret(middle, length, horizon)) / least
        parts.append(above(f"the length that is best for {name}", ratio, ratio, ratio, DEARER))
    return Finding(
        f"regret at the gap {middle:g} and T = {horizon:g} with the length that is best elsewhere, "
        "over the least regret there",
        tuple(parts),
        note=f"The best length there is {own:.0f} pulls. Computed, not simulated.",
    )


CLAIM = Claim(
    where='section 5, "Comparison with ETC method"',
    statement="The best length of the exploration depends on Δ and on T.",
    rule="Two arms without penalties, Δ = 0.2, T = 10^6: holds for each of Δ = 0.1, Δ = 0.4, "
    "T = 10^4, T = 10^8 if the length that is best for it costs more than "
    f"{DEARER:g} times the least regret, fails if less.",
    evidence="results/claims/claims.json",
    measure=_measure,
    kind="identity",
)
