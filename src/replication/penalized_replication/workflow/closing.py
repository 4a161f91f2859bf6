"""What the end of a run says: where to look, and what came out."""

from pathlib import Path

from penalized_replication.claims.ledger.tables import groups, tally
from penalized_replication.claims.results import read_results, warning
from penalized_replication.storage.files import read_json


def closing_lines(results: Path) -> list[str]:
    """Return where to look, the tally of verdicts, and notes on config and ratings, a line each.

    Empty if the folder of results lacks one of these files, which the default target makes.
    """
    needed = ("index.html", "claims/claims.json", "movielens/provenance.json")
    if not all((results / name).exists() for name in needed):
        return []
    ledger = read_results(results / "claims/claims.json")
    (title, claims), *_ = groups(ledger)
    bundled = read_json(results / "movielens/provenance.json")["source_used"] == "bundled"
    counts = "MovieLens was not downloaded: bundled counts of its ratings were used." * bundled
    notes = f"{warning(ledger[0].config)} {counts}".strip()
    place = f"Open {results}/index.html (the ledger: {results}/claims/claims.md)"
    return [place, f"{title}: {tally(claims)}.", *[notes] * bool(notes)]
