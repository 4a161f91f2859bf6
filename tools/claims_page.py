"""The page of claims: a table for each verdict, and the scenarios in which verdicts change."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import get_args

import yaml

from penalized_replication.claims.base import Verdict
from penalized_replication.claims.results import PAPERS, ClaimResult, warning
from penalized_replication.claims.table.render import bound_text, counts_text, headline_text
from penalized_replication.claims.table.scenarios import dependent
from penalized_replication.claims.table.tables import groups, markdown_table, tally
from penalized_replication.storage.tables import read_table

DOCS = Path(__file__).resolve().parents[1] / "docs"
TITLES: dict[str, str] = yaml.safe_load((DOCS / "titles.yaml").read_text(encoding="utf-8"))
HEADINGS = {"fails": "What fails", "holds in part": "What holds in part", "holds": "What holds"}
"""Of tables: those of other verdicts have the verdict."""
SETS = ("interpretations", "seeds", "design")
"""Sets of scenarios whose verdicts are published as a table."""
FEW = 4
"""From so many scenarios of a set on a claim has the number of each verdict alone."""
ABOUT = """\
Statements are in our words, in a table for each verdict ([meaning](pages/background/verdicts.md)).
`hold/fail/undecided` are numbers of comparisons of an estimate with its limits. The evidence is the
number that speaks most against a claim, with its 95 % interval, where not all comparisons hold or
none is judged; of a bound that is not contradicted, the factor between it and what was measured.

After a run `uv run penalized-replication claims C07` prints the rule of C07, its date, all
comparisons and notes, which are in `docs/published/claims.json` too.
"""


def evidence(result: ClaimResult) -> str:
    """Return what speaks most against a claim, of a bound its distance; nothing if all hold."""
    if result.verdict == "not contradicted":
        return f"bound {bound_text(result)}"
    return "" if result.verdict in ("holds", "holds by algebra") else headline_text(result)


def named(result: ClaimResult) -> str:
    """Return the title of a claim, its place in the paper and its statement, as one cell."""
    place = result.where.removeprefix("not in the paper; ")
    title = f'<a id="{result.id.lower()}"></a>{result.id} **{TITLES[result.id]}** ({place})'
    return f"{title}<br>{result.statement}"


def table(results: Sequence[ClaimResult], verdicts: bool = False) -> list[str]:
    """Return a row for each claim, with their verdicts or without; no column is empty."""
    columns = {
        "claim": map(named, results),
        "verdict": (r.verdict * verdicts for r in results),
        "evidence": map(evidence, results),
        "hold/fail/undecided": (counts_text(r).replace(" / ", "/") for r in results),
    }
    shown = {head: cells for head, cell in columns.items() if any(cells := [*cell])}
    return markdown_table([*shown], zip(*shown.values(), strict=True))


def changes() -> list[str]:
    """Return the lines on each set of scenarios: which verdicts change, and where if in few."""
    lines: list[str] = []
    for name in SETS:
        found = read_table(DOCS / f"published/{name}.csv")
        pairs = f"{int(found['changed'].sum())} of {len(found)} pairs"
        about = "another verdict, or whether comparisons fail"
        lines += [f"## Verdicts that change: {name}", ""]
        lines += [f"{pairs} ([{about}](published/{name}.csv)).", ""]
        for claim, where in dependent(found).items():
            verdicts = Counter(text.rpartition(": ")[2] for text in where)
            counted = [f"{verdict} in {number}" for verdict, number in verdicts.items()]
            lines.append(f"- {claim}: {'; '.join(where if len(where) < FEW else counted)}")
        lines += [""] * (lines[-1] != "")
    return lines


def claims_page(results: Sequence[ClaimResult]) -> str:
    """Return the page of claims in Markdown."""
    other = warning(results[0].config)
    lines = ["# Claims", "", f"**{other}**" if other else f"Config: `{PAPERS}`, the paper's.", ""]
    lines += [*(f"- {title}: {tally(asked)}." for title, asked in groups(results)), "", ABOUT]
    for title, asked in groups(results):
        own = asked[0].asked_by == "us"
        for verdict in dict.fromkeys([*HEADINGS, *get_args(Verdict)]) if not own else [""]:
            if listed := [r for r in asked if own or r.verdict == verdict]:
                heading = title if own else HEADINGS.get(verdict, verdict.capitalize())
                lines += [f"## {heading}", "", *table(listed, own), ""]
    return "\n".join([*lines, *changes()]).rstrip() + "\n"
