"""Claims as the page shows them, and the theory in numbers: measured, predicted, the limit."""

import math
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from penalized_bandits.common.numbers import estimate, format_number
from penalized_replication.claims import CLAIMS
from penalized_replication.claims.comparisons import Comparison
from penalized_replication.claims.results import ClaimResult
from penalized_replication.claims.table.render import measured_text
from penalized_replication.claims.table.tables import groups
from penalized_replication.experiments.base import name_of
from penalized_replication.pages.forest import worst_first


@dataclass(frozen=True)
class Badge:
    """Word, symbol and colour of a verdict, or of the status of a comparison."""

    name: str
    symbol: str
    meaning: str

    @property
    def slug(self) -> str:
        """Name for style sheets and scripts."""
        return self.name.replace(" ", "-")


def _by_name(*badges: Badge) -> dict[str, Badge]:
    return {badge.name: badge for badge in badges}


VERDICTS = _by_name(
    Badge("holds", "●", "every comparison that is not vacuous holds"),
    Badge("not contradicted", "▲", "every comparison holds, but the bound is twice as far or more"),
    Badge("holds in part", "◆", "some hold, others fail, stay undecided or are negligible"),
    Badge("fails", "✕", "some fail and none holds; for a theorem, one that fails is enough"),
    Badge("undecided", "○", "no comparison holds and none fails"),
    Badge("holds by algebra", "■", "only an error in the code could make a comparison fail"),
    Badge("descriptive", "□", "no comparison can fail"),
    Badge("no verdict", "·", "what is measured is no evidence on the statement"),
    Badge("not measured", "–", "the config provides too little data"),
)
STATUSES = _by_name(
    Badge("holds", "●", "the whole interval is on the claim's side"),
    Badge("fails", "✕", "the whole interval is on the other side"),
    Badge("negligible", "≈", "not clear, and within 1 % of the reference scale"),
    Badge("undecided", "○", "the interval has both sides, or nothing is known"),
    Badge("vacuous", "–", "could not have failed, so it does not count"),
)


@dataclass(frozen=True)
class ClaimView:
    """A claim as the page shows it."""

    result: ClaimResult
    place: int
    interpretations: list[dict[Hashable, Any]]
    """Rows of the table of verdicts under alternative interpretations."""
    link: str | None
    """Where the page finds the evidence, if it was given."""
    basis: str
    """The experiments that it was measured on, with their numbers of replicates."""

    @property
    def id(self) -> str:
        """Id of the claim."""
        return self.result.id

    @property
    def verdict(self) -> Badge:
        """Its verdict."""
        return VERDICTS[self.result.verdict]

    @property
    def tally(self) -> str:
        """Numbers of comparisons that hold, fail and so on."""
        comparisons, count = self.result.comparisons, self.result.statuses
        words = {"holds": "hold", "fails": "fail"}
        listed = ", ".join(f"{count[s]} {words.get(s, s)}" for s in STATUSES if count[s])
        return f"{count_of(len(comparisons), 'comparison')}: {listed}" if comparisons else "none"

    @property
    def headline(self) -> str:
        """What was measured, where, the estimate, and what is claimed of it."""
        if not self.result.comparisons:
            return ""
        comparison, measured = self.result.headline, measured_text(self.result) or "no estimate"
        where = (
            f"{self.result.quantity} ({comparison.name})"
            if comparison.name
            else self.result.quantity
        )
        where = comparison.name if comparison.quantity else where
        limit = limit_text(comparison)
        claimed = f"; claimed: {limit}" if limit else ""
        return f"{where}: {measured}{claimed}"


def count_of(number: int, noun: str) -> str:
    """Count things: ``1 claim``, ``1,000 replicates``."""
    return f"{format_number(number)} {noun}{'s' * (number != 1)}"


def limit_text(comparison: Comparison) -> str:
    """Return what a claim says of a comparison: ``at most 1``; empty where it has no limit."""
    least, most = (format_number(edge) for edge in (comparison.least, comparison.most))
    if math.isinf(comparison.least):
        return f"at most {most}" if math.isfinite(comparison.most) else ""
    return f"at least {least}" if math.isinf(comparison.most) else f"from {least} to {most}"


def counts(claims: Sequence[ClaimView]) -> list[tuple[Badge, list[ClaimView]]]:
    """Return by verdict, in their order, the claims that do not repeat another one's numbers."""
    counted = [claim for claim in claims if not claim.result.repeats]
    listed = ((badge, [c for c in counted if c.verdict is badge]) for badge in VERDICTS.values())
    return [(badge, views) for badge, views in listed if views]


def tables(claims: Sequence[ClaimView]) -> list[dict[str, Any]]:
    """Return slug, title and claims of the tables: the paper's claims, our questions."""
    found = groups([claim.result for claim in claims])
    return [
        {"slug": f"claims-{n}", "title": title, "claims": [c for c in claims if c.result in rows]}
        for n, (title, rows) in enumerate(found, start=1)
    ]


def views(
    results: Sequence[ClaimResult],
    beside: pd.DataFrame,
    replicates: Mapping[str, int],
    link: Callable[[str], str | None],
) -> list[ClaimView]:
    """Return the claims as the page shows them, in their order.

    ``beside`` is the table of verdicts under alternative interpretations, ``replicates`` has
    their number by experiment, and ``link`` returns the link to a file, if the page may link to it.
    """
    interpretations, claims = beside.to_dict("records"), []
    for place, result in enumerate(results):
        own = [row for row in interpretations if row["id"] == result.id]
        basis = ", ".join(
            f"{name_of(name)} ({count_of(replicates[name], 'replicate')})"
            for name in CLAIMS[result.id].experiments
        )
        basis = basis or "no simulation, computed"
        claims.append(ClaimView(result, place, own, link(result.evidence), basis))
    return claims


def predictions(results: Sequence[ClaimResult]) -> list[dict[str, str]]:
    """Return of each claim with a prediction the comparison that is furthest from it, as text.

    ``where`` is the case with the number of cases, and ``ratio`` measured over predicted with its
    interval, which a growth law's estimate is itself.
    """
    found: list[dict[str, str]] = []
    for result in results:
        comparisons = [p for p in worst_first(result.comparisons) if not math.isnan(p.predicted)]
        for comparison in comparisons[:1]:
            measured = (
                comparison.estimate if math.isnan(comparison.measured) else comparison.measured
            )
            scale = (comparison.predicted or math.nan) if measured == comparison.estimate else 1.0
            furthest = f", furthest of {len(comparisons)}" if len(comparisons) > 1 else ""
            ends = (end / scale for end in (comparison.estimate, comparison.low, comparison.high))
            numbers = {
                "measured": format_number(measured),
                "predicted": format_number(comparison.predicted),
                "limit": format_number(comparison.asymptote) or "none",
                "ratio": estimate(*ends),
            }
            quantity, where = comparison.quantity or result.quantity, comparison.name + furthest
            found.append({"claim": result.id, "quantity": quantity, "where": where, **numbers})
    return found
