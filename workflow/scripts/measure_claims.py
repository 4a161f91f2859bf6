"""Measure the claims of a topic."""

from penalized_replication.workflow.job import job
from penalized_bandits.common.files import write_text
from penalized_replication.claims.base import Evidence
from penalized_replication.claims.results import measure, to_json

params = snakemake.params

with job(snakemake) as log:
    sections = params.sections
    evidence = Evidence(sections, {name: list(snakemake.input[name]) for name in sections})
    results = [measure(name, evidence) for name in params.claims]
    write_text(snakemake.output[0], to_json(results))
    log.info("%s: %d claims", snakemake.wildcards.topic, len(results))
