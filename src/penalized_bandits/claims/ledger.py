"""The ledger: claims checked, and the tables made of them."""

import dataclasses
import json
import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from penalized_bandits.claims import CLAIMS, Entry, claims_of
from penalized_bandits.claims.base import (
    Claim,
    Finding,
    Part,
    nothing_known,
    slack_of,
    verdict_of,
)
from penalized_bandits.claims.evidence import Evidence
from penalized_bandits.claims.power import FACTORS, power_of
from penalized_bandits.claims.register import dates_of
from penalized_bandits.errors import ClaimError, NotMeasuredError, OriginError
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
)
"""Of the ledger; ``notices_50`` is how often the rule notices a claim broken by 50 %."""
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


def claim(identifier: str, registry: Mapping[str, Entry] = CLAIMS) -> Claim:
    """Return a claim of a registry by its id.

    Raises
    ------
    ClaimError
        If there is no such claim.
    """
    if identifier not in registry:
        raise ClaimError(f"there is no claim {identifier!r}: known are {', '.join(registry)}")
    entry = registry[identifier]
    return import_module(f"penalized_bandits.claims.{entry.folder}.{entry.module}").CLAIM


def _number(value: float) -> float | None:
    return None if math.isnan(value) else float(value)


def measured(wanted: Claim, experiments: Sequence[str], evidence: Evidence) -> Finding:
    """Measure a claim; where the config leaves too little for it, say in the note what it lacks."""
    try:
        finding = wanted.measure(evidence)
        lack = f"nothing in {', '.join(experiments)} is what it speaks of"
    except NotMeasuredError as error:
        finding, lack = Finding("", ()), f"{error} (it stands on {', '.join(experiments)})"
    if finding.parts:
        return finding
    return Finding("", (), f"Not measured under this config: {lack}.")


def _named(part: Part) -> str:
    return f"{part.name}: {interval_text(part.estimate, part.low, part.high)}"


def check(
    identifier: str, evidence: Evidence, registry: Mapping[str, Entry] = CLAIMS
) -> dict[str, Any]:
    """Measure a claim of a registry and return its row of the ledger, its parts included."""
    wanted = claim(identifier, registry)
    finding = measured(wanted, registry[identifier].experiments, evidence)
    return row_of(identifier, finding, registry)


def row_of(
    identifier: str, finding: Finding, registry: Mapping[str, Entry] = CLAIMS
) -> dict[str, Any]:
    """Return the row of the ledger of what was measured for a claim, its parts included."""
    wanted = claim(identifier, registry)
    experiments = registry[identifier].experiments
    shown = finding.shown if finding.parts else nothing_known("", "")
    readings = {r for e in experiments for r in experiment_of(e).readings}
    count = Counter(part.status for part in finding.parts)
    return {
        "id": identifier,
        "where": wanted.where,
        "statement": wanted.statement,
        "rule": wanted.rule,
        "estimate": _number(shown.estimate),
        "ci_low": _number(shown.low),
        "ci_high": _number(shown.high),
        "verdict": verdict_of(finding.parts, wanted.kind) if finding.parts else "not measured",
        "evidence": wanted.evidence,
        "quantity": f"{finding.quantity} ({shown.name})" if finding.parts else "",
        "parts": len(finding.parts),
        "hold": count["holds"],
        "fail": count["fails"],
        "undecided": count["undecided"],
        "vacuous": count["vacuous"],
        "readings": ", ".join(sorted(readings)),
        "note": finding.note,
        "asked_by": "us" if wanted.ours else "the paper",
        "best": _named(finding.best) if finding.parts else "",
        "slack": _number(slack_of(finding.parts)),
        **{
            f"notices_{round(100 * (factor - 1))}": _number(power_of(finding.parts, factor))
            for factor in FACTORS
        },
        **dict(zip(("declared", "changed"), dates_of(identifier), strict=True)),
        "all_parts": [dataclasses.asdict(part) for part in finding.parts],
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

    parts = [
        {
            **part,
            "id": row["id"],
            "part": part["name"],
            "ci_low": part["low"],
            "ci_high": part["high"],
        }
        for row in rows
        for part in row["all_parts"]
    ]
    return pd.DataFrame(parts, columns=list(PART_COLUMNS))


def _cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, float):
        # Below this everything is rounding.
        return "0" if abs(value) < 1e-9 else "" if math.isnan(value) else f"{value:.4g}"
    return str(value).replace("|", "\\|").replace("\n", " ")


def interval_text(estimate: Any, low: Any, high: Any) -> str:
    """Write an estimate with its interval, as rows and parts have them: ``1.2 [1.1, 1.3]``."""
    if estimate is None:
        return ""
    if low == high:
        return _cell(estimate)
    return f"{_cell(estimate)} [{_cell(low)}, {_cell(high)}]"


def _line(cells: Iterable[Any]) -> str:
    return "| " + " | ".join(_cell(cell) for cell in cells) + " |"


def claims_pages(rows: Sequence[dict[str, Any]]) -> list[str]:
    """Return a summary table and the page of each claim as Markdown lines."""
    lines = [*summary_table(rows), ""]
    for row in rows:
        lines += [*claim_page(row), ""]
    return lines


def to_markdown(rows: Sequence[dict[str, Any]]) -> str:
    """Write the ledger for reading: a summary table, then each claim with its parts."""
    counts = Counter(row["verdict"] for row in rows)
    other = warning(rows[0])
    lines = [
        "# Claims",
        "",
        f"**{other}**" if other else f"Config: `{PAPERS}`, the paper's.",
        "",
        ", ".join(f"{number} {verdict}" for verdict, number in counts.items()) + ".",
        "",
        *claims_pages(rows),
    ]
    return "\n".join(lines)


def summary_table(rows: Sequence[dict[str, Any]]) -> list[str]:
    """Return the ledger's summary as lines of a Markdown table."""
    lines = [
        "| claim | where | statement | verdict | parts: hold / fail / undecided |",
        "| --- | --- | --- | --- | --- |",
    ]
    for row in rows:
        parts = f"{row['hold']} / {row['fail']} / {row['undecided']}"
        if row["vacuous"]:
            parts += f" (+ {row['vacuous']} vacuous)"
        cells = (row["id"], row["where"], row["statement"], f"**{row['verdict']}**", parts)
        lines.append(_line(cells))
    return lines


def claim_page(row: dict[str, Any]) -> list[str]:
    """Return one claim as Markdown lines: rule, verdict, every part."""
    measured = interval_text(row["estimate"], row["ci_low"], row["ci_high"])
    lines = [
        f"## {row['id']} ({row['where']}): {row['verdict']}",
        "",
        row["statement"],
        "",
        f"- Rule: {row['rule']}",
        *([f"- Measured: {row['quantity']}: {measured}"] if row["all_parts"] else []),
        f"- Evidence: `{row['evidence']}`",
    ]
    if row["note"]:
        lines.append(f"- Note: {row['note']}")
    if other := warning(row):
        lines.append(f"- **{other}**")
    if not row["all_parts"]:
        return lines
    lines += ["", "| part | estimate | limit | status | |", "| --- | --- | --- | --- | --- |"]
    for part in row["all_parts"]:
        interval = interval_text(part["estimate"], part["low"], part["high"])
        cells = (part["name"], interval, part["limit"], part["status"], part["detail"])
        lines.append(_line(cells))
    return lines
