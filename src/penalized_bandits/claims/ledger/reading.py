"""The ledger for reading: two tallies, what is said of each claim, and tables in Markdown."""

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeVar, get_args

from penalized_bandits.claims.base import FAR, Verdict
from penalized_bandits.claims.decided import notices
from penalized_bandits.claims.ledger import PAPERS, warning
from penalized_bandits.common.numbers import estimate, percent, shown
from penalized_bandits.experiments.names import in_words

Row = Mapping[str, Any]
AnyRow = TypeVar("AnyRow", bound=Row)

ASKED = {"the paper": "The paper's claims", "us": "Our own questions"}
"""Headings of the two tables, by who asks."""
POWER_TEXT = """\
# What the rules notice

<!-- Written by tools/publish.py from a finished run. -->

A rule that could not fail would prove nothing. For each part that holds we suppose that the truth
lies on the wrong side of its limit, and compute how often the part would then not hold, given this
run's standard error. Of each claim the table shows the part that notices least.

A violation by 10 %, by 50 % or by a factor 2 is

- for one limit, such as a ratio to a bound: 1.1, 1.5 or 2 times the limit, or the limit divided by
  that;
- for two limits: so many times what they lie around, or that divided by it, whichever is noticed
  less;
- for a probability: so many times the chance of what should not happen;
- for a difference: the limit missed by 10 %, 50 % or 100 % of what is at stake, such as the rival's
  regret or the range of the frontier.

*Bound* is the nearest bound divided by the measured value (for a lower bound, the other way round).
The chances are worked out (`claims/power.py`), and tests hold them to simulated runs. Where
p-values of a family are adjusted, they are those of the part alone, a little too high.

## Rules that miss a factor 2

These notice a violation by a factor 2 in less than half of the runs, or have no limit that could be
missed by one. Each says what excuses it: its verdict, or a reason.
"""
EVEN = 0.5
"""A rule that notices a violation less often than this misses it."""


def groups(rows: Sequence[AnyRow]) -> list[tuple[str, list[AnyRow]]]:
    """Return the rows of each table under its heading; no table is empty."""
    found = ((title, [r for r in rows if r["asked_by"] == asked]) for asked, title in ASKED.items())
    return [(title, of_it) for title, of_it in found if of_it]


def tally(rows: Sequence[Row]) -> str:
    """Count the verdicts: ``24 reproduced, 11 partly``."""
    counts = Counter(row["verdict"] for row in rows)
    return ", ".join(f"{counts[word]} {word}" for word in get_args(Verdict) if counts[word])


def parts_text(row: Row) -> str:
    """Count the parts: ``9 / 1 / 0 (+ 2 vacuous)`` hold, fail, are undecided."""
    text = f"{row['hold']} / {row['fail']} / {row['undecided']}"
    return f"{text} (+ {row['vacuous']} vacuous)" if row["vacuous"] else text


def slack_text(row: Row) -> str:
    """Say how far away the nearest bound is: ``× 28.6``; nothing where nothing is a bound."""
    slack = row["slack"]
    if not isinstance(slack, float | int) or row["verdict"] == "identity" or slack < 1:
        return ""
    return f"× {shown(float(f'{slack:.3g}'))}"


def stake_text(share: Any) -> str:
    """Write a difference as a share of what is at stake; nothing where there is none."""
    if not isinstance(share, float | int) or math.isnan(share):
        return ""
    return f"{percent(share)} of what is at stake"


def _notices(row: Row) -> str:
    """Say how often the rule notices a violation, and which one."""
    if row["notices_100"] is None:
        return ""
    by = ("by 10 %", "by 50 %", "by a factor 2")
    chances = (row[key] for key in notices())
    told = ", ".join(f"{how} in {percent(c)}" for how, c in zip(by, chances, strict=True))
    return f"a violation {told} of runs ({row['violation']})"


def _declared(row: Row) -> str:
    if not row["declared"]:
        return f"not in the register (wording {row['digest']})"
    changed = f", changed {row['changed']}" if row["changed"] else ""
    return f"{row['declared']}{changed} (wording {row['digest']})"


def facts(row: Row) -> dict[str, str]:
    """Return what is said of a claim, by heading, in words; nothing where there is nothing."""
    slack = slack_text(row)
    found = {
        "Rule": row["rule"],
        "Declared": _declared(row),
        "Measured": f"{row['quantity']}: {measured_text(row) or 'no estimate'}"
        if row["all_parts"]
        else "",
        "Best": row["best"] if row["verdict"] == "partly" else "",
        "Size": stake_text(row["of_stake"]),
        "Bound": f"{slack} away" if slack else "",
        "Notices": _notices(row),
        "Misses": row["misses"],
        "Note": row["note"],
    }
    return {
        name: fact if name == "Declared" else in_words(fact) for name, fact in found.items() if fact
    }


