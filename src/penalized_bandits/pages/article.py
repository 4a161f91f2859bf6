"""The article: what it says of results, looked up by name, and typeset.

The text is in ``workflow/article``, in typst, and has no number of a result in it: it asks for
one by the claim and the part (``ledger.typ`` there), and gets what `gather` found in the tables
of ``results``.  What was not measured is said to be so.
"""

import csv
import json
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from penalized_bandits.claims.ledger import warning
from penalized_bandits.claims.ledger.reading import (
    groups,
    parts_text,
    share_of_stake,
    slack_text,
    tally,
)
from penalized_bandits.common.numbers import estimate, percent, shown
from penalized_bandits.experiments.names import in_words
from penalized_bandits.pages.material import DRAWN
from penalized_bandits.pages.pdf import as_text, markup, to_pdf
from penalized_bandits.storage.files import digest_of, read_json

DIGITS = 8
"""How much of a checksum names an origin."""


@dataclass
class Sources:
    """Files that the article is made of.

    The ledgers ``extended`` and ``sharp``, and ``comparison``, the table of all policies, are of
    this run, or published ones.
    """

    claims: str
    sensitivity: str
    ratings: str
    figures: Sequence[str]
    """The pictures, SVG or PNG, each with its caption beside it."""
    extended: str
    comparison: str
    sharp: str
    seeds: str
    citation: str
    texts: Sequence[str]
    """The typst files, and ``metadata.yaml``."""


def gather(sources: Sources) -> dict[str, Any]:
    """Return all that the text may ask for, as it is shown."""
    # Reading the rules must not pay for scipy and pandas.
    from penalized_bandits.claims.beyond.confirmation import confirmed, in_short
    from penalized_bandits.claims.beyond.ledger import comparison_rows
    from penalized_bandits.storage.summaries import read_table

    rows = read_json(sources.claims)
    beyond = {name: getattr(sources, name) for name in ("extended", "sharp")}
    ledgers = (rows, *map(read_json, beyond.values()))
    flipped, seeds = _rows(sources.sensitivity), _rows(sources.seeds)
    return {
        "claims": {row["id"]: told(row) for ledger in ledgers for row in ledger},
        "tallies": [[title, tally(of_it)] for title, of_it in groups(rows)],
        "warning": warning(rows[0]),
        "marks": {
            name: _made(path, name) for name, path in {"claims": sources.claims, **beyond}.items()
        },
        "figures": {Path(path).stem: _figure(path) for path in sources.figures},
        "policies": comparison_rows(read_table(sources.comparison)),
        "confirmation": {
            name: {"verdict": in_short(name), "parts": parts_text(found)}
            for name, found in confirmed().items()
        },
        "sensitivity": {
            "pairs": shown(len(flipped)),
            "readings": shown(len({row["reading"] for row in flipped})),
            "changed": sorted({row["id"] for row in flipped if row["changed"] == "True"}),
        },
        "seeds": {
            "claims": shown(len(seeds)),
            "stable": shown(sum(row["stable"] == "True" for row in seeds)),
            "seeds": shown(sum(column.startswith("seed_") for column in seeds[0])),
        },
        "ratings": read_json(sources.ratings),
        "citation": yaml.safe_load(Path(sources.citation).read_text(encoding="utf-8")),
    }


def _rows(path: str) -> list[dict[str, str]]:
    return list(csv.DictReader(Path(path).read_text("utf-8").splitlines()))


def told(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return a claim of a ledger as the text asks for it."""
    return {
        "where": markup(row["where"]),
        "statement": in_words(row["statement"]),
        "verdict": row["verdict"],
        "quantity": row["quantity"],
        "measured": estimate(row["estimate"], row["ci_low"], row["ci_high"]),
        "bound": slack_text(row),
        "parts": [_part(part) for part in row["all_parts"]],
    }


def _part(part: Mapping[str, Any]) -> dict[str, Any]:
    value = part["estimate"]
    known = isinstance(value, float | int) and math.isfinite(value)
    return {
        "name": in_words(part["name"]),
        "status": part["status"],
        "text": estimate(value, part["low"], part["high"]),
        "value": _figures(value if known else None),
        "share": _figures(share_of_stake(part)),
        "course": _course(in_words(part["detail"])),
    }


def _figures(value: float | None) -> dict[str, Any] | None:
    """Return a number as the text shows it: with three digits, and in per cent."""
    if value is None:
        return None
    short = shown(float(f"{value:.3g}"))
    return {"is": value, "short": short, "percent": percent(value).replace(" ", "\u00a0")}


_ENDS = r"(?=[,;]?(?:\s|$))"
_COURSE = re.compile(
    rf"(?:at T = (?P<T>[\d,]+) )?measured (?P<measured>\S+?){_ENDS}"
    rf"(?:, predicted (?P<predicted>\S+?){_ENDS})?(?:, limit (?P<limit>\S+?){_ENDS})?"
)


def _course(detail: str) -> dict[str, str]:
    """Return what the detail of a part says of a law: T, measured, predicted, limit."""
    found = _COURSE.search(detail)
    known = {key: text for key, text in found.groupdict().items() if text} if found else {}
    return known | ({"T": shown(known["T"].replace(",", ""))} if "T" in known else {})


def _made(path: str, target: str) -> dict[str, Any]:
    """Return what remakes a file, and the first digits of its checksum."""
    published = "docs" in Path(path).parts
    return {"target": target, "mark": digest_of(path)[:DIGITS], "published": published}


def _figure(path: str) -> dict[str, str]:
    written = Path(path).with_suffix(".md").read_text("utf-8")
    title, _, rest = written.strip().removeprefix("**").partition("**")
    title = re.sub(r"^Figure \d+\. ", "", title)
    return {
        "file": Path(path).name,
        "alt": title,
        "title": markup(title),
        "caption": markup(rest.strip()),
        **_made(path, Path(path).stem if Path(path).stem in DRAWN else "sharp"),
    }


def typeset(values: Mapping[str, Any], sources: Sources) -> bytes:
    """Return the article as PDF: the same bytes from the same values and files."""
    return to_pdf(files(values, sources))


def files(values: Mapping[str, Any], sources: Sources) -> dict[str, bytes]:
    """Return the files that typst sees, by name; ``main.typ`` is the one that it typesets."""
    found = {Path(path).name: as_text(path) for path in (*sources.texts, *sources.figures)}
    told = json.dumps(values, ensure_ascii=False, sort_keys=True).encode()
    return {"main.typ": found.pop("article.typ"), **found, "values.json": told}
