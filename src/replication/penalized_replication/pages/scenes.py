"""Four scenes of the reproduction page: a sentence, a picture and a command each."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from penalized_bandits.common.numbers import format_number, percent
from penalized_bandits.policies import PAPER_POLICY
from penalized_replication.claims.parts import Part
from penalized_replication.claims.results import ClaimResult, by_id
from penalized_replication.figures.theory_crossover import (
    CLAIM,
    FIGURE_1_ENDS,
    crossings,
    rounded,
)

OVERTAKEN, SHARES, OPTIMAL, FLOORS = CLAIM, "C02", "S05", "S17"
"""Claims with the numbers of the scenes."""
SHARPER = "kl_hard_threshold"
FIRST, LAST = 1e3, 1e6
"""Ends of the axis on which the horizons of the first scene are."""


@dataclass(frozen=True)
class Scene:
    """What one scene shows."""

    slug: str
    title: str
    text: str
    run: str
    """Target of the workflow that makes it."""
    claims: tuple[str, ...] = ()
    rows: tuple[tuple[str, float, str], ...] = ()
    """Label, place or length from 0 to 1, and number of each row of its picture."""
    figure: str = ""
    """The figure that is its picture, where rows are not."""


def place(horizon: float) -> float:
    """Return where a horizon is on the axis of the first scene, from 0 to 1."""
    share = math.log(horizon / FIRST) / math.log(LAST / FIRST)
    return min(max(share, 0.0), 1.0)


def scenes(results: Sequence[ClaimResult], sharp: Sequence[ClaimResult]) -> list[Scene]:
    """Return the scenes whose numbers there are.

    ``results`` is the ledger of the run, ``sharp`` that on the constants of the theory, which may
    be a published one.
    """
    claims, constants = by_id(results), by_id(sharp)
    late, shares = claims.get(OVERTAKEN), claims.get(SHARES)
    optimal, floors = constants.get(OPTIMAL), constants.get(FLOORS)
    found = [_late(late, crossings(late))] if late and crossings(late) else []
    found.append(_why())
    short = [part for part in shares.parts if part.values.get("shares")] if shares else []
    found += [_owed(short[0])] if short else []
    return found + ([_sharper(optimal.parts, floors.parts)] if optimal and floors else [])


def _late(claim: ClaimResult, crossed: list[Part]) -> Scene:
    beyond = sum(part.estimate > FIGURE_1_ENDS for part in crossed)
    text = (
        "UCB1, which ignores the shares, loses less at first. On average the fair policy overtakes "
        f"it on {len(crossed)} of {len(claim.parts)} kinds of bandits, on {beyond} of these beyond "
        f"T = {format_number(FIGURE_1_ENDS)}, where the paper's Figure 1 ends (grey)."
    )
    order = sorted(crossed, key=lambda part: part.estimate)
    rows = tuple((part.label, place(part.estimate), rounded(part.estimate)) for part in order)
    return Scene("late", "A late win", text, "theory_crossover", (OVERTAKEN,), rows)


def _why() -> Scene:
    text = (
        "The fair policy pays for exploring arms that are not worth their share, and the bill "
        "grows like log T. UCB1 explores less, but pays for the shares that it misses: that grows "
        "like T."
    )
    run = "regret_decomposition"
    return Scene("why", "Why", text, run, figure=run)


def _owed(part: Part) -> Scene:
    values: dict[str, Any] = dict(part.values)
    owed, given = values["fairness"], values["shares"]
    text = (
        "Theorem 4.1 promises each arm its share if its penalty rate is high enough. With unequal "
        f"shares it fails: of {part.label.split(', ')[-1].removeprefix('K = ')} arms the one that "
        f"is owed {percent(owed)} of the pulls gets {percent(given[0])} at "
        f"T = {format_number(values['first'])}, and still {percent(given[-1])} at "
        f"T = {format_number(part.horizon)}. With equal shares the theorem holds."
    )
    rows = tuple(
        (name, share, percent(share)) for name, share in (("owed", owed), ("given", given[-1]))
    )
    title = f"Owed {percent(owed)}, given {percent(given[-1])}"
    return Scene("owed", title, text, "deterministic", (SHARES,), rows)


def _sharper(limits: Sequence[Part], floors: Sequence[Part]) -> Scene:
    kl = [part.estimate for part in limits if part.policy == SHARPER]
    cases = {part.case for part in limits if part.policy == SHARPER}
    papers = [p.estimate for p in limits if p.policy == PAPER_POLICY and p.case in cases]
    times = [part.estimate for part in floors]
    text = (
        "With KL-UCB's index in place of UCB1's the same rule reaches the least loss that is "
        "possible in the long run, for rewards of 0 and 1; the paper's index has "
        f"{min(papers):.1f} to {max(papers):.1f} times that. Floors buy data: serving them is "
        "exploring. A policy that uses this, due first, then MOSS, is within a constant of the "
        "best; where one of ten or more arms has all floors, the paper's has "
        f"{min(times):.1f} to {max(times):.0f} times its worst loss."
    )
    most = min(papers)
    rows = (
        ("least possible", 1 / most, "1"),
        ("sharper index", max(kl) / most, f"{max(kl):.2g}"),
        ("paper's index", 1.0, f"at least {most:.1f}"),
    )
    return Scene("sharper", "A sharper index", text, "sharp", rows=rows)
