"""What the end of a run says: what it made, and what came out."""

from collections.abc import Iterator
from pathlib import Path

from penalized_replication.claims.results import read_results, warning
from penalized_replication.storage.files import read_json

SHOWN = (
    *("index.html", "*.pdf", "**/claims/claims.md", "scenarios/*.csv", "scenarios/*.md"),
    *("scenarios/*/*.md", "**/figures/*.png", "notebooks/*.html", "playground.html"),
)
"""What people open first, most of all the first; of figures one form."""
MOST = 9


def closing_lines(results: Path, since: float) -> Iterator[str]:
    """Yield what a run that began at a time made, a line each; of claims with what came out."""
    found = dict.fromkeys(path for pattern in SHOWN for path in sorted(results.glob(pattern)))
    made = [path for path in found if path.stat().st_mtime >= since]
    for path in made[:MOST]:
        yield f"Made: {path}"
        if path.name == "claims.md" and (decided := path.with_suffix(".json")).is_file():
            from penalized_replication.claims.table.tables import groups, tally  # brings pandas

            claims = read_results(decided)
            yield from filter(None, {warning(result.config) for result in claims})
            yield from (f"{title}: {tally(listed)}." for title, listed in groups(claims))
    if len(made) > MOST:
        yield f"and {len(made) - MOST} files more in {results}"
    ratings = results / "movielens/provenance.json"
    if made and ratings.is_file() and read_json(ratings)["source_used"] == "bundled":
        yield "MovieLens was not downloaded: bundled counts of its ratings were used."
