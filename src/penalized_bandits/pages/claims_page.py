"""The ledger of claims as a page of its own, for Snakemake's report."""

import os
from collections.abc import Collection, Mapping
from pathlib import Path

from penalized_bandits.origins import read_json
from penalized_bandits.pages.render import environment, written
from penalized_bandits.pages.verdicts import VERDICTS, counts, views
from penalized_bandits.summaries import read_table


def build_claims_page(
    claims: str,
    sensitivity: str,
    replicates: Mapping[str, int],
    evidence: Collection[str],
    page: Path,
) -> str:
    """Return the ledger as HTML, the same bytes for the same tables.

    Parameters
    ----------
    claims, sensitivity
        Paths of the ledger (JSON) and of the table of claim by reading.
    replicates
        Replicates of each experiment.
    evidence
        Tables that may be linked to.
    page
        Where it will be written: links are relative to its folder.
    """

    def link(path: str) -> str | None:
        return Path(os.path.relpath(path, page.parent)).as_posix() if path in evidence else None

    rows = read_json(claims)
    found = views(rows, read_table(sensitivity, {"value": str}), replicates, link)
    return (
        environment()
        .get_template("claims.html.j2")
        .render(
            claims=found,
            verdicts=counts(found),
            badges=VERDICTS,
            style=written("page.css"),
            script=written("page.js"),
        )
    )
