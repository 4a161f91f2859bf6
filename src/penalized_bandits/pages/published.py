"""Ledgers and tables that are published as Markdown, read back as text.

``docs/extended.md`` and ``docs/sharp.md`` are made from runs that take hours
(`penalized_bandits.claims.ledger.reading` writes them).  Where a run did not make those results
itself, the article shows these, and says so.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from penalized_bandits.claims.base import Verdict
from penalized_bandits.common.errors import PageError
from penalized_bandits.common.numbers import percent, shown
from penalized_bandits.experiments.names import in_words

_HEAD = re.compile(r"^#{2,3} ([CES]\d+[A-Z]?) \((.*)\): ([a-z ]+)$", re.MULTILINE)
_CELL = re.compile(r"(?<!\\)\|")


def tables(text: str) -> Iterator[list[dict[str, str]]]:
    """Yield each Markdown table of a text as its rows, cells by heading."""
    for block in re.findall(r"(?:^\|.*\n?)+", text, re.MULTILINE):
        heads, _, *rows = [
            [cell.strip().replace("\\|", "|") for cell in _CELL.split(line)[1:-1]]
            for line in block.splitlines()
        ]
        yield [dict(zip(heads, row, strict=True)) for row in rows]


def table(path: Path | str, heading: str) -> list[dict[str, str]]:
    """Return the first table of a Markdown file that has a column of this name.

    Raises PageError if there is none.
    """
    for rows in tables(Path(path).read_text(encoding="utf-8")):
        if rows and heading in rows[0]:
            return rows
    raise PageError(f"{path}: no table with the column {heading!r}; publish it again")


def caption(path: Path | str, picture: Path | str) -> str:
    """Return the paragraph below a picture in a Markdown file.

    Raises PageError if the picture is not shown there.
    """
    text = Path(path).read_text(encoding="utf-8")
    name = re.escape(Path(picture).name)
    found = re.search(rf"!\[[^\]]*\]\([^)]*{name}\)\n+(.+)", text)
    if not found:
        raise PageError(f"{path}: no picture {Path(picture).name} with its caption")
    return found[1]


def figure(value: float | None) -> dict[str, Any] | None:
    """Return a number as the text shows it: with three digits, and in per cent."""
    if value is None:
        return None
    return {
        "is": value,
        "short": shown(float(f"{value:.3g}")),
        "percent": percent(value).replace(" ", "\u00a0"),
    }


def number(text: str) -> float | None:
    """Return the number that a text begins with: ``−1,295 [−1,331, −1,258]``, ``2.1 × 10⁻⁵``."""
    found = re.match(r"[−+-]?[\d,]*\.?\d+", text)
    if not found:
        return None
    power = re.match(r" × 10([⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)", text[found.end() :])
    digits = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")
    exponent = int(power[1].translate(digits)) if power else 0
    return float(found[0].replace(",", "").replace("−", "-")) * 10.0**exponent


_ENDS = r"(?=[,;]?(?:\s|$))"
_COURSE = re.compile(
    rf"(?:at T = (?P<T>[\d,]+) )?measured (?P<measured>\S+?){_ENDS}"
    rf"(?:, predicted (?P<predicted>\S+?){_ENDS})?(?:, limit (?P<limit>\S+?){_ENDS})?"
)


def course(detail: str) -> dict[str, str]:
    """Return what the detail of a part says of a law: T, measured, predicted, limit."""
    found = _COURSE.search(detail)
    known = {key: text for key, text in found.groupdict().items() if text} if found else {}
    return known | ({"T": shown(known["T"].replace(",", ""))} if "T" in known else {})


def ledger(path: Path | str) -> dict[str, dict[str, Any]]:
    """Return the claims of a published ledger by id, as `penalized_bandits.pages.article` has them.

    Raises PageError if there are none, or a verdict is none of ours.
    """
    text = Path(path).read_text(encoding="utf-8")
    heads = list(_HEAD.finditer(text))
    ends = [head.start() for head in heads[1:]] + [len(text)]
    found = {
        head[1]: _claim(head, text[head.end() : end])
        for head, end in zip(heads, ends, strict=False)
    }
    unknown = {claim["verdict"] for claim in found.values()} - set(Verdict.__args__)
    if not found or unknown:
        raise PageError(f"{path}: {sorted(unknown) or 'no claims'}; publish it again")
    return found


def _claim(head: re.Match[str], body: str) -> dict[str, Any]:
    facts = dict(re.findall(r"^- ([A-Z]\w+): (.*)$", body, re.MULTILINE))
    rows = next(tables(body), [])
    quantity, _, measured = facts.get("Measured", "").rpartition(": ")
    return {
        "where": head[2],
        "statement": in_words(body.strip().splitlines()[0]),
        "verdict": head[3],
        "quantity": quantity,
        "measured": measured,
        "bound": facts.get("Bound", "").removesuffix(" away"),
        "parts": [
            {
                "name": in_words(row["part"]),
                "status": row["status"],
                "text": row["estimate"],
                "value": figure(number(row["estimate"])),
                "share": figure(_percent(row.get("of the stake", ""))),
                "course": course(row[""]),
            }
            for row in rows
        ],
    }


def _percent(text: str) -> float | None:
    share = number(text)
    return None if share is None else share / 100
