"""The ledger as tables: two tallies, the claims and the power of their rules, in Markdown."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, get_args

from penalized_bandits.claims.base import Verdict
from penalized_bandits.claims.ledger import PAPERS, warning
from penalized_bandits.claims.ledger.render import (
    bound_text,
    detection_of,
    has_low_power,
    measured_text,
    parts_text,
    why_low_power,
)
from penalized_bandits.claims.results import COLUMNS, PART_COLUMNS, ClaimResult
from penalized_bandits.common.numbers import percent, shown

if TYPE_CHECKING:
    import pandas as pd

ASKED = {"the paper": "The paper's claims", "us": "Our own questions"}
"""Headings of the two tables, by who asks."""
POWER_TEXT = """\
# The power of the rules

<!-- Written by tools/publish.py from a finished run. -->

A rule that could not fail would prove nothing. For each part that holds we suppose that the truth
lies on the wrong side of its limit, and compute the probability that the part would then not hold,
given this run's standard error. The table shows the part with the least power of each claim.

A violation by 10 %, by 50 % or by a factor 2 is

- for one limit, such as a ratio to a bound: 1.1, 1.5 or 2 times the limit, or the limit divided by
  that;
- for two limits: so many times the value that they surround, or that divided by it, whichever is
  detected less often;
- for a probability: so many times the chance of the unwanted event;
- for a difference: the limit missed by 10 %, 50 % or 100 % of its reference scale, such as the
  rival's regret or the range of the frontier.

*Bound* is the nearest bound divided by the measured value (for a lower bound, the other way round).
The probabilities are computed (`claims/power.py`), and tests compare them with simulated runs.
Where p-values of a family are adjusted, they are those of the part alone, a little too high.

## Rules with low power

These detect a violation by a factor 2 in less than half of the runs, or have no limit that could be
missed by one. Each line gives the reason why the rule is acceptable: its verdict, or another.
"""
UNEXPLAINED = "no reason is given"


def groups(results: Sequence[ClaimResult]) -> list[tuple[str, list[ClaimResult]]]:
    """Return the results of each table under its heading; no table is empty."""
    tables = ((title, [r for r in results if r.asked_by == who]) for who, title in ASKED.items())
    return [(title, listed) for title, listed in tables if listed]


def tally(results: Sequence[ClaimResult]) -> str:
    """Count the verdicts: ``24 reproduced, 11 partly``."""
    counts = Counter(result.verdict for result in results)
    return ", ".join(f"{counts[word]} {word}" for word in get_args(Verdict) if counts[word])


def claims_table(results: Sequence[ClaimResult]) -> "pd.DataFrame":
    """Return the ledger as a table, one row a claim, in the columns of the contract."""
    import pandas as pd  # checking claims, most of what this package is for, needs none

    columns = [*COLUMNS, *(["confirmed"] if any(r.confirmed for r in results) else [])]
    return pd.DataFrame([result.row() for result in results], columns=columns)


def parts_table(results: Sequence[ClaimResult]) -> "pd.DataFrame":
    """Return every part of every claim as a table."""
    import pandas as pd  # as above

    rows = [row for result in results for row in result.part_rows()]
    whole = {"arm": "Int64", "horizon": "Int64", "trials": "Int64"}
    return pd.DataFrame(rows, columns=list(PART_COLUMNS)).astype(whole)


def _cell(value: Any) -> str:
    text = "" if value is None else value if isinstance(value, str) else shown(value)
    return text.replace("|", "\\|").replace("\n", " ")


def _line(cells: Iterable[Any]) -> str:
    return "| " + " | ".join(_cell(cell) for cell in cells) + " |"


def markdown_table(heads: Sequence[str], rows: Iterable[Iterable[Any]]) -> list[str]:
    """Return the lines of a table; numbers are written in the one style, None as nothing."""
    return [_line(heads), _line(["---"] * len(heads)), *map(_line, rows)]


def to_markdown(results: Sequence[ClaimResult]) -> str:
    """Return the ledger in Markdown: tallies, and a row for each claim."""
    other = warning(results[0])
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
        cells = (
            (
                f'<a id="{r.id.lower()}"></a>{r.id}',
                r.where,
                r.statement,
                f"**{r.verdict}**",
                parts_text(r),
                f"{r.quantity} ({r.headline.name}): {measured}"
                if (measured := measured_text(r))
                else "",
            )
            for r in listed
        )
        lines += [f"## {title}", "", *markdown_table(heads, cells), ""]
    return lines


def power_table(results: Sequence[ClaimResult]) -> list[str]:
    """Return the detection probabilities of each rule, as lines of a Markdown table."""
    heads = ("claim", "verdict", "nearest violation", "10 %", "50 %", "factor 2", "bound", "reason")
    return markdown_table(
        heads,
        (
            (
                r.id,
                r.verdict,
                r.violation,
                *map(percent, detection_of(r).values()),
                bound_text(r),
                why_low_power(r),
            )
            for r in results
        ),
    )


def power_page(results: Sequence[ClaimResult]) -> str:
    """Return the page of the documentation on the power of the rules."""
    low = [
        f"- {r.id} ({r.verdict}): {why_low_power(r) or UNEXPLAINED}."
        for r in results
        if has_low_power(r)
    ]
    return "\n".join(
        [POWER_TEXT, *(low or ["None."]), "", "## All rules", "", *power_table(results), ""]
    )
