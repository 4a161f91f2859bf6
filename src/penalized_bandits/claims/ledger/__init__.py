"""The ledger: what is told of claims that were decided, and the tables made of it.

For reading: ``reading.py``.  When rules were declared: ``register.py``.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from penalized_bandits.claims import claim, entry_of
from penalized_bandits.claims.base import Finding
from penalized_bandits.claims.decided import decided
from penalized_bandits.claims.evidence import Evidence
from penalized_bandits.claims.ledger.register import dates_of, digest_of
from penalized_bandits.claims.measured import finding_row, measured
from penalized_bandits.experiments.catalogue import experiment as experiment_of

if TYPE_CHECKING:
    import pandas as pd

COLUMNS = (
    "id",
    "where",
    "statement",
    "rule",
    "estimate",
    "ci_low",
    "ci_high",
    "verdict",
    "evidence",
    "quantity",
    "parts",
    "hold",
    "fail",
    "undecided",
    "vacuous",
    "readings",
    "note",
    "asked_by",
    "best",
    "slack",
    "notices_10",
    "notices_50",
    "notices_100",
    "declared",
    "changed",
    "of_stake",
    "violation",
    "misses",
    "digest",
)
"""Of the ledger; ``notices_50`` is how often the rule notices a claim broken by 50 %, and
``violation`` which part shows that least."""
PART_COLUMNS = (
    "id",
    "part",
    "estimate",
    "ci_low",
    "ci_high",
    "limit",
    "status",
    "detail",
    "least",
    "most",
    "stake",
)

PAPERS = "config/config.yaml"
"""The config that verdicts on the paper are of; ``config`` of a row says so, or what differs."""
KEYS_NAMED = 3
"""Keys of another config that are named; of more than these, how many."""


def config_name(changed: Sequence[str]) -> str:
    """Name a config by its keys that are not those of the paper's."""
    if not changed:
        return PAPERS
    more = len(changed) - KEYS_NAMED
    named = ", ".join(changed[:KEYS_NAMED]) + (f" and {more} keys more" if more > 0 else "")
    return f"{PAPERS} with other values of {named}"


def warning(row: dict[str, Any]) -> str:
    """Say that a row is not of the paper's config; nothing where it is, or names none."""
    config = row.get("config", PAPERS)
    if config == PAPERS:
        return ""
    return (
        f"Not the paper's config, but {config}. Verdicts are about this one: with few replicates "
        "or short horizons a claim may fail for that reason alone."
    )


def told(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return the row of the ledger of a claim that was decided, in the order of the columns.

    It adds what is said of the claim whatever was measured, and when its rule was declared.
    """
    identifier = row["id"]
    wanted, entry = claim(identifier), entry_of(identifier)
    readings = {r for e in entry.experiments for r in experiment_of(e).readings}
    digest = digest_of(wanted)
    found = {
        **row,
        "where": wanted.where,
        "statement": wanted.statement,
        "rule": wanted.rule,
        "evidence": wanted.evidence or entry.summary,
        "readings": ", ".join(sorted(readings)),
        "asked_by": "us" if wanted.ours or entry.folder != "paper" else "the paper",
        "misses": wanted.misses,
        "digest": digest,
        **dict(zip(("declared", "changed"), dates_of(identifier, digest), strict=True)),
    }
    return {name: found[name] for name in (*COLUMNS, "all_parts", "series")}


def row_of(identifier: str, finding: Finding) -> dict[str, Any]:
    """Return the row of the ledger of what was measured for a claim, its parts included."""
    return told(decided(finding_row(identifier, finding)))


def check(identifier: str, evidence: Evidence) -> dict[str, Any]:
    """Measure a claim, decide it and return its row of the ledger."""
    return row_of(identifier, measured(identifier, evidence))


def claims_table(rows: Sequence[dict[str, Any]]) -> "pd.DataFrame":
    """Return the ledger as a table, one row a claim, in the columns of the contract."""
    import pandas as pd  # checking claims, most of what this file is for, needs none

    return pd.DataFrame(rows, columns=list(COLUMNS))


def parts_table(rows: Sequence[dict[str, Any]]) -> "pd.DataFrame":
    """Return every part of every claim as a table."""
    import pandas as pd  # as above

    parts = [{"id": row["id"], **part} for row in rows for part in row["all_parts"]]
    names = {"name": "part", "low": "ci_low", "high": "ci_high"}
    return pd.DataFrame(parts).rename(columns=names).reindex(columns=list(PART_COLUMNS))
