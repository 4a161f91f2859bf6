"""Measure the claims of a topic, all in one job, and decide them."""

from penalized_bandits.workflow.job import job
from penalized_bandits.claims import experiments_of
from penalized_bandits.claims.evidence import Evidence
from penalized_bandits.claims.ledger import check_topic, to_json
from penalized_bandits.storage.files import write_text
from penalized_bandits.storage.origins import write_origin

params, files, output = snakemake.params, snakemake.input, snakemake.output

with job(snakemake) as running:
    replicates = {name: list(files[name]) for name in params.sections}
    evidence = Evidence(params.sections, replicates)
    for topic, table, target, made_with in zip(
        params.topics, output.rows, output.origins, params.made_of, strict=True
    ):
        rows = check_topic(topic, evidence)
        write_text(table, to_json(rows))
        behind = [path for name in experiments_of(topic) for path in replicates[name]]
        write_origin(target, made_with, [table], behind)
        for row in rows:
            running.log.info("%s: %s", row["id"], row["verdict"])
