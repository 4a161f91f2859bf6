"""The comparison and the extended claims, as tables and pages; the claims on new seeds and bandits.

``frozen.csv`` has a line (date, digest) for each confirmation: the digest of its config and of
the bandits that it draws, written before it was run.  ``confirmed.csv`` has what came out.
"""

import csv
import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from penalized_bandits.claims import claim, entries_on
from penalized_bandits.claims.base import verdict_of
from penalized_bandits.claims.deciding import decide, measure
from penalized_bandits.claims.evidence import Evidence
from penalized_bandits.claims.ledger.register import dates_of, digest_of
from penalized_bandits.claims.ledger.render import rendered
from penalized_bandits.claims.ledger.tables import claims_tables, markdown_table, tally
from penalized_bandits.claims.ledger.tell import tell
from penalized_bandits.claims.results import ClaimResult
from penalized_bandits.common.numbers import percent

if TYPE_CHECKING:
    import pandas as pd

CONFIRMED = Path(__file__).with_name("confirmed.csv")
COUNTS = ("hold", "fail", "undecided", "vacuous")
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


def confirmed() -> dict[str, dict[str, Any]]:
    """Return what came out of the confirmation, by claim; empty before it."""
    if not CONFIRMED.is_file():
        return {}
    with CONFIRMED.open(encoding="utf-8", newline="") as lines:
        rows: list[dict[str, Any]] = list(csv.DictReader(lines))
    return {row["id"]: row | {name: int(row[name]) for name in COUNTS} for row in rows}


def evidence_of(
    sections: Mapping[str, Mapping[str, Any]], replicates: Mapping[int, Mapping[str, str]]
) -> dict[int, Evidence]:
    """Return the evidence of each seed, from tables by experiment; seeds share the tests' level."""
    found: dict[int, Evidence] = {}
    for seed, tables in replicates.items():
        found[seed] = Evidence(sections, {name: [path] for name, path in tables.items()})
        found[seed].level = Evidence.level / len(replicates)
    return found


def confirm(identifier: str, evidence: Mapping[int, Evidence], frozen: str) -> ClaimResult:
    """Measure a claim on the evidence of each seed; return one result.

    Its parts are those of all seeds.  Its facts have the verdict of each seed alone
    (``by_seed``), the digest of the rule (``rule_digest``), and ``frozen``, the digest of config
    and bandits.
    """
    results = {seed: measure(identifier, one) for seed, one in evidence.items()}
    parts = tuple(
        replace(part, case=f"seed_{seed}/{part.case}", label=f"seed {seed}, {part.label}")
        for seed, result in results.items()
        for part in result.parts
    )
    declared = claim(identifier)
    facts = {
        "by_seed": [verdict_of(result.parts, declared.kind) for result in results.values()],
        "rule_digest": digest_of(declared),
        "frozen": frozen,
    }
    first = next(iter(results.values()))
    return tell(decide(replace(first, parts=parts, series=(), facts={**first.facts, **facts})))


def in_short(identifier: str) -> str:
    """Return the confirmatory verdict on a claim, and whether its rule is another now."""
    row = confirmed().get(identifier)
    if row is None:
        return "not yet confirmed"
    now = digest_of(claim(identifier))
    return row["verdict"] + ("" if row["rule_digest"] == now else " (by an earlier rule)")


def side_by_side(results: Sequence[ClaimResult]) -> list[str]:
    """Return the verdicts of an exploration and of the confirmation as a Markdown table."""
    parts = "parts: hold / fail / undecided (vacuous)"
    heads = ("claim", "exploration", "confirmation", "by seed", parts, "nearest to fail")
    lines: list[tuple[str, ...]] = []
    for result in results:
        cells = (result.id, result.verdict, f"**{in_short(result.id)}**")
        new = confirmed().get(result.id)
        number = "{hold} / {fail} / {undecided} ({vacuous})".format(**new) if new else ""
        lines.append((*cells, *((new["by_seed"], number, new["worst"]) if new else ("",) * 3)))
    return markdown_table(heads, lines)


def check_all(evidence: Evidence) -> list[ClaimResult]:
    """Measure and decide the claims on the experiments at hand, with their confirmation."""
    names = entries_on(evidence.experiments)
    return [replace(tell(decide(measure(n, evidence))), confirmed=in_short(n)) for n in names]


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
    if math.isnan(value):
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


def comparison_rows(table: "pd.DataFrame") -> list[dict[str, str]]:
    """Return the comparison as formatted cells by heading, sorted by regret as published."""
    shown = table.sort_values("extended_regret_over_bound_published", na_position="last")
    return [{head: _cell(row, name) for name, head in HEADS.items()} for _, row in shown.iterrows()]


def comparison_page(table: "pd.DataFrame") -> str:
    """Return the comparison as a Markdown table."""
    rows = ([*row.values()] for row in comparison_rows(table))
    lines = markdown_table(list(HEADS.values()), rows)
    return rendered("extended/comparison.md.j2", table=lines) + "\n"
