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
from penalized_bandits.claims.ledger.reading import groups, share_of_stake, slack_text, tally
from penalized_bandits.common.numbers import estimate, shown
from penalized_bandits.experiments.names import in_words
from penalized_bandits.pages import published
from penalized_bandits.pages.pdf import as_text, markup, to_pdf
from penalized_bandits.storage.files import digest_of, read_json

DRAWN = (*(f"figure_{number}" for number in range(1, 6)), "theory_crossover")
"""The figures of the default run that the article shows."""
TEXTS = (
    *(f"{name}.typ" for name in ("article", "style", "ledger", "problem", "claims")),
    *(f"{name}.typ" for name in ("methods", "figures", "theory", "new", "optimal", "practice")),
    *("reproducibility.typ", "metadata.yaml", "references.bib"),
)
"""The files of ``workflow/article``."""
DIGITS = 8
"""How much of a checksum names an origin."""


@dataclass
class Sources:
    """Files that the article is made of.

    ``extended`` and ``sharp`` are ledgers of this run (JSON) or published ones (Markdown), and so
    is ``comparison``, the table of all policies.
    """

    claims: str
    sensitivity: str
    ratings: str
    figures: Sequence[str]
    """The pictures, SVG or PNG, each with its caption beside it, or in the ledger ``sharp``."""
    extended: str
    comparison: str
    sharp: str
    confirmation: str
    seeds: str
    citation: str
    texts: Sequence[str]
    """The typst files, and ``metadata.yaml``."""


def gather(sources: Sources) -> dict[str, Any]:
    """Return all that the text may ask for, as it is shown.

    Raises PageError if a published table has another form.
    """
    rows = read_json(sources.claims)
    beyond = {name: getattr(sources, name) for name in ("extended", "sharp")}
    claims = {row["id"]: told(row) for row in rows}
    for path in beyond.values():
        claims |= _ledger(path)
    flipped, seeds = _rows(sources.sensitivity), _rows(sources.seeds)
    return {
        "claims": claims,
        "tallies": [[title, tally(of_it)] for title, of_it in groups(rows)],
        "warning": warning(rows[0]),
        "marks": {
            name: _made(path, name) for name, path in {"claims": sources.claims, **beyond}.items()
        },
        "figures": {Path(path).stem: _figure(path, sources.sharp) for path in sources.figures},
        "policies": published.table(sources.comparison, "policy"),
        "confirmation": {
            row["claim"]: row for row in published.table(sources.confirmation, "confirmation")
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
        "value": published.figure(value if known else None),
        "share": published.figure(share_of_stake(part)),
        "course": published.course(in_words(part["detail"])),
    }


def _ledger(path: str) -> dict[str, dict[str, Any]]:
    """Return a ledger, of this run or a published one."""
    if path.endswith(".md"):
        found = published.ledger(path)
        return {name: claim | {"where": markup(claim["where"])} for name, claim in found.items()}
    return {row["id"]: told(row) for row in read_json(path)}


def _made(path: str, target: str) -> dict[str, Any]:
    """Return what remakes a file, and the first digits of its checksum."""
    published = "docs" in Path(path).parts
    return {"target": target, "mark": digest_of(path)[:DIGITS], "published": published}


def _figure(path: str, ledger: str) -> dict[str, str]:
    beside = Path(path).with_suffix(".md")
    written = beside.read_text("utf-8") if beside.is_file() else published.caption(ledger, path)
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
