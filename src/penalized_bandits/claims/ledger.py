"""The ledger: claims checked, and the tables made of them.  For reading: ``reading.py``."""

import dataclasses
import json
import math
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from penalized_bandits.claims import CLAIMS, claim, claims_of, entry_of
from penalized_bandits.claims.base import Finding, Part, nothing_known, slack_of, verdict_of
from penalized_bandits.claims.evidence import Evidence
from penalized_bandits.claims.power import FACTORS, power_of, violation, weakest
from penalized_bandits.claims.register import dates_of, digest_of
from penalized_bandits.common.errors import ClaimError, NotMeasuredError, OriginError
from penalized_bandits.common.numbers import estimate
from penalized_bandits.experiments.catalogue import experiment as experiment_of
from penalized_bandits.storage.origins import read_bytes

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


def number_or_none(value: float) -> float | None:
    """Return a number as rows have it: None in place of NaN."""
    return None if math.isnan(value) else float(value)


def notices() -> list[str]:
    """Return the columns that say how often a rule notices a violation."""
    return [f"notices_{round(100 * (factor - 1))}" for factor in FACTORS]


def measured(identifier: str, evidence: Evidence) -> Finding:
    """Measure a claim; where the config leaves too little for it, say in the note what it lacks."""
    experiments = entry_of(identifier).experiments
    try:
        finding = claim(identifier).measure(evidence)
        lack = f"nothing in {', '.join(experiments)} is what it speaks of"
    except NotMeasuredError as error:
        finding, lack = Finding("", ()), f"{error} (it stands on {', '.join(experiments)})"
    if finding.parts:
        return finding
    return Finding("", (), f"Not measured under this config: {lack}.")


def _named(part: Part) -> str:
    measured = estimate(part.estimate, part.low, part.high)
    return f"{part.name}: {measured}" if measured else part.name


def check(identifier: str, evidence: Evidence) -> dict[str, Any]:
    """Measure a claim and return its row of the ledger, its parts included."""
    return row_of(identifier, measured(identifier, evidence))


def row_of(identifier: str, finding: Finding) -> dict[str, Any]:
    """Return the row of the ledger of what was measured for a claim, its parts included."""
    wanted, entry = claim(identifier), entry_of(identifier)
    shown = finding.shown if finding.parts else nothing_known("", "")
    readings = {r for e in entry.experiments for r in experiment_of(e).readings}
    count = Counter(part.status for part in finding.parts)
    broken, digest = weakest(finding.parts), digest_of(wanted)
    chances = [number_or_none(power_of(finding.parts, factor)) for factor in FACTORS]
    return {
        "id": identifier,
        "where": wanted.where,
        "statement": wanted.statement,
        "rule": wanted.rule,
        "estimate": number_or_none(shown.estimate),
        "ci_low": number_or_none(shown.low),
        "ci_high": number_or_none(shown.high),
        "verdict": verdict_of(finding.parts, wanted.kind) if finding.parts else "not measured",
        "evidence": wanted.evidence or entry.summary,
        "quantity": f"{finding.quantity} ({shown.name})" if finding.parts else "",
        "parts": len(finding.parts),
        "hold": count["holds"],
        "fail": count["fails"],
        "undecided": count["undecided"],
        "vacuous": count["vacuous"],
        "readings": ", ".join(sorted(readings)),
        "note": finding.note,
        "asked_by": "us" if wanted.ours or entry.folder != "paper" else "the paper",
        "best": _named(finding.best) if finding.parts else "",
        "slack": number_or_none(slack_of(finding.parts)),
        **dict(zip(notices(), chances, strict=True)),
        **dict(zip(("declared", "changed"), dates_of(identifier, digest), strict=True)),
        "of_stake": number_or_none(shown.estimate / shown.stake) if shown.stake else None,
        "violation": violation(broken) if broken else "",
        "misses": wanted.misses,
        "digest": digest,
        "all_parts": [dataclasses.asdict(part) for part in finding.parts],
        "series": [dataclasses.asdict(series) for series in finding.series],
    }


def check_topic(topic: str, evidence: Evidence) -> list[dict[str, Any]]:
    """Measure all claims of a topic."""
    return [check(entry.id, evidence) for entry in claims_of(topic)]


def to_json(rows: Sequence[dict[str, Any]]) -> str:
    """Write rows as JSON; numbers that are not finite become null or text."""

    def plain(value: Any) -> Any:
        if isinstance(value, float) and not math.isfinite(value):
            return None if math.isnan(value) else ("inf" if value > 0 else "-inf")
        if isinstance(value, dict):
            return {key: plain(item) for key, item in value.items()}
        if isinstance(value, list | tuple):
            return [plain(item) for item in value]
        return value.item() if isinstance(value, np.generic) else value

    return json.dumps(plain(list(rows)), indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def number_from(value: Any) -> Any:
    """Return a value that `to_json` wrote: an infinite number, which is text there, as a number."""
    return float(value) if value in ("inf", "-inf") else value


def read_rows(paths: Iterable[Path | str]) -> list[dict[str, Any]]:
    """Read the rows of several topics, in the order of the registry.

    Raises
    ------
    ClaimError
        If a file cannot be read or lacks a claim that it should have.
    """
    rows: dict[str, dict[str, Any]] = {}
    for path in paths:
        try:
            found = json.loads(read_bytes(path))
            rows.update({row["id"]: row for row in found})
        except OriginError:
            raise
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise ClaimError(f"{path} is no list of checked claims: {error}") from None
    missing = [name for name in CLAIMS if name not in rows]
    if missing:
        raise ClaimError(f"claims {', '.join(missing)} were not checked: run the workflow again")
    return [rows[name] for name in CLAIMS]


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
