"""Write the ledger of claims as a page of its own, for Snakemake's report."""

from pathlib import Path

from penalized_bandits.workflow.job import job
from penalized_bandits.pages.claims_page import build_claims_page
from penalized_bandits.storage.files import write_text

files, params = snakemake.input, snakemake.params

with job(snakemake) as running:
    target = Path(snakemake.output.page)
    page = build_claims_page(
        files.claims,
        files.sensitivity,
        params.replicates,
        list(files.evidence),
        target,
        params.warning,
    )
    write_text(target, page)
    running.log.info("%d kB", len(page.encode()) // 1000)
