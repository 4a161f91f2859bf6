"""Decide an extended claim on new bandits, all seeds together."""

from itertools import product

from penalized_bandits.workflow.job import job
from penalized_bandits.claims import EXTENDED_CLAIMS
from penalized_bandits.claims.extended.ledger import confirm, evidence_of
from penalized_bandits.claims.results import to_json
from penalized_bandits.experiments.extended.confirmation import frozen_digest
from penalized_bandits.storage.files import write_text

claim, files, params = snakemake.wildcards.extended_claim, snakemake.input, snakemake.params

with job(snakemake) as log:
    names, seeds, sections = EXTENDED_CLAIMS[claim].experiments, params.seeds, params.sections
    tables = dict(zip(product(seeds, names), files.replicates, strict=True))
    evidence = evidence_of(
        {name: sections[name] for name in names},
        {seed: {name: tables[seed, name] for name in names} for seed in seeds},
    )
    result = confirm(claim, evidence, frozen_digest(sections, seeds, files.ratings))
    write_text(snakemake.output[0], to_json([result]))
    log.info("%s: %s (%s)", result.id, result.verdict, ", ".join(result.facts["by_seed"]))
