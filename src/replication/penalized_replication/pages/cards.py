"""Summary boxes of the first screen: what holds, holds with limits, fails, and the crossover.

The claims table decides which box a claim is in, and has every number; the plain words are the
claim's own (`Claim.plain`).
"""

from collections.abc import Sequence
from typing import Any

from penalized_replication.claims import claim
from penalized_replication.claims.results import ClaimResult, by_id
from penalized_replication.claims.table.tables import counted
from penalized_replication.figures.overtaking import CLAIM, FIGURE_1_ENDS, FINDING, crossings
from penalized_replication.pages.verdicts import ClaimView, count_of

TELLING = ("C07", "C24", "C31", "C28", "C25", "C02", "C30", "C29", "C15", "C26")
"""Claims that the first screen names before others, the most telling first."""
NAMED = 2
"""Claims that a card names at most."""
HOLDS, IN_PART, WIDE = ("holds", "holds by algebra"), ("holds in part",), ("not contradicted",)
FAILS, UNJUDGED = ("fails",), ("descriptive", "no verdict")
SYMBOLS = {"Holds": "●", "Holds with limits": "◆", "Fails": "✕"}


def _tile(title: str, found: Sequence[str], lead: str, tail: str = "") -> dict[str, Any]:
    """Return one sentence: ``lead``, ``named``, id and plain words of some claims, and ``tail``."""
    in_order = dict.fromkeys((*(name for name in TELLING if name in found), *found))
    named = tuple((name, plain) for name in in_order if (plain := claim(name).plain))[:NAMED]
    joint = ": that" if len(named) == len(found) else ", among them that"
    about = {"slug": title.split()[-1].lower(), "title": title, "symbol": SYMBOLS[title]}
    return about | {"lead": f"{lead}{joint}" if named else lead, "named": named, "tail": f"{tail}."}


def cards(claims: Sequence[ClaimView], *, other_config: bool = False) -> list[dict[str, Any]]:
    """Return the three cards about the paper's claims, which are views of its rows.

    With ``other_config``, a run that is not of the paper's config, each begins by saying so.
    """
    claims = [claim for claim in claims if not claim.result.repeats]
    holds, in_part, wide, fails = found = [
        [claim.id for claim in claims if claim.verdict.name in verdicts]
        for verdicts in (HOLDS, IN_PART, WIDE, FAILS)
    ]
    unjudged = sum(claim.verdict.name in UNJUDGED for claim in claims)
    rest = len(claims) - sum(map(len, found)) - unjudged
    computed = sum(claim.verdict.name == "holds by algebra" for claim in claims)
    split = f" ({len(holds) - computed} measured, {computed} by algebra)" if computed else ""
    listed = f"{len(holds)} of {count_of(len(claims), 'claim')}"
    first = f"{listed} of the paper hold{'s' * (len(holds) == 1)}{split}"
    first = first if holds else "No claim holds whole"
    second = f"{count_of(len(in_part), 'claim')} hold{'s' * (len(in_part) == 1)} only in part"
    second = second if in_part else "No claim holds only in part"
    agree = f"{len(wide)} agree{'s' * (len(wide) == 1)}"
    tails = [f"{agree} with bounds at least a factor 2 away"] if wide else []
    tails += [f"{unjudged} get{'s' * (unjudged == 1)} no verdict"] if unjudged else []
    tails += [f"of {rest} too little is known"] if rest else []
    second_tail = f"; {', '.join(tails)}" if tails else ""
    place = "this run (only a full one can judge the text)" if other_config else "the arXiv text"
    third = f"{count_of(len(fails), 'claim')} fail{'s' * (len(fails) == 1)} in {place}"
    third = third if fails else "No claim of the paper fails"
    if other_config:
        first, second, third = (
            f"Under this config {lead[0].lower()}{lead[1:]}" for lead in (first, second, third)
        )
    return [
        _tile("Holds", holds, first),
        _tile("Holds with limits", in_part, second, second_tail),
        _tile("Fails", fails, third),
    ]


def finding(results: Sequence[ClaimResult], *, other_config: bool = False) -> str:
    """Return what came out, in one or two sentences; of another config how much holds."""
    asked = counted(results)
    if other_config:
        holding = sum(r.verdict in HOLDS for r in asked)
        return f"Under this config {holding} of {count_of(len(asked), 'claim')} of the paper hold."
    failed = sum(r.verdict in FAILS for r in asked)
    late = (
        "Where some option is worth its share, the fair policy loses less in the long run, on "
        "average over the bandits drawn; at first it loses more than one that ignores fairness. "
    )
    fail = f"{failed} fail{'s' * (failed == 1)}"
    known = f"Of {len(asked)} statements of the paper {fail} in the arXiv text."
    return f"{late if crossings(by_id(results).get(CLAIM)) else ''}{known}"


def headline(results: Sequence[ClaimResult]) -> str:
    """Return the title of the page: the finding, or the paper's title where it is not seen."""
    late = any(p.estimate > FIGURE_1_ENDS for p in crossings(by_id(results).get(CLAIM)))
    return FINDING if late else "On Penalization in Stochastic Multi-armed Bandits"
