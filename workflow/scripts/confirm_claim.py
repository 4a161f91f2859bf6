"""Decide a claim on new bandits, all seeds together."""

from penalized_bandits.workflow.job import job
from penalized_bandits.claims import entry_of
from penalized_bandits.claims.evidence import Evidence
from penalized_bandits.claims.joined.confirmation import confirm
from penalized_bandits.claims.results import to_json
from penalized_bandits.experiments.new_bandits import frozen_digest
from penalized_bandits.storage.files import write_text

claim, files, params = snakemake.wildcards.claim, snakemake.input, snakemake.params

with job(snakemake) as log:
    names, evidence = entry_of(claim).experiments, {}
    sections = {name: params.sections[name] for name in names}
    for i, seed in enumerate(params.seeds):
        evidence[seed] = Evidence(sections, {name: list(files[f"{name}_{i}"]) for name in names})
    frozen = frozen_digest(params.sections, params.seeds, files.ratings)
    result = confirm(claim, evidence, frozen)
    write_text(snakemake.output[0], to_json([result]))
    log.info("%s: %s (%s)", result.id, result.verdict, ", ".join(result.facts["by_seed"]))
