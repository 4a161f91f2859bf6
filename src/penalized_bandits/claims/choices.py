"""Choices that are ours: the claims on trade-offs with other T, tau and tuning grids.

The paper gives none of these for Figure 3, and no T or grid for Figure 5.
"""

from typing import Any

import pandas as pd

from penalized_bandits.claims.evidence import Evidence
from penalized_bandits.claims.ledger import measured, row_of
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
    identifier, section = CLAIM_OF[variant.experiment], variant.section
    finding = measured(identifier, evidence)
    row = row_of(identifier, finding)
    row |= {name: section[name] for name in ("horizon", "tuning_values")}
    several = isinstance(section["fairness"], list)
    taus = section["fairness"] if several else [section["fairness"]]
    row |= {"fairness": ", ".join(f"{tau:g}" for tau in taus), "part": ""}
    if finding.parts:
        part = finding.shown
        ends = {"share": part.estimate, "share_low": part.low, "share_high": part.high}
        row |= {name: value / part.stake for name, value in ends.items()} | {"part": part.name}
    return row


def choices_table(rows: list[dict[str, Any]]) -> pd.DataFrame:
    """Return the rows as a table."""
    return pd.DataFrame(rows, columns=list(COLUMNS))
