"""Numbers of the first screens: what holds and what fails, scenes, and the theory in numbers.

The claims table decides which card a claim is in, and has every number; the plain words are the
claim's own (`Claim.plain`), all others are in ``templates/cards.html.j2`` and ``scenes.html.j2``.
"""

import math
from collections.abc import Iterator, Sequence
from typing import Any

from penalized_bandits.common.numbers import estimate, format_number, percent
from penalized_replication.claims import claim
from penalized_replication.claims.results import ClaimResult, by_id
from penalized_replication.claims.table.tables import counted
from penalized_replication.figures import overtaking
from penalized_replication.figures.overtaking import CLAIM, COMMITTING, FIGURE_1_ENDS, rounded
from penalized_replication.pages.forest import worst_first

TELLING = ("C07", "C24", "C31", "C28", "C25", "C02", "C30", "C29", "C15", "C26")
"""Claims that the first screen names before others, the most telling first."""
NAMED = 2  # claims that a card names at most
HOLDS, IN_PART, WIDE = ("holds", "holds by algebra"), ("holds in part",), ("not contradicted",)
FAILS, UNJUDGED = ("fails",), ("descriptive", "no verdict")
VERDICTS = {"holds": HOLDS, "computed": HOLDS[1:], "in_part": IN_PART, "wide": WIDE}
VERDICTS |= {"fails": FAILS, "unjudged": UNJUDGED}
"""Verdicts of the claims that cards count together."""
SHARES = "C02"  # the claim with the numbers of the last scene
FIRST, LAST = 1e3, 1e6  # ends of the axis on which the horizons of the first scene are


def place(horizon: float) -> float:
    """Return where a horizon is on the axis of the first scene, from 0 to 1."""
    return min(max(math.log(horizon / FIRST) / math.log(LAST / FIRST), 0.0), 1.0)


def named(claims: Sequence[str]) -> list[tuple[str, str]]:
    """Return id and plain words of the claims that a card names."""
    in_order = dict.fromkeys((*(name for name in TELLING if name in claims), *claims))
    return [(name, plain) for name in in_order if (plain := claim(name).plain)][:NAMED]


def first_screens(results: Sequence[ClaimResult]) -> dict[str, Any]:
    """Return what the templates of cards and scenes know.

    ``found`` has the ids of the paper's claims by `VERDICTS`; ``scenes`` the rows (label, place or
    length from 0 to 1, number) of each scene that the run has numbers of, none for a picture.
    """
    known, asked = by_id(results), counted(results)
    late, committing, shares = (
        known[name].comparisons if name in known else () for name in (CLAIM, COMMITTING, SHARES)
    )
    crossed = overtaking.crossings(late)
    owed = next((one for one in shares if one.values.get("shares")), None)
    at = sorted((x.estimate, x.label) for x in crossed)
    scenes = {"late": [(label, place(t), rounded(t)) for t, label in at], "why": []}
    if owed:
        ends = {"owed": owed.values["fairness"], "given": owed.values["shares"][-1]}
        scenes["owed"] = [(name, share, percent(share)) for name, share in ends.items()]
    return {
        "found": {n: [r.id for r in asked if r.verdict in of] for n, of in VERDICTS.items()},
        "n_asked": len(asked),
        "named": named,
        "crossed": crossed,
        "n_kinds": len(late),
        "behind": overtaking.behind(committing),
        "owed": owed,
        "scenes": {name: rows for name, rows in scenes.items() if rows or name == "why"},
        "late_win": overtaking.FINDING,
        "paper_ends": FIGURE_1_ENDS,
        "ends": place(FIGURE_1_ENDS),
    }


def predictions(results: Sequence[ClaimResult]) -> Iterator[dict[str, str]]:
    """Yield of each claim with a prediction the comparison that is furthest from it, as text.

    ``where`` is the case with the number of cases, and ``ratio`` measured over predicted with its
    interval, which a growth law's estimate is itself.
    """
    for result in results:
        predicted = [p for p in worst_first(result.comparisons) if not math.isnan(p.predicted)]
        for one in predicted[:1]:
            measured = one.estimate if math.isnan(one.measured) else one.measured
            scale = (one.predicted or math.nan) if measured == one.estimate else 1.0
            furthest = f", furthest of {len(predicted)}" if len(predicted) > 1 else ""
            yield {
                "claim": result.id,
                "quantity": one.quantity or result.quantity,
                "where": one.name + furthest,
                "measured": format_number(measured),
                "predicted": format_number(one.predicted),
                "limit": format_number(one.asymptote) or "none",
                "ratio": estimate(*(end / scale for end in (one.estimate, one.low, one.high))),
            }
