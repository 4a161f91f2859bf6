"""Sensitivity: each reading of what the paper leaves open flipped, one at a time.

The experiments that a reading can touch are simulated again with it flipped, on fewer
replicates, and the claims that stand on them decided again.  What is compared with is the
default on the same number of replicates (its first ones), so that a verdict that changes
for want of replicates is not put down to the reading.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from penalized_bandits.claims.evidence import Evidence
from penalized_bandits.claims.ledger import check
from penalized_bandits.claims.switches import claims_touched, flipped

COLUMNS = (
    "reading",
    "value",
    "id",
    "verdict",
    "estimate",
    "ci_low",
    "ci_high",
    "hold",
    "fail",
    "undecided",
    "default_verdict",
    "default_estimate",
    "full_verdict",
    "changed",
)

_SHOWN = ("id", "verdict", "estimate", "ci_low", "ci_high", "hold", "fail", "undecided")


def check_reading(name: str, evidence: Evidence) -> list[dict[str, Any]]:
    """Decide again the claims that a reading can touch."""
    return [check(identifier, evidence) for identifier in claims_touched(name)]


def sensitivity_table(
    full: Sequence[Mapping[str, Any]],
    default: Sequence[Mapping[str, Any]],
    by_reading: Mapping[str, Sequence[Mapping[str, Any]]],
    in_force: Mapping[str, str],
) -> pd.DataFrame:
    """Return claim by reading: verdict and estimate, with those of the default.

    Parameters
    ----------
    full
        Rows of the ledger, on all replicates.
    default, by_reading
        Rows on fewer replicates: of the readings in force, and with each flipped.
    in_force
        The readings in force.
    """
    by_default = {row["id"]: row for row in default}
    ledger = {row["id"]: row for row in full}
    rows = []
    for name, found in by_reading.items():
        for row in found:
            default_row = by_default[row["id"]]
            rows.append(
                {
                    "reading": name,
                    "value": flipped(name, in_force)[name],
                    **{key: row[key] for key in _SHOWN},
                    "default_verdict": default_row["verdict"],
                    "default_estimate": default_row["estimate"],
                    "full_verdict": ledger[row["id"]]["verdict"],
                    "changed": row["verdict"] != default_row["verdict"],
                }
            )
    return pd.DataFrame(rows, columns=list(COLUMNS))


def dependent(table: pd.DataFrame) -> dict[str, list[str]]:
    """Return, for each claim whose verdict depends on readings, these readings."""
    changed = table[table["changed"]]
    return {
        str(identifier): [
            f"{row.reading} = {row.value}: {row.verdict}" for row in rows.itertuples()
        ]
        for identifier, rows in changed.groupby("id", sort=False)
    }
