"""The ledger as tables: two tallies, and the claims, in Markdown."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, get_args

from penalized_replication.claims.base import Verdict
from penalized_replication.claims.ledger.render import headline_text, parts_text
from penalized_replication.claims.results import PAPERS, ClaimResult, warning

if TYPE_CHECKING:
    import pandas as pd

ASKED = {"the paper": "The paper's claims", "us": "Our own questions"}
"""Headings of the two tables, by the source of the question."""


def groups(results: Sequence[ClaimResult]) -> list[tuple[str, list[ClaimResult]]]:
    """Return the results of each table under its heading; no table is empty."""
    tables = ((title, [r for r in results if r.asked_by == who]) for who, title in ASKED.items())
    return [(title, listed) for title, listed in tables if listed]


def counted(results: Sequence[ClaimResult]) -> list[ClaimResult]:
    """Return the paper's claims that do not repeat another one's numbers."""
    return [result for result in results if result.asked_by == "the paper" and not result.repeats]


def tally(results: Sequence[ClaimResult]) -> str:
    """Count the verdicts: ``24 reproduced (1 of them mended before it was judged), 11 partly``.

    A claim that repeats another one's numbers is named and not counted.
    """
    once = [result for result in results if not result.repeats]
    counts = Counter(result.verdict for result in once)
    mended = Counter(result.verdict for result in once if result.mended)
    words = []
    for word in get_args(Verdict):
        judged = "it was" if mended[word] == 1 else "they were"
        repaired = f" ({mended[word]} of them mended before {judged} judged)" * bool(mended[word])
        words += [f"{counts[word]} {word}{repaired}"] * bool(counts[word])
    repeated = [f"{result.id} repeats {result.repeats}" for result in results if result.repeats]
    return ", ".join(words) + (f"; not counted: {', '.join(repeated)}" if repeated else "")


def claims_table(results: Sequence[ClaimResult]) -> "pd.DataFrame":
    """Return the ledger as a table, one row a claim, in the columns of the contract."""
    import pandas as pd  # checking claims, most of what this package is for, needs none

    return pd.DataFrame([result.row() for result in results])


def parts_table(results: Sequence[ClaimResult]) -> "pd.DataFrame":
    """Return every part of every claim as a table."""
    import pandas as pd  # as above

    rows = [row for result in results for row in result.part_rows()]
    return pd.DataFrame(rows).astype(dict.fromkeys(("arm", "horizon", "trials"), "Int64"))


def _line(cells: Iterable[str]) -> str:
    return "| " + " | ".join(c.replace("|", "\\|").replace("\n", " ") for c in cells) + " |"


def markdown_table(heads: Sequence[str], rows: Iterable[Iterable[str]]) -> list[str]:
    """Return the lines of a table."""
    return [_line(heads), _line(["---"] * len(heads)), *map(_line, rows)]


def to_markdown(results: Sequence[ClaimResult]) -> str:
    """Return the ledger in Markdown: tallies, and a row for each claim."""
    other = warning(results[0].config)
    lines = [
        "# Claims",
        "",
        f"**{other}**" if other else f"Config: `{PAPERS}`, the paper's.",
        "",
        *(f"- {title}: {tally(listed)}." for title, listed in groups(results)),
        "",
        "`claims.json` has the rule of each claim, when it was declared, and every part.",
        "",
        *claims_tables(results),
    ]
    return "\n".join(lines)


def claims_tables(results: Sequence[ClaimResult]) -> list[str]:
    """Return the claims as lines of Markdown tables, a row each; more of each is in the JSON."""
    heads = ("claim", "where", "statement", "verdict", "hold / fail / undecided", "nearest to fail")
    lines = []
    for title, listed in groups(results):
        cells: list[tuple[str, ...]] = []
        for r in listed:
            name, verdict = f'<a id="{r.id.lower()}"></a>{r.id}', f"**{r.verdict}**"
            cells.append((name, r.where, r.statement, verdict, parts_text(r), headline_text(r)))
        lines += [f"## {title}", "", *markdown_table(heads, cells), ""]
    return lines
