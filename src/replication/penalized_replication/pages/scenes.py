"""Three scenes of the reproduction page: a sentence, a picture and a command each, and more."""

import math
from collections.abc import Sequence
from typing import NamedTuple

from penalized_bandits.common.numbers import format_number, percent
from penalized_replication.claims.comparisons import Comparison
from penalized_replication.claims.results import ClaimResult, by_id
from penalized_replication.figures import overtaking
from penalized_replication.figures.overtaking import CLAIM, COMMITTING, FIGURE_1_ENDS, rounded

SHARES = "C02"
"""The claim with the numbers of the last scene."""
FIRST, LAST = 1e3, 1e6
"""Ends of the axis on which the horizons of the first scene are."""


class Scene(NamedTuple):
    """What one scene shows: its ``run`` is a target of the workflow, its ``claim`` is in the table.

    Rows are label, place or length from 0 to 1, and number; without them a figure is the picture.
    """

    slug: str
    title: str
    text: str
    more: str
    run: str
    claim: str = ""
    rows: Sequence[tuple[str, float, str]] = ()


def place(horizon: float) -> float:
    """Return where a horizon is on the axis of the first scene, from 0 to 1."""
    return min(max(math.log(horizon / FIRST) / math.log(LAST / FIRST), 0.0), 1.0)


def scenes(results: Sequence[ClaimResult]) -> list[Scene]:
    """Return the scenes whose numbers are in the run's claims table."""
    known, found = by_id(results), []
    comparisons = {name: result.comparisons for name, result in known.items()}
    if crossed := overtaking.crossings(known.get(CLAIM)):
        found.append(
            _late(crossed, len(comparisons[CLAIM]), overtaking.behind(known.get(COMMITTING)))
        )
    text = (
        "The fair policy pays for exploring, which grows like log T, UCB1 for the missing pulls "
        "of arms that are worth their share, which grows like T."
    )
    more = "UCB1 explores less, so that it leads at first. The two parts add up to the loss."
    found.append(Scene("why", "Why", text, more, "regret_decomposition"))
    short = [
        comparison for comparison in comparisons.get(SHARES, ()) if comparison.values.get("shares")
    ]
    return [*found, _owed(short[0])] if short else found


def _late(crossed: Sequence[Comparison], kinds: int, rest: str) -> Scene:
    beyond = sum(comparison.low > FIGURE_1_ENDS for comparison in crossed)
    first = crossed[0]
    text = (
        "UCB1, which ignores the shares, loses less at first; on average the fair policy overtakes "
        f"it on {len(crossed)} of {kinds} kinds of bandits, on {beyond} of these clearly beyond "
        f"T = {format_number(FIGURE_1_ENDS)}, where the paper's Figure 1 ends (grey)."
    )
    more = (
        f"Where no arm is worth its share (0 < Δ < A), in {percent(first.values['unworthy'])} of "
        f"the replicates of {first.label}, UCB1 stays ahead. {rest}"
    )
    order = sorted(crossed, key=lambda comparison: comparison.estimate)
    rows = [
        (comparison.label, place(comparison.estimate), rounded(comparison.estimate))
        for comparison in order
    ]
    return Scene("late", "A late win", text, more, "theory_crossover", CLAIM, rows)


def _owed(comparison: Comparison) -> Scene:
    owed, shares = comparison.values["fairness"], comparison.values["shares"]
    both = {"owed": owed, "given": shares[-1]}
    text = (
        f"With unequal shares Theorem 4.1 can fail: an arm that is owed {percent(owed)} of the "
        f"pulls gets {percent(shares[0])} at T = {format_number(comparison.values['first'])}, and "
        f"{percent(shares[-1])} at T = {format_number(comparison.horizon)} in another bandit, each "
        "at the theorem's margin. On a fixed bandit an arm can stay a few pulls short for ever."
    )
    more = (
        "It promises each arm its share if its penalty rate is high enough. The bandits are made "
        f"for this ({comparison.label}). On a fixed bandit with equal shares the theorem holds."
    )
    title = ", ".join(f"{name} {percent(share)}" for name, share in both.items()).capitalize()
    rows = [(name, share, percent(share)) for name, share in both.items()]
    return Scene("owed", title, text, more, "deterministic", SHARES, rows)
