"""The ledger of claims as a page of its own, for Snakemake's report."""

import os
from collections.abc import Collection, Mapping
from pathlib import Path

from penalized_bandits.pages.render import environment, written
from penalized_bandits.pages.verdicts import VERDICTS, counts, tables, views
from penalized_bandits.storage.origins import read_json
from penalized_bandits.storage.summaries import read_table


def build_claims_page(
    claims: str,
    sensitivity: str,
    replicates: Mapping[str, int],
    evidence: Collection[str],
    page: Path,
    warning: str = "",
) -> str:
    """Return the ledger as HTML, the same bytes for the same tables.

    It is made of the ledger (JSON), the table of claim by reading and the replicates of each
    experiment, links to ``evidence`` alone, as seen from ``page``, where it will be written, and
    begins with ``warning``.
    """

    def link(path: str) -> str | None:
        # Claims name their evidence as seen from the folder that the results are in.
        here = (page.parents[2] / path).as_posix()
        return Path(os.path.relpath(here, page.parent)).as_posix() if here in evidence else None

    rows = read_json(claims)
    found = views(rows, read_table(sensitivity, {"value": str}), replicates, link)
    return (
        environment()
        .get_template("claims.html.j2")
        .render(
            groups=tables(found),
            warning=warning,
            verdicts=counts(found),
            badges=VERDICTS,
            style=written("page.css"),
            script=written("page.js"),
        )
    )
