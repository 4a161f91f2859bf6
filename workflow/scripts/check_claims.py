"""Measure the claims that stand on one experiment, and decide them."""

import penalized_bandits.startup  # noqa: F401  (first)
from penalized_bandits.claims.evidence import Evidence
from penalized_bandits.claims.ledger import check_topic, to_json
from penalized_bandits.files import write_text
from penalized_bandits.logs import job_log
from penalized_bandits.origins import write_origin

params = snakemake.params

with job_log(snakemake.log[0]) as log:
    replicates = {name: list(snakemake.input[name]) for name in params.sections}
    evidence = Evidence(params.sections, replicates, params.parts)
    rows = check_topic(snakemake.wildcards.topic, evidence)
    write_text(snakemake.output.rows, to_json(rows))
    inputs = [path for paths in replicates.values() for path in paths]
    write_origin(snakemake.output.origin, params.origin, [snakemake.output.rows], inputs)
    for row in rows:
        log.info("%s: %s", row["id"], row["verdict"])
