"""Write the page of one claim: its rule, its verdict, every part."""

from penalized_bandits.workflow.job import job
from penalized_bandits.claims.reading import claim_page
from penalized_bandits.storage.files import write_text
from penalized_bandits.storage.origins import read_json

with job(snakemake) as running:
    rows = read_json(snakemake.input.topic)
    row = next(row for row in rows if row["id"] == snakemake.wildcards.claim)
    row["config"] = snakemake.params.config
    write_text(snakemake.output.page, "\n".join(claim_page(row)) + "\n")
    running.log.info("%s: %s", row["id"], row["verdict"])
