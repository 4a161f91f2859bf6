"""The ledger as ``penalized-bandits claims`` shows it."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from rich.table import Table
from rich.text import Text

from penalized_bandits.claims.ledger import interval_text, warning
from penalized_bandits.cli.terminal import table

COLOURS = {
    "reproduced": "green",
    "holds": "green",
    "partly": "yellow",
    "inconclusive": "cyan",
    "undecided": "cyan",
    "not reproduced": "red",
    "fails": "red",
}
"""Of verdicts, and of the statuses of parts."""


def _coloured(word: str) -> Text:
    return Text(word, style=COLOURS.get(word, "dim"))


def _parts(row: dict[str, Any]) -> str:
    text = f"{row['hold']}/{row['fail']}/{row['undecided']}"
    return text + (f" +{row['vacuous']}" if row["vacuous"] else "")


def ledger_table(rows: Sequence[dict[str, Any]]) -> Iterator[Table | str]:
    """Yield the table of claims and how many there are of each verdict."""
    made = table("claim", "verdict", "parts", "where", "statement")
    for row in rows:
        made.add_row(
            row["id"], _coloured(row["verdict"]), _parts(row), row["where"], row["statement"]
        )
    counts = Counter(row["verdict"] for row in rows)
    if rows:
        yield made
    listed = ", ".join(f"{number} {verdict}" for verdict, number in counts.items())
    yield f"{len(rows)} {'claim' if len(rows) == 1 else 'claims'}{': ' if rows else ''}{listed}."
    if rows and (other := warning(rows[0])):
        yield other
    if rows:
        yield (
            "Parts: hold/fail/undecided +vacuous. One claim in full: "
            f"penalized-bandits claims {rows[0]['id']}"
        )


def in_full(row: dict[str, Any]) -> Iterator[Table | Text]:
    """Yield a claim in full: statement, rule, what was measured, every part."""
    measured = interval_text(row["estimate"], row["ci_low"], row["ci_high"])
    facts = {
        "Statement": row["statement"],
        "Rule": row["rule"],
        "Measured": f"{row['quantity']}: {measured}" if row["all_parts"] else "",
        "Evidence": row["evidence"],
        "Readings": row["readings"],
        "Note": row["note"],
        "Config": warning(row),
    }
    text = Text.assemble((row["id"], "bold"), f" ({row['where']}): ", _coloured(row["verdict"]))
    for name, fact in facts.items():
        if fact:
            text.append_text(Text.assemble("\n", (f"{name}: ", "bold"), fact))
    yield text
    if not row["all_parts"]:
        return
    made = table("part", ">estimate", ">limit", "status", "")
    for part in row["all_parts"]:
        limit = part["limit"]
        made.add_row(
            part["name"],
            interval_text(part["estimate"], part["low"], part["high"]),
            f"{limit:.4g}" if isinstance(limit, float | int) else limit or "",
            _coloured(part["status"]),
            part["detail"],
        )
    yield made
