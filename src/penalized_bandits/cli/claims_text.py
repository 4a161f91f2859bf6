"""The ledger as ``penalized-bandits claims`` shows it."""

from collections.abc import Iterator, Sequence
from typing import Any

from rich.table import Table
from rich.text import Text

from penalized_bandits.claims.ledger.reading import facts, groups, tally
from penalized_bandits.cli.terminal import table
from penalized_bandits.common.numbers import estimate, shown
from penalized_bandits.experiments.names import in_words

COLOURS = {
    "reproduced": "green",
    "holds": "green",
    "partly": "yellow",
    "consistent": "blue",
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
    """Yield a table of the paper's claims and one of our own questions, each with its tally."""
    for title, of_it in groups(rows):
        made = table("claim", "verdict", "parts", "where", "statement", title=title)
        for row in of_it:
            made.add_row(
                row["id"],
                _coloured(row["verdict"]),
                _parts(row),
                row["where"],
                in_words(row["statement"]),
            )
        yield made
        yield f"{title}: {tally(of_it)}."
    if not rows:
        yield "No claim is like that."
    if rows:
        yield (
            "Parts: hold/fail/undecided +vacuous. One claim in full: "
            f"penalized-bandits claims {rows[0]['id']}"
        )


def in_full(row: dict[str, Any]) -> Iterator[Table | Text]:
    """Yield a claim in full: statement, rule, what was measured, every part."""
    told = {
        "Statement": in_words(row["statement"]),
        **facts(row),
        "Evidence": row["evidence"],
        "Readings": row["readings"],
    }
    text = Text.assemble((row["id"], "bold"), f" ({row['where']}): ", _coloured(row["verdict"]))
    for name, fact in told.items():
        if fact:
            text.append_text(Text.assemble("\n", (f"{name}: ", "bold"), fact))
    yield text
    if not row["all_parts"]:
        return
    made = table("part", ">estimate", ">limit", "status", "")
    for part in row["all_parts"]:
        made.add_row(
            in_words(part["name"]),
            estimate(part["estimate"], part["low"], part["high"]),
            shown(part["limit"]),
            _coloured(part["status"]),
            in_words(part["detail"]),
        )
    yield made
