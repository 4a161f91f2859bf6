"""Claims beyond the paper put to the test: frozen rules, new seeds, new bandits.

``frozen.csv`` has a line (date, digest) for each confirmation: the digest of its config and of
the bandits that it draws, written before it was run.  ``confirmed.csv`` has what came out.
"""

import csv
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from penalized_bandits.claims import claim
from penalized_bandits.claims.base import Finding, verdict_of
from penalized_bandits.claims.beyond.evidence import ExtendedEvidence, Laws
from penalized_bandits.claims.evidence import Evidence
from penalized_bandits.claims.ledger import row_of
from penalized_bandits.claims.ledger.reading import markdown_table, parts_text
from penalized_bandits.claims.ledger.register import digest_of
from penalized_bandits.claims.measured import measured
from penalized_bandits.common.numbers import estimate
from penalized_bandits.experiments.names import in_words
from penalized_bandits.storage.files import write_text

CONFIRMED = Path(__file__).with_name("confirmed.csv")
COUNTS = ("hold", "fail", "undecided", "vacuous")
COLUMNS = ("id", "verdict", "by_seed", *COUNTS, "worst", "rule_digest", "frozen")
"""Of ``confirmed.csv``; ``rule_digest`` is that of statement and rule, ``frozen`` that of config
and bandits."""


def confirmed() -> dict[str, dict[str, Any]]:
    """Return what came out of the confirmation, by claim; empty before it."""
    if not CONFIRMED.is_file():
        return {}
    with CONFIRMED.open(encoding="utf-8", newline="") as lines:
        rows: list[dict[str, Any]] = list(csv.DictReader(lines))
    return {row["id"]: row | {name: int(row[name]) for name in COUNTS} for row in rows}


def evidence_of(
    sections: Mapping[str, Mapping[str, Any]],
    readings: Mapping[str, Mapping[str, Any]],
    replicates: Mapping[int, Mapping[str, str]],
    counts: str,
) -> dict[int, Evidence]:
    """Return the evidence of each seed, which shares the level of all tests with the others.

    Parameters
    ----------
    sections, readings
        Of each experiment.
    replicates
        The table of each experiment's replicates, by seed.
    counts
        Path of the table of rating counts.
    """
    found: dict[int, Evidence] = {}
    for seed, tables in replicates.items():
        laws = Laws(sections, seed, readings, counts, new=True)
        paths = {name: [path] for name, path in tables.items()}
        found[seed] = ExtendedEvidence(sections, paths, laws)
        found[seed].level = Evidence.level / len(replicates)
    return found


def confirm(identifier: str, evidence: Mapping[int, Evidence]) -> dict[str, Any]:
    """Measure a claim on the evidence of each seed; return one row of the ledger.

    Its parts are those of all seeds; ``by_seed`` has the verdict of each alone.
    """
    wanted = claim(identifier)
    found = {seed: measured(identifier, one) for seed, one in evidence.items()}
    parts = [
        replace(part, name=f"seed {seed}: {part.name}")
        for seed, finding in found.items()
        for part in finding.parts
    ]
    first = next(iter(found.values()))
    row = row_of(identifier, Finding(first.quantity, tuple(parts)))
    verdicts = [verdict_of(finding.parts, wanted.kind) for finding in found.values()]
    return row | {"by_seed": ", ".join(verdicts), "rule_digest": digest_of(wanted)}


def write_confirmed(rows: Sequence[dict[str, Any]]) -> None:
    """Write ``confirmed.csv`` from the rows of a confirmation."""
    lines = [",".join(COLUMNS)]
    for row in rows:
        worst = estimate(row["estimate"], row["ci_low"], row["ci_high"])
        values = {**row, "worst": f"{row['quantity']}: {worst}"}
        lines.append(",".join('"' + str(values[c]).replace('"', '""') + '"' for c in COLUMNS))
    write_text(CONFIRMED, "\n".join(lines) + "\n")


def in_short(identifier: str) -> str:
    """Return the confirmatory verdict on a claim, and whether its rule is another now."""
    row = confirmed().get(identifier)
    if row is None:
        return "not yet confirmed"
    now = digest_of(claim(identifier))
    return row["verdict"] + ("" if row["rule_digest"] == now else " (by an earlier rule)")


def side_by_side(rows: Sequence[dict[str, Any]]) -> list[str]:
    """Return both verdicts on each claim as lines of a Markdown table.

    Parameters
    ----------
    rows
        The ledger of the exploration.
    """
    parts = "parts: hold / fail / undecided"
    heads = ("claim", "exploration", "confirmation", "by seed", parts, "worst")
    lines: list[tuple[str, ...]] = []
    for row in rows:
        cells = (row["id"], row["verdict"], f"**{in_short(row['id'])}**")
        new = confirmed().get(row["id"])
        more = ("", "", "")
        if new is not None:
            more = (new["by_seed"], parts_text(new), in_words(new["worst"]))
        lines.append(cells + more)
    return markdown_table(heads, lines)
