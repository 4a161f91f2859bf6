"""Measure the claims that stand on one experiment, and decide them."""

from penalized_bandits.workflow.job import job
from penalized_bandits.claims.evidence import Evidence
from penalized_bandits.claims.ledger import check_topic, to_json
from penalized_bandits.storage.files import write_text

params = snakemake.params

with job(snakemake) as running:
    replicates = {name: list(snakemake.input[name]) for name in params.sections}
    evidence = Evidence(params.sections, replicates, params.parts)
    rows = check_topic(snakemake.wildcards.topic, evidence)
    write_text(snakemake.output.rows, to_json(rows))
    for row in rows:
        running.log.info("%s: %s", row["id"], row["verdict"])
