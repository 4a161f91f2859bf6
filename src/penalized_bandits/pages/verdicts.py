"""Claims as the page shows them."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd
from markupsafe import Markup

from penalized_bandits.claims import CLAIMS
from penalized_bandits.claims.ledger.render import facts_of, headline_name, measured_text
from penalized_bandits.claims.ledger.tables import groups
from penalized_bandits.claims.parts import Part
from penalized_bandits.claims.results import ClaimResult
from penalized_bandits.common.numbers import estimate, format_number
from penalized_bandits.experiments.names import name_of
from penalized_bandits.pages.forest import MOST_ROWS, margin_text, strip, worst_first


@dataclass(frozen=True)
class Badge:
    """Word, symbol and colour of a verdict, or of the status of a part."""

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
        Badge("reproduced", "●", "every part that is not vacuous holds"),
        Badge("consistent", "▲", "every part holds, but the bound is at least twice as far away"),
        Badge("partly", "◆", "some parts hold, others fail, stay undecided or are negligible"),
        Badge(
            "not reproduced",
            "✕",
            "some part fails and none holds; for a theorem, one failing part is enough",
        ),
        Badge("undecided", "○", "no part holds and none fails"),
        Badge(
            "identity", "■", "every part holds, and only an error in the code could make one fail"
        ),
        Badge("not measured", "–", "the config provides too little data"),
    )
}
STATUSES: dict[str, Badge] = {
    badge.name: badge
    for badge in (
        Badge("holds", "●", "the whole interval is on the claim's side"),
        Badge("fails", "✕", "the whole interval is on the other side"),
        Badge("negligible", "≈", "the whole interval lies within 1 % of the reference scale"),
        Badge("undecided", "○", "the interval has both sides, or nothing is known"),
        Badge("vacuous", "–", "could not have failed, so it does not count"),
    )
}


@dataclass(frozen=True)
class PartView:
    """A part of a claim as the page shows it."""

    name: str
    strip: Markup
    """The drawing of its margin."""
    margin: str
    measured: str
    limit: str
    status: Badge
    detail: str


@dataclass(frozen=True)
class ReadingView:
    """A claim under the alternative of a reading."""

    name: str
    value: str
    verdict: Badge
    default: Badge

    @property
    def changed(self) -> bool:
        """Whether the verdict changes."""
        return self.verdict != self.default


@dataclass(frozen=True)
class ClaimView:
    """A claim as the page shows it."""

    result: ClaimResult
    place: int
    """Its place in the ledger."""
    verdict: Badge
    measured: str
    """Its estimate with interval; empty without an estimate."""
    tally: str
    """Numbers of parts that hold, fail and so on."""
    share: float
    """Share of the parts that hold, for sorting."""
    parts: list[PartView]
    """The worst first."""
    rest: str
    """The parts left out, counted."""
    readings: list[ReadingView]
    link: str | None
    """Where the page finds the evidence, if it was given."""
    basis: str
    """The experiments that it was measured on, with their numbers of replicates."""

    @property
    def id(self) -> str:
        """Id of the claim."""
        return self.result.id

    @property
    def headline(self) -> str:
        """What its estimate is, and of which part."""
        return headline_name(self.result)

    @property
    def facts(self) -> dict[str, str]:
        """Rule, measurement and so on, by heading."""
        return facts_of(self.result)


Counts = list[tuple[Badge, list[ClaimView]]]
"""The claims of each verdict that some have, in the order of the verdicts."""


def counts(claims: Sequence[ClaimView]) -> Counts:
    """Return the claims of each verdict, without those that repeat another one's numbers."""
    counted = [claim for claim in claims if not claim.result.repeats]
    listed = ((badge, [c for c in counted if c.verdict is badge]) for badge in VERDICTS.values())
    return [(badge, views) for badge, views in listed if views]


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
    by_id = {claim.id: claim for claim in claims}
    listed = enumerate(groups([claim.result for claim in claims]), start=1)
    return [Group(f"claims-{n}", title, [by_id[r.id] for r in rows]) for n, (title, rows) in listed]


def _tally(result: ClaimResult) -> str:
    words = {"holds": "hold", "fails": "fail"}
    count = result.statuses
    text = ", ".join(f"{count[s]} {words.get(s, s)}" for s in STATUSES if count[s])
    number = len(result.parts)
    return f"{number} part{'s' if number != 1 else ''}: {text}" if text else "none"


def _part(part: Part) -> PartView:
    measured = estimate(part.estimate, part.low, part.high)
    status, limit = STATUSES[part.status], format_number(part.limit)
    margin = margin_text(part)
    return PartView(part.name, strip(part), margin, measured, limit, status, part.detail)


def _rest(parts: Sequence[Part]) -> str:
    """Return the numbers of parts that are not drawn, by status."""
    count = Counter(part.status for part in parts)
    listed = ", ".join(f"{count[status]} {status}" for status in STATUSES if count[status])
    return f"and {len(parts)} more: {listed}" if parts else ""


def _reading(row: Mapping[Any, Any]) -> ReadingView:
    verdicts = (VERDICTS[row[key]] for key in ("verdict", "default_verdict"))
    return ReadingView(row["reading"], row["value"], *verdicts)


def _basis(claim: str, replicates: Mapping[str, int]) -> str:
    texts = (
        f"{name_of(name)} ({format_number(n)} replicate{'' if n == 1 else 's'})"
        for name in CLAIMS[claim].experiments
        for n in [replicates[name]]
    )
    return ", ".join(texts) or "no simulation, computed"


def views(
    results: Sequence[ClaimResult],
    sensitivity: pd.DataFrame,
    replicates: Mapping[str, int],
    link: Callable[[str], str | None],
) -> list[ClaimView]:
    """Return the claims of the ledger as the page shows them, in its order.

    Parameters
    ----------
    results
        The ledger.
    sensitivity
        The table of claims under alternative readings.
    replicates
        Of each experiment.
    link
        Returns the link to a file, if the page may link to it.
    """
    readings: dict[str, list[ReadingView]] = {}
    for record in sensitivity.to_dict("records"):
        readings.setdefault(str(record["id"]), []).append(_reading(record))
    claims = []
    for place, result in enumerate(results):
        count, parts = result.statuses, worst_first(result.parts)
        informative = len(parts) - count["vacuous"]
        claims.append(
            ClaimView(
                result,
                place,
                VERDICTS[result.verdict],
                measured_text(result),
                _tally(result),
                count["holds"] / informative if informative else 0.0,
                [_part(part) for part in parts[:MOST_ROWS]],
                _rest(parts[MOST_ROWS:]),
                readings.get(result.id, []),
                link(result.evidence),
                _basis(result.id, replicates),
            )
        )
    return claims
