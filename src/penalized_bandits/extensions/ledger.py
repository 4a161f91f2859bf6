"""The comparison and the claims beyond the paper, as tables and pages."""

from collections.abc import Sequence
from importlib import import_module
from typing import Any

import pandas as pd

from penalized_bandits.claims.base import Claim
from penalized_bandits.claims.ledger import claim_page, row_of, summary_table
from penalized_bandits.errors import ClaimError
from penalized_bandits.extensions.claims import EXTENDED_CLAIMS
from penalized_bandits.extensions.claims.best import followed, laws_kept, settled_cases
from penalized_bandits.extensions.evidence import ExtendedEvidence

HEADS = {
    "label": "policy",
    "told": "told besides",
    "extended_1_over_bound_published": "Setting 1, published",
    "extended_1_over_bound_tuned": "Setting 1, tuned",
    "extended_regret_over_bound_published": "Setting 5 and movies, published",
    "extended_regret_over_bound_tuned": "Setting 5 and movies, tuned",
    "extended_3_below_frontier": "below frontier, MovieLens",
    "extended_5_below_frontier": "below frontier, Setting 5",
    "no_power_law": "no power law",
}


def claim(identifier: str) -> Claim:
    """Return a claim beyond the paper by its id; raise ClaimError if there is none."""
    if identifier not in EXTENDED_CLAIMS:
        known = ", ".join(EXTENDED_CLAIMS)
        raise ClaimError(f"there is no claim {identifier!r} beyond the paper: known are {known}")
    module = EXTENDED_CLAIMS[identifier].module
    return import_module(f"penalized_bandits.extensions.claims.{module}").CLAIM


def check_all(evidence: ExtendedEvidence) -> list[dict[str, Any]]:
    """Measure and decide every claim beyond the paper; a row of the ledger each."""
    return [
        row_of(entry.id, claim(entry.id), entry.experiments, evidence)
        for entry in EXTENDED_CLAIMS.values()
    ]


def laws_by_policy(evidence: ExtendedEvidence) -> dict[str, tuple[int, int]]:
    """Return the settled cases in which a policy has no power law, and all of them, by policy."""
    settled = settled_cases(evidence)
    found = {policy: laws_kept(evidence, policy) for policy in followed(evidence)}
    return {
        policy: (sum(laws[case] != "power" for case in settled), len(settled))
        for policy, laws in found.items()
    }


def page(rows: Sequence[dict[str, Any]]) -> str:
    """Write the claims for reading."""
    lines = ["# Claims beyond the paper", "", *summary_table(rows), ""]
    for row in rows:
        lines += [*claim_page(row), ""]
    return "\n".join(lines)


def _cell(value: Any, share: bool) -> str:
    if isinstance(value, float):
        if pd.isna(value):
            return "–"
        return f"{100 * value:.1f} %" if share else f"{value:.2f}"
    return str(value) or "–"


def comparison_page(table: pd.DataFrame) -> str:
    """Write the comparison as a Markdown table, the least regret as published first."""
    shown = table.sort_values("extended_regret_over_bound_published", na_position="last")
    lines = [
        "# All policies side by side",
        "",
        "Penalized regret over the instance lower bound (geometric mean over cases), as published "
        "and with one number tuned on the same budget (chosen on one half of the replicates, "
        "measured on the other); mean distance below the oracle frontier at equal unfairness, as a "
        "share of its range, where the policy and the hard threshold both reach; cases of long "
        "runs in which regret is no power law of T, of those that have settled (E02). By case "
        "and with intervals: `comparison_by_case.csv`.",
        "",
        "| " + " | ".join(HEADS.values()) + " |",
        "| " + " | ".join("---" for _ in HEADS) + " |",
    ]
    for _, row in shown.iterrows():
        cells = (_cell(row[name], "frontier" in name) for name in HEADS)
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"
