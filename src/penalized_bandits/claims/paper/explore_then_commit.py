"""Explore-then-commit beside the hard threshold (section 5)."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from penalized_bandits.claims.base import claim
from penalized_bandits.claims.evidence import Evidence
from penalized_bandits.claims.horizon_series import regret_of
from penalized_bandits.claims.measures.regret import worst_outcomes
from penalized_bandits.claims.parts import Fields, Part, above, exact, within
from penalized_bandits.common.numbers import format_number
from penalized_bandits.policies import PAPER_POLICY
from penalized_bandits.theory.explore_then_commit import (
    best_length,
    commit_regret,
    gaps_of,
    least_worst_regret,
)
from penalized_bandits.theory.fluid import predicted_pulls
from penalized_bandits.theory.inputs import instance_of

ETC = "explore_then_commit"
WHERE = 'section 5, "Comparison with ETC method"'
HORIZONS = (1e4, 1e5, 1e6, 1e7, 1e8)
AROUND = 0.03
"""How far the exponent may be from 2/3 in any decade."""

GAP, ROUNDS = 0.2, 1e6
ELSEWHERE = ((0.1, ROUNDS), (0.4, ROUNDS), (GAP, 1e4), (GAP, 1e8))
"""Other gaps, and other horizons."""
DEARER = 1.1
"""Regret with another's length over regret with one's own: above this it matters."""


def _worst_regret(horizon: float) -> float:
    """Return the hard threshold's fluid regret at the worst gap, on two arms without penalties."""
    gaps = gaps_of(horizon)
    means = np.stack([gaps, np.zeros_like(gaps)], axis=1)
    return float((gaps * predicted_pulls(instance_of(means, 0.0), horizon)[:, 1]).max())


@claim(
    "C20",
    where=WHERE,
    statement="Explore-then-commit, its length chosen from T alone, has worst-case regret of the "
    "order T^(2/3), worse than the hard threshold's √T.",
    rule="On two arms without penalties, with the length that is best at each T against the worst "
    "gap: (a) holds if in every decade of T from 10^4 to 10^8 the exponent of that regret is "
    f"within {AROUND} of 2/3, fails otherwise; (b) holds if at each of these T it is above the "
    "hard threshold's largest regret over the same gaps, by the fluid prediction, and fails if "
    "below at one.",
    quantity="(a) exponent in T of the worst regret; (b) worst regret over the hard threshold's",
    evidence="results/claims/claims.json",
    kind="identity",
)
def worse_in_the_worst_case(evidence: Evidence) -> Iterator[Part | dict[str, Any]]:
    """Compare the least worst-case regret with its order and with the hard threshold's."""
    least, lengths = zip(*map(least_worst_regret, HORIZONS), strict=True)
    regrets = np.array(least)
    slopes = np.diff(np.log(regrets)) / np.log(10)
    furthest = exact(float(slopes[np.argmax(np.abs(slopes - 2 / 3))]))
    about: Fields = {"policy": ETC, "label": "best length for each T"}
    limits = (2 / 3 - AROUND, 2 / 3 + AROUND, 2 / 3)
    yield within(furthest, *limits, **about, quantity="exponent in the decade furthest off")
    ratios = regrets / [_worst_regret(horizon) for horizon in HORIZONS]
    quantity = "least ratio to the worst regret"
    yield above(exact(float(ratios.min())), 1.0, **about, rival=PAPER_POLICY, quantity=quantity)
    last = {name: worst_outcomes(evidence, name)[-1] for name in (PAPER_POLICY, ETC)}
    yield {
        "lengths": lengths,
        "ratios": ratios.tolist(),
        "arms": last[ETC].means.shape[1],
        "last": last[ETC].horizon,
        "regrets": {name: float(regret_of(outcome).mean()) for name, outcome in last.items()},
    }


@claim(
    "C41",
    where=WHERE,
    statement="The best length of the exploration depends on Δ and on T.",
    rule="Two arms without penalties, Δ = 0.2, T = 10^6: holds for each of Δ = 0.1, Δ = 0.4, "
    "T = 10^4, T = 10^8 if the length that is best for it costs more than "
    f"{DEARER:g} times the least regret, fails if less.",
    quantity=f"regret at the gap {GAP:g} and T = {format_number(ROUNDS)} with the length that is "
    "best elsewhere, over the least regret there",
    evidence="results/claims/claims.json",
    kind="identity",
)
def best_lengths(evidence: Evidence) -> Iterator[Part | dict[str, Any]]:
    """Compare regret with the length that is best elsewhere to the least regret."""
    del evidence
    best = best_length(GAP, ROUNDS)
    least = float(commit_regret(GAP, best, ROUNDS))
    for gap, horizon in ELSEWHERE:
        ratio = float(commit_regret(GAP, best_length(gap, horizon), ROUNDS)) / least
        elsewhere = f"T = {format_number(horizon)}" if gap == GAP else f"Δ = {gap:g}"
        yield above(exact(ratio), DEARER, quantity=f"the length that is best for {elsewhere}")
    yield {"best": best}
