"""Decide an extended claim on new bandits, all seeds together."""

from penalized_bandits.workflow.job import job
from penalized_bandits.claims.extended import EXTENDED_CLAIMS
from penalized_bandits.claims.extended.ledger import confirm, evidence_of
from penalized_bandits.claims.results import to_json
from penalized_bandits.config import parse_config
from penalized_bandits.experiments.extended.confirmation import frozen_digest
from penalized_bandits.storage.files import write_text
from penalized_bandits.workflow.paths import new_bandits
from penalized_bandits.workflow.runs import readings_of, sections_of

claim, counts = snakemake.wildcards.extended_claim, snakemake.input.ratings

with job(snakemake) as log:
    config = parse_config(snakemake.config)
    names = EXTENDED_CLAIMS[claim].experiments
    tables = dict(zip(new_bandits(config.seeds, names), snakemake.input.replicates, strict=True))
    readings = readings_of(config, config.extensions)
    evidence = evidence_of(
        sections_of(config, names),
        readings,
        {seed: {n: tables[new_bandits([seed], [n])[0]] for n in names} for seed in config.seeds},
        counts,
    )
    frozen = frozen_digest(sections_of(config, config.extensions), config.seeds, counts)
    result = confirm(claim, evidence, frozen)
    write_text(snakemake.output[0], to_json([result]))
    log.info("%s: %s (%s)", result.id, result.verdict, ", ".join(result.facts["by_seed"]))
