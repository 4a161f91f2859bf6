"""Write the ledger of claims as a page of its own, for Snakemake's report."""

from pathlib import Path

import penalized_bandits.startup  # noqa: F401  (first)
from penalized_bandits.files import write_text
from penalized_bandits.logs import job_log
from penalized_bandits.origins import write_origin
from penalized_bandits.pages.claims_page import build_claims_page

files, target = snakemake.input, Path(snakemake.output[0])

with job_log(snakemake.log[0]) as log:
    page = build_claims_page(
        files.claims,
        files.sensitivity,
        snakemake.params.replicates,
        list(files.evidence),
        target,
        snakemake.params.warning,
    )
    write_text(target, page)
    read = [files.claims, files.sensitivity, *files.evidence]
    write_origin(snakemake.output.origin, snakemake.params.origin, [target], read)
    log.info("%d kB", len(page.encode()) // 1000)
