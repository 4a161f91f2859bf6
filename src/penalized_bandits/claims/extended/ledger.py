"""The comparison and the extended claims, as tables and pages."""

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pandas as pd

from penalized_bandits.claims.deciding import decide, measure
from penalized_bandits.claims.extended import entries_on
from penalized_bandits.claims.extended.confirmation import in_short, side_by_side
from penalized_bandits.claims.extended.evidence import ExtendedEvidence
from penalized_bandits.claims.ledger.register import dates_of
from penalized_bandits.claims.ledger.render import rendered
from penalized_bandits.claims.ledger.tables import claims_tables, markdown_table, tally
from penalized_bandits.claims.ledger.tell import tell
from penalized_bandits.claims.results import ClaimResult
from penalized_bandits.common.numbers import percent

HEADS = {
    "label": "policy",
    "side_information": "side information",
    "extended_1_over_bound_published": "Setting 1, published",
    "extended_1_over_bound_tuned": "Setting 1, tuned",
    "extended_1_over_bound_limit": "Setting 1, limit",
    "extended_regret_over_bound_published": "Setting 5 and movies, published",
    "extended_regret_over_bound_tuned": "Setting 5 and movies, tuned",
    "extended_regret_over_bound_limit": "Setting 5 and movies, limit",
    "extended_regret_unfairness": "unfairness",
    "extended_3_below_ours": "reward, MovieLens",
    "extended_5_below_ours": "reward, Setting 5",
}


def check_all(evidence: ExtendedEvidence) -> list[ClaimResult]:
    """Measure and decide the claims on the experiments at hand, with their confirmation."""
    return [
        replace(tell(decide(measure(name, evidence))), confirmed=in_short(name))
        for name in entries_on(evidence.experiments)
    ]


def page(results: Sequence[ClaimResult]) -> str:
    """Return the claims in Markdown: both verdicts, the rules that changed, then each claim."""

    def changed(name: str) -> str:
        times = dates_of(name)[1]
        return f" (changed {times})" if times else ""

    lines = {"side_by_side": side_by_side(results), "claims": claims_tables(results)}
    return rendered("extended/claims.md.j2", changed=changed, tally=tally(results), **lines)


def _cell(row: "pd.Series[Any]", name: str) -> str:
    value = row[name]
    if not isinstance(value, float):
        return str(value) or "–"
    if pd.isna(value):
        return "–"
    if value == math.inf:
        return "∞"
    if name.endswith("unfairness"):
        return percent(value)
    if name.endswith("below_ours"):
        panels = int(row[name.replace("below_ours", "panels")])
        star = "*" if row["one_point"] else ""
        return f"{0.0 - 100 * value:+.1f}{star} ({panels})"
    return f"{value:.2f}"


def comparison_rows(table: pd.DataFrame) -> list[dict[str, str]]:
    """Return the comparison as formatted cells by heading, sorted by regret as published."""
    shown = table.sort_values("extended_regret_over_bound_published", na_position="last")
    return [{head: _cell(row, name) for name, head in HEADS.items()} for _, row in shown.iterrows()]


def comparison_page(table: pd.DataFrame) -> str:
    """Return the comparison as a Markdown table."""
    rows = ([*row.values()] for row in comparison_rows(table))
    lines = markdown_table(list(HEADS.values()), rows)
    return rendered("extended/comparison.md.j2", table=lines) + "\n"
