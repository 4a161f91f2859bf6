"""Write the page of one claim: its rule, its verdict, every part."""

import penalized_bandits.startup  # noqa: F401  (first)
from penalized_bandits.claims.ledger import claim_page
from penalized_bandits.files import write_text
from penalized_bandits.logs import job_log
from penalized_bandits.origins import read_json, write_origin

with job_log(snakemake.log[0]) as log:
    rows = read_json(snakemake.input.topic)
    row = next(row for row in rows if row["id"] == snakemake.wildcards.claim)
    row["config"] = snakemake.params.config
    output, made_with = snakemake.output, snakemake.params.origin
    write_text(output.page, "\n".join(claim_page(row)) + "\n")
    write_origin(output.origin, made_with, [output.page], [snakemake.input.topic])
    log.info("%s: %s", row["id"], row["verdict"])
