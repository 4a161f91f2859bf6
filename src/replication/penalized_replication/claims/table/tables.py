"""The claims table: two tallies, and the claims, in Markdown."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import get_args

import pandas as pd

from penalized_replication.claims.base import Verdict
from penalized_replication.claims.results import PAPERS, ClaimResult, warning
from penalized_replication.claims.table.render import counts_text, headline_text

ASKED = {"the paper": "The paper's claims", "us": "Our own questions"}
"""Headings of the two tables, by the source of the question."""
COMPARED = (
    "id comparison quantity case policy rival arm horizon estimate low high limit status measured "
    "predicted asymptote detail least most reference_scale trials"
)


def groups(results: Sequence[ClaimResult]) -> list[tuple[str, list[ClaimResult]]]:
    """Return the results of each table under its heading; no table is empty."""
    tables = ((title, [r for r in results if r.asked_by == who]) for who, title in ASKED.items())
    return [(title, listed) for title, listed in tables if listed]


def counted(results: Sequence[ClaimResult]) -> list[ClaimResult]:
    """Return the paper's claims that do not repeat another one's numbers."""
    return [result for result in results if result.asked_by == "the paper" and not result.repeats]


def tally(results: Sequence[ClaimResult]) -> str:
    """Count the verdicts: ``holds 24 (1 of them corrected before it was judged), fails 3``.

    A claim that repeats another one's numbers is named and not counted.
    """
    once = [result for result in results if not result.repeats]
    counts = Counter(result.verdict for result in once)
    corrected = Counter(result.verdict for result in once if result.corrected)
    words = []
    for word in filter(counts.get, get_args(Verdict)):
        number, judged = corrected[word], "it was" if corrected[word] == 1 else "they were"
        repaired = f" ({number} of them corrected before {judged} judged)" if number else ""
        words.append(f"{word} {counts[word]}{repaired}")
    repeated = [f"{result.id} repeats {result.repeats}" for result in results if result.repeats]
    return ", ".join(words) + (f"; not counted: {', '.join(repeated)}" if repeated else "")


def claims_table(results: Sequence[ClaimResult]) -> pd.DataFrame:
    """Return the claims table, one row a claim, in the columns of the contract."""
    return pd.DataFrame([result.row() for result in results])


def comparisons_table(results: Sequence[ClaimResult]) -> pd.DataFrame:
    """Return every comparison of every claim as a table."""
    rows = [vars(x) | {"id": r.id, "comparison": x.name} for r in results for x in r.comparisons]
    table = pd.DataFrame(rows, columns=COMPARED.split())
    table = table.astype(dict.fromkeys(("arm", "horizon", "trials"), "Int64"))
    return table.rename(columns={"low": "ci_low", "high": "ci_high"})


def _line(cells: Iterable[str]) -> str:
    return "| " + " | ".join(c.replace("|", "\\|").replace("\n", " ") for c in cells) + " |"


def markdown_table(heads: Sequence[str], rows: Iterable[Iterable[str]]) -> list[str]:
    """Return the lines of a table."""
    return [_line(heads), _line(["---"] * len(heads)), *map(_line, rows)]


def to_markdown(results: Sequence[ClaimResult]) -> str:
    """Return the claims in Markdown: tallies, and a row for each claim."""
    other = warning(results[0].config)
    lines = [
        "# Claims",
        "",
        f"**{other}**" if other else f"Config: `{PAPERS}`, the paper's.",
        "",
        *(f"- {title}: {tally(listed)}." for title, listed in groups(results)),
        "",
        "`claims.json` has the rule of each claim, when it was declared, and every comparison.",
        "",
        *claims_tables(results),
    ]
    return "\n".join(lines)


def claims_tables(results: Sequence[ClaimResult]) -> list[str]:
    """Return the claims as lines of Markdown tables, a row each; those of algebra on one line."""
    heads = ("claim", "where", "statement", "verdict", "hold / fail / undecided", "nearest to fail")
    lines = []
    for title, listed in groups(results):
        cells: list[tuple[str, ...]] = []
        algebra: list[str] = []
        for r in listed:
            name = f'<a id="{r.id.lower()}"></a>{r.id}'
            if r.verdict == "holds by algebra":
                algebra.append(f"{name} ({r.where}): {r.statement}")
                continue
            texts = r.statement, f"**{r.verdict}**", counts_text(r), headline_text(r)
            cells.append((name, r.where, *texts))
        lines += [f"## {title}", "", *markdown_table(heads, cells), ""]
        if algebra:
            named = "; ".join(algebra)
            lines += [f"**Hold by algebra** (only an error in the code could fail): {named}", ""]
    return lines
