"""The comparison and the extended claims, as tables and pages."""

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pandas as pd

from penalized_bandits.claims.deciding import check
from penalized_bandits.claims.extended import entries_on
from penalized_bandits.claims.extended.confirmation import in_short, side_by_side
from penalized_bandits.claims.extended.evidence import ExtendedEvidence
from penalized_bandits.claims.ledger.register import dates_of
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

COLUMNS_SAY = (
    "- **Side information**: what a policy knows besides fractions and rewards. A is half the "
    "spread of the true means, σ the scale of the rewards' noise, T the horizon.",
    "- **Published, tuned**: penalized regret over the instance lower bound, geometric mean over "
    "cases; tuned on one budget, chosen on one half of the replicates and measured on the other, "
    "both ways round.",
    "- **Limit**: what this ratio tends to as T grows, R(T)/log T over the constant of the bound, "
    "for the policies and reward laws of Theorem A (the KL thresholds: rewards in [0, 1], so not "
    "the Gaussian cases). ∞: regret grows in proportion to T, as for every policy that ignores A "
    "and for the soft threshold (Theorem 4). –: no limit is proved.",
    "- **Unfairness**: Σ (τ_k T − N_k)₊ over Σ τ_k T in Setting 5 and on movies, mean over cases. "
    "Arms that are not worth their level are meant to be short of it.",
    "- **Reward**: that of the policy less that of the hard threshold at equal unfairness, in "
    "percent of the oracle frontier's range, mean over panels (how many). A star: the policy has "
    "one point, compared at its own unfairness.",
    "",
    "By case, with intervals and the distance to the frontier: `comparison_by_case.csv`.",
)
"""What the columns of the comparison are."""

CHANGED = {
    "E01": "which policy is compared: at first any without a power law in the long runs, then any "
    "without one in a settled case, then any shown to keep the law in one; now it is fixed by "
    "name. Differences up to 1 % are none.",
    "E02": "cases in which the hard threshold has not settled became vacuous; then, in place of a "
    "law chosen by held-out horizons, agreement with the fluid prediction.",
    "E03": "the policy, at first that of E01; how it is tuned, at first on one half of the "
    "replicates only; the grid, which ended at a small exploration constant that was chosen often, "
    "and now ends at none. Differences up to 1 % are none.",
    "E04": "cases in which the hard threshold has not settled became vacuous; then limits in place "
    "of slopes at finite horizons.",
    "E05": "Holm's correction over all comparisons; vacuous where two policies do the same. "
    "Differences up to 1 % are none.",
    "E06": "differences up to 1 % are none.",
    "E07": "vacuous where the hard threshold pulls what UCB1 does; then agreement with the fluid "
    "prediction in place of an exponent below one half.",
    "E09": "differences up to 1 % are none: 1.5 of 562 was called a failure.",
    "E10": "added after the first run, with the rule of E01; now the policy is fixed by name.",
}
"""What changed in the rules after data of the exploration were seen."""


def check_all(evidence: ExtendedEvidence) -> list[ClaimResult]:
    """Measure and decide the claims on the experiments at hand, with their confirmation."""
    return [
        replace(check(name, evidence, tell), confirmed=in_short(name))
        for name in entries_on(evidence.experiments)
    ]


def page(results: Sequence[ClaimResult]) -> str:
    """Return the claims in Markdown: both verdicts, the rules that changed, then each claim."""
    changed = (
        f"- {name}{f' (changed {times})' if (times := dates_of(name)[1]) else ''}: {what}"
        for name, what in CHANGED.items()
    )
    lines = [
        "# Extended claims",
        "",
        "The verdicts of the exploration are on data on which the claims were found; those of the "
        "confirmation on new seeds and new bandits, by rules and policies that were committed "
        "before it was run (`config/confirm.yaml`, `claims/extended/frozen.csv`; "
        "`results/confirmation/claims.md` has every part).",
        "",
        *side_by_side(results),
        "",
        "## Rules that changed after data were seen",
        "",
        "`claims/ledger/rules.csv` has a digest of each wording. After the first run of the "
        "exploration these changed:",
        "",
        *changed,
        "",
        "## The exploration",
        "",
        f"{tally(results)}.",
        "",
        *claims_tables(results),
    ]
    return "\n".join(lines)


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
    return "\n".join(["# All policies side by side", "", *COLUMNS_SAY, "", *lines]) + "\n"
