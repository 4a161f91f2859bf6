"""Measure the claims of a topic."""

from penalized_bandits.workflow.job import job
from penalized_bandits.claims import claims_of
from penalized_bandits.claims.deciding import measure
from penalized_bandits.claims.evidence import Evidence
from penalized_bandits.claims.results import to_json
from penalized_bandits.storage.files import write_text

topic, sections = snakemake.wildcards.topic, snakemake.params.sections

with job(snakemake) as log:
    evidence = Evidence(sections, {name: list(snakemake.input[name]) for name in sections})
    results = [measure(claim.id, evidence) for claim in claims_of(topic)]
    write_text(snakemake.output[0], to_json(results))
    log.info("%s: %d claims", topic, len(results))
