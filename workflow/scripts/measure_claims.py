"""Measure the claims of a topic."""

from penalized_replication.workflow.job import job, sections_of
from penalized_bandits.common.files import write_text
from penalized_replication.claims.base import Evidence
from penalized_replication.claims.results import measure, to_json
from penalized_replication.storage.replicates import check_made_with

params = snakemake.params

with job(snakemake) as log:
    sections = sections_of(params)
    replicates = {name: list(snakemake.input[name]) for name in sections}
    check_made_with(replicates, params.seed, sections)
    evidence = Evidence(sections, replicates)
    results = [measure(name, evidence) for name in params.claims]
    write_text(snakemake.output[0], to_json(results))
    log.info("%s: %d claims", snakemake.wildcards.topic, len(results))
