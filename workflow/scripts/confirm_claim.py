"""Decide a claim beyond the paper on new bandits, all seeds together."""

from penalized_bandits.workflow.job import job
from penalized_bandits.claims.beyond.confirmation import confirm, evidence_of
from penalized_bandits.claims.ledger import to_json
from penalized_bandits.experiments.beyond.confirmation import digest_of
from penalized_bandits.storage.files import write_text

params = snakemake.params

with job(snakemake) as running:
    evidence = evidence_of(
        {name: params.sections[name] for name in params.experiments},
        params.readings,
        {
            seed: {
                name: path
                for path in snakemake.input.replicates
                for name in params.experiments
                if path.endswith(f"/seed_{seed}/{name}.parquet")
            }
            for seed in params.seeds
        },
        snakemake.input.ratings[0],
    )
    row = confirm(snakemake.wildcards.extended_claim, evidence)
    row["frozen"] = digest_of(params.sections, params.seeds, snakemake.input.ratings[0])
    write_text(snakemake.output[0], to_json([row]))
    running.log.info("%s: %s (%s)", row["id"], row["verdict"], row["by_seed"])
