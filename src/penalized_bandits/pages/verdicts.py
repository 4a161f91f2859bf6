"""The ledger for reading: claims as the page shows them."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from penalized_bandits.claims import CLAIMS
from penalized_bandits.claims.base import Part
from penalized_bandits.claims.ledger.reading import facts, groups
from penalized_bandits.claims.measured import part_from
from penalized_bandits.common.numbers import estimate, shown
from penalized_bandits.experiments.names import in_words, name_of
from penalized_bandits.pages.forest import MOST_ROWS, margin_text, strip, worst_first


@dataclass(frozen=True)
class Badge:
    """How a verdict, or the status of a part, is shown: by word, symbol and colour."""

    name: str
    symbol: str
    meaning: str

    @property
    def slug(self) -> str:
        """Name for style sheets and scripts."""
        return self.name.replace(" ", "-")


VERDICTS: dict[str, Badge] = {
    badge.name: badge
    for badge in (
        Badge("reproduced", "●", "every part that says something holds"),
        Badge("consistent", "▲", "every part holds, but the bound is at least twice as far away"),
        Badge("partly", "◆", "some parts hold, others fail or stay undecided"),
        Badge(
            "not reproduced",
            "✕",
            "some part fails and none holds; for a theorem, one failing part is enough",
        ),
        Badge("undecided", "○", "no part holds and none fails"),
        Badge(
            "identity", "■", "every part holds, and only an error in the code could make one fail"
        ),
        Badge("not measured", "–", "the config leaves too little to measure it on"),
    )
}
STATUSES: dict[str, Badge] = {
    badge.name: badge
    for badge in (
        Badge("holds", "●", "the whole interval is on the claim's side"),
        Badge("fails", "✕", "the whole interval is on the other side"),
        Badge("undecided", "○", "the interval has both sides, or nothing is known"),
        Badge("vacuous", "–", "could not have failed, so it counts for nothing"),
    )
}


ClaimView = dict[str, Any]
"""A row of the ledger as the page shows it, see `views`."""


Counts = list[tuple[Badge, list[ClaimView]]]
"""The claims of each verdict that some have, in the order of the verdicts."""


def counts(claims: Sequence[ClaimView]) -> Counts:
    """Return the claims of each verdict."""
    found = ((badge, [c for c in claims if c["verdict"] is badge]) for badge in VERDICTS.values())
    return [(badge, listed) for badge, listed in found if listed]


@dataclass(frozen=True)
class Group:
    """The paper's claims, or our own questions: one table, one tally."""

    slug: str
    title: str
    claims: list[ClaimView]

    @property
    def counts(self) -> Counts:
        """The claims of each verdict."""
        return counts(self.claims)


def tables(claims: Sequence[ClaimView]) -> list[Group]:
    """Return the tables of the ledger."""
    return [
        Group(f"claims-{number}", title, found)
        for number, (title, found) in enumerate(groups(claims), start=1)
    ]


def _tally(row: Mapping[str, Any]) -> str:
    words = (("hold", "hold"), ("fail", "fail"), ("undecided", "undecided"), ("vacuous", "vacuous"))
    found = ", ".join(f"{row[key]} {word}" for key, word in words if row[key])
    return f"{row['parts']} part{'s' if row['parts'] != 1 else ''}: {found}" if found else "none"


def _part(part: Part) -> dict[str, Any]:
    return {
        "name": in_words(part.name),
        "strip": strip(part),
        "margin": margin_text(part),
        "measured": estimate(part.estimate, part.low, part.high),
        "limit": shown(part.limit),
        "status": STATUSES[part.status],
        "detail": in_words(part.detail),
    }


def _rest(parts: Sequence[Part]) -> str:
    """Say of parts that are not drawn how many of each kind there are."""
    found = Counter(part.status for part in parts)
    if len(found) <= 1:
        words = {"holds": "hold", "fails": "fail", "undecided": "are undecided"}
        return "".join(
            f"and {n} more, which all {words.get(s, 'say nothing')}" for s, n in found.items()
        )
    listed = ", ".join(f"{found[status]} {status}" for status in STATUSES if found[status])
    return f"and {len(parts)} more: {listed}"


def _reading(row: Mapping[Any, Any]) -> dict[str, Any]:
    return {
        "name": row["reading"],
        "value": row["value"],
        "verdict": VERDICTS[row["verdict"]],
        "default": VERDICTS[row["default_verdict"]],
        "changed": row["verdict"] != row["default_verdict"],
    }


def _plural(replicates: int) -> str:
    return f"{shown(replicates)} replicate{'' if replicates == 1 else 's'}"


def views(
    rows: Sequence[Mapping[str, Any]],
    sensitivity: pd.DataFrame,
    replicates: Mapping[str, int],
    link: Callable[[str], str | None],
) -> list[ClaimView]:
    """Return the claims of ``results/claims/claims.json`` as the page shows them, in its order.

    A view is the claim's row with its place, verdict and parts for reading, and with

    - ``measured``: its estimate with interval, empty where nothing could be estimated;
    - ``tally``: how many parts hold, fail and so on; ``share``, of them that hold, for sorting;
    - ``facts``: its rule, what was measured and so on, by heading; ids are names for reading,
      here and in the row's own texts;
    - ``parts``: its parts, the worst ones first, and ``rest``, what is said of those left out;
    - ``readings``: its verdicts with each reading flipped;
    - ``link``: where the page finds the evidence, if it was given;
    - ``basis``: the experiments that it was measured on, with their ``replicates``.
    """
    by_claim: dict[str, list[dict[str, Any]]] = {}
    for record in sensitivity.to_dict("records"):
        by_claim.setdefault(str(record["id"]), []).append(_reading(record))
    found = []
    for place, row in enumerate(rows):
        says = row["parts"] - row["vacuous"]
        parts = worst_first([part_from(part) for part in row["all_parts"]])
        behind = CLAIMS[row["id"]].experiments
        basis = ", ".join(f"{name_of(name)} ({_plural(replicates[name])})" for name in behind)
        found.append(
            {
                **row,
                "place": place,
                "verdict": VERDICTS[row["verdict"]],
                "measured": estimate(row["estimate"], row["ci_low"], row["ci_high"]),
                "tally": _tally(row),
                "share": row["hold"] / says if says else 0.0,
                **{key: in_words(row[key]) for key in ("statement", "quantity", "note")},
                "facts": facts(row),
                "parts": [_part(part) for part in parts[:MOST_ROWS]],
                "rest": _rest(parts[MOST_ROWS:]),
                "readings": by_claim.get(row["id"], []),
                "link": link(row["evidence"]),
                "basis": basis or "no simulation, worked out",
            }
        )
    return found