def _cell(value: Any) -> str:
    text = "" if value is None else value if isinstance(value, str) else shown(value)
    return text.replace("|", "\\|").replace("\n", " ")


def _line(cells: Iterable[Any]) -> str:
    return "| " + " | ".join(_cell(cell) for cell in cells) + " |"


def markdown_table(heads: Sequence[str], rows: Iterable[Iterable[Any]]) -> list[str]:
    """Return the lines of a table; numbers are written in the one style, None as nothing."""
    return [_line(heads), _line(["---"] * len(heads)), *map(_line, rows)]


def to_markdown(rows: Sequence[Row]) -> str:
    """Write the ledger for reading: tallies, and a row for each claim."""
    other = warning(dict(rows[0]))
    lines = [
        "# Claims",
        "",
        f"**{other}**" if other else f"Config: `{PAPERS}`, the paper's.",
        "",
        *(f"- {title}: {tally(of_it)}." for title, of_it in groups(rows)),
        "",
        "`claims.json` has the rule of each claim, when it was declared, and every part.",
        "",
        *claims_tables(rows),
    ]
    return "\n".join(lines)


def claims_tables(rows: Sequence[Row]) -> list[str]:
    """Return the claims as lines of Markdown tables, a row each; more of each is in the JSON."""
    heads = ("claim", "where", "statement", "verdict", "hold / fail / undecided", "nearest to fail")
    lines = []
    for title, of_it in groups(rows):
        cells = (
            (
                f'<a id="{r["id"].lower()}"></a>{r["id"]}',
                r["where"],
                in_words(r["statement"]),
                f"**{r['verdict']}**",
                parts_text(r),
                in_words(f"{r['quantity']}: {measured}") if (measured := measured_text(r)) else "",
            )
            for r in of_it
        )
        lines += [f"## {title}", "", *markdown_table(heads, cells), ""]
    return lines


def measured_text(row: Row) -> str:
    """Return the estimate of the part that speaks most against a claim, with its interval."""
    return estimate(row["estimate"], row["ci_low"], row["ci_high"]) if row["all_parts"] else ""


def power_table(rows: Sequence[Row]) -> list[str]:
    """Return how often each rule notices a violation, as lines of a Markdown table."""
    heads = ("claim", "verdict", "nearest violation", "10 %", "50 %", "factor 2", "bound", "misses")
    return markdown_table(
        heads,
        (
            (
                row["id"],
                row["verdict"],
                in_words(row["violation"]),
                *(percent(row[key]) for key in notices()),
                slack_text(row),
                why_missed(row),
            )
            for row in rows
        ),
    )


UNEXPLAINED = "no reason is given"


def power_page(rows: Sequence[Row]) -> str:
    """Write what the rules notice as a page of the documentation."""
    blind = [
        f"- {row['id']} ({row['verdict']}): {why_missed(row) or UNEXPLAINED}."
        for row in rows
        if misses(row)
    ]
    return "\n".join(
        [POWER_TEXT, *(blind or ["None."]), "", "## All rules", "", *power_table(rows), ""]
    )


def misses(row: Row) -> bool:
    """Say whether the rule misses a violation by a factor 2 more often than not."""
    return row["notices_100"] is None or row["notices_100"] < EVEN


def why_missed(row: Row) -> str:
    """Say what excuses a rule that misses a violation; nothing where it does not, or nothing does.

    Verdicts that claim no support are an excuse, and so is a violation that was noticed.
    """
    if not misses(row):
        return ""
    if row["misses"]:
        return row["misses"]
    if row["fail"]:
        return "a violation was noticed: parts fail"
    told = {
        "consistent": f"the bound is at least {FAR:g} times what is measured",
        "identity": "nothing could fail but the code",
        "undecided": "nothing is claimed",
        "not measured": "nothing is claimed",
    }
    return told.get(row["verdict"], "")


def share_of_stake(part: Row) -> float | None:
    """Return a difference as a share of what is at stake; None where there is no such thing."""
    found, stake = (part[key] for key in ("estimate", "stake"))
    numbers = isinstance(found, float | int) and isinstance(stake, float | int) and stake
    return found / stake if numbers and not math.isnan(found / stake) else None
