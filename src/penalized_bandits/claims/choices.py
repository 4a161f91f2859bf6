"""Choices that are ours: the claims on trade-offs with other T, tau and tuning grids.

The paper gives none of these for Figure 3, and no T or grid for Figure 5.
"""

from typing import Any

import pandas as pd

from penalized_bandits.claims.base import Part
from penalized_bandits.claims.evidence import Evidence
from penalized_bandits.claims.ledger import check
from penalized_bandits.claims.shifts import part_from
from penalized_bandits.claims.variants import CLAIM_OF, Variant

COLUMNS = (
    "id",
    "horizon",
    "fairness",
    "tuning_values",
    "verdict",
    "hold",
    "fail",
    "undecided",
    "part",
    "estimate",
    "ci_low",
    "ci_high",
    "share",
    "share_low",
    "share_high",
)
"""``part`` speaks most against the claim; shares are of the oracle frontier's range of reward."""


def check_variant(variant: Variant, evidence: Evidence) -> dict[str, Any]:
    """Decide the claim on a trade-off with some choices made otherwise."""
    row = check(CLAIM_OF[variant.experiment], evidence)
    parts = {part["name"]: part_from(part) for part in row["all_parts"]}
    shown = next((name for name in parts if row["quantity"].endswith(f" ({name})")), "")
    fairness = variant.section["fairness"]
    return {
        **row,
        "horizon": variant.section["horizon"],
        "fairness": ", ".join(f"{tau:g}" for tau in fairness)
        if isinstance(fairness, list)
        else f"{fairness:g}",
        "tuning_values": variant.section["tuning_values"],
        "part": shown,
        **(_shares(parts[shown]) if shown else {}),
    }


def _shares(part: Part) -> dict[str, float]:
    values = {"share": part.estimate, "share_low": part.low, "share_high": part.high}
    return {name: value / part.stake for name, value in values.items()}


def choices_table(rows: list[dict[str, Any]]) -> pd.DataFrame:
    """Return the rows as a table."""
    return pd.DataFrame(rows, columns=list(COLUMNS))
