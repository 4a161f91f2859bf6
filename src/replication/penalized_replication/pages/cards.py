"""Summary boxes of the first screen: what holds, holds with limits, fails, and the crossover.

The ledger decides which box a claim is in, and has every number; the plain words are the
claim's own (`Claim.plain`).
"""

from collections.abc import Sequence
from typing import Any

from penalized_bandits.common.numbers import format_number
from penalized_replication.claims import claim
from penalized_replication.claims.ledger.tables import counted
from penalized_replication.claims.results import ClaimResult, by_id
from penalized_replication.figures.theory_crossover import (
    CLAIM,
    FIGURE_1_ENDS,
    FINDING,
    crossings,
)
from penalized_replication.pages.verdicts import ClaimView

TELLING = ("C07", "C24", "C31", "C28", "C25", "C02", "C30", "C29", "C15", "C26")
"""Claims that the first screen names before others, the most telling first."""
NAMED = 2
"""Claims that a card names at most."""
HOLDS, PARTLY, WIDE = ("reproduced", "identity"), ("partly",), ("consistent",)
FAILS = ("not reproduced",)
SYMBOLS = {"Holds": "●", "Holds with limits": "◆", "Fails": "✕"}


def _claims(number: int, of: int = 0) -> str:
    """Count claims: ``1 claim``, ``3 of 41 claims``."""
    several = (of or number) != 1
    total = f" of {format_number(of)}" if of else ""
    return f"{format_number(number)}{total} claim{'s' if several else ''}"


def _tile(title: str, found: Sequence[str], lead: str, tail: str = "") -> dict[str, Any]:
    """Return one sentence: ``lead``, ``named``, id and plain words of some claims, and ``tail``."""
    in_order = dict.fromkeys((*(name for name in TELLING if name in found), *found))
    named = tuple((name, plain) for name in in_order if (plain := claim(name).plain))[:NAMED]
    joint = ": that" if len(named) == len(found) else ", among them that"
    about = {"slug": title.split()[-1].lower(), "title": title, "symbol": SYMBOLS[title]}
    return about | {"lead": f"{lead}{joint}" if named else lead, "named": named, "tail": f"{tail}."}


def cards(claims: Sequence[ClaimView], *, other_config: bool = False) -> list[dict[str, Any]]:
    """Return the three cards about the paper's claims, which are views of the ledger's rows.

    With ``other_config``, a run that is not of the paper's config, each begins by saying so.
    """
    claims = [claim for claim in claims if not claim.result.repeats]
    total = len(claims)
    holds, partly, wide, fails = (
        [claim.id for claim in claims if claim.verdict.name in verdicts]
        for verdicts in (HOLDS, PARTLY, WIDE, FAILS)
    )
    rest = total - len(holds) - len(fails) - len(partly) - len(wide)
    computed = sum(claim.verdict.name == "identity" for claim in claims)
    split = f" ({len(holds) - computed} measured, {computed} by algebra)" if computed else ""
    first = f"{_claims(len(holds), total)} of the paper hold{'s' * (len(holds) == 1)}{split}"
    first = first if holds else "No claim holds whole"
    second = f"{_claims(len(partly))} hold{'s' if len(partly) == 1 else ''} only in part"
    second = second if partly else "No claim holds only in part"
    agree = f"{len(wide)} agree{'s' if len(wide) == 1 else ''}"
    tails = [f"{agree} with bounds at least a factor 2 away"] if wide else []
    tails += [f"of {rest} too little is known"] if rest else []
    second_tail = f"; {' and '.join(tails)}" if tails else ""
    place = "this run (only a full one can judge the text)" if other_config else "the arXiv text"
    third = f"{_claims(len(fails))} fail{'s' if len(fails) == 1 else ''} in {place}"
    third = third if fails else "No claim of the paper fails"
    if other_config:
        first, second, third = (
            f"Under this config {lead[0].lower()}{lead[1:]}" for lead in (first, second, third)
        )
    return [
        _tile("Holds", holds, first),
        _tile("Holds with limits", partly, second, second_tail),
        _tile("Fails", fails, third),
    ]


def finding(results: Sequence[ClaimResult], *, other_config: bool = False) -> str:
    """Return what came out, in one or two sentences; of another config how much holds."""
    asked = counted(results)
    failed = [r for r in asked if r.verdict in FAILS]
    if other_config:
        holding = sum(r.verdict in HOLDS for r in asked)
        return f"Under this config {holding} of {_claims(len(asked))} of the paper hold."
    crossed = crossings(by_id(results).get(CLAIM))
    late = (
        "Where some option is worth its share, the fair policy loses less in the long run, on "
        "average over the bandits drawn; at first it loses more than one that ignores fairness. "
    )
    fail = f"{len(failed)} fail{'s' * (len(failed) == 1)}"
    known = f"Of {len(asked)} statements of the paper {fail} in the arXiv text."
    return f"{late if crossed else ''}{known}"


def headline(results: Sequence[ClaimResult]) -> str:
    """Return the title of the page: the finding, or the paper's title where it is not seen."""
    late = any(p.estimate > FIGURE_1_ENDS for p in crossings(by_id(results).get(CLAIM)))
    return FINDING if late else "On Penalization in Stochastic Multi-armed Bandits"
