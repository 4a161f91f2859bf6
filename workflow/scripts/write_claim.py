"""Write the page of one claim: its rule, its verdict, every part."""

import json
from pathlib import Path

from penalized_bandits.claims.ledger import claim_page
from penalized_bandits.files import write_text
from penalized_bandits.logs import job_log

with job_log(snakemake.log[0]) as log:
    rows = json.loads(Path(snakemake.input.topic).read_text(encoding="utf-8"))
    row = next(row for row in rows if row["id"] == snakemake.wildcards.claim)
    write_text(snakemake.output[0], "\n".join(claim_page(row)) + "\n")
    log.info("%s: %s", row["id"], row["verdict"])
