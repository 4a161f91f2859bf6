"""Decide again the claims that a reading can touch, with the reading flipped."""

from penalized_bandits.claims.evidence import Evidence
from penalized_bandits.claims.ledger import to_json
from penalized_bandits.claims.sensitivity import check_reading
from penalized_bandits.files import write_text
from penalized_bandits.logs import job_log

params = snakemake.params

with job_log(snakemake.log[0]) as log:
    replicates = {name: list(snakemake.input[name]) for name in params.sections}
    evidence = Evidence(params.sections, replicates, params.parts, params.replicates)
    rows = check_reading(snakemake.wildcards.reading, evidence)
    write_text(snakemake.output[0], to_json(rows))
    for row in rows:
        log.info("%s: %s", row["id"], row["verdict"])
