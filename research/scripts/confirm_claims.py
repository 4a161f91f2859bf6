"""Decide our own claims on new bandits, all seeds together; write their table."""

from penalized_replication.workflow.job import job, sections_of
from penalized_bandits.common.files import write_text
from penalized_replication.claims.base import Evidence
from penalized_replication.claims.results import to_json
from penalized_replication.claims.table.tables import claims_table, claims_tables
from penalized_replication.storage.tables import write_csv
from penalized_research.confirmation import confirm, frozen_digest

files, params, output = snakemake.input, snakemake.params, snakemake.output

with job(snakemake) as log:
    sections, results = sections_of(params), []
    frozen = frozen_digest(sections, params.seeds, files.ratings)
    evidence = {
        seed: Evidence(sections, {name: list(files[f"{name}_{i}"]) for name in sections})
        for i, seed in enumerate(params.seeds)
    }
    for claim in params.claims:
        results.append(confirm(claim, evidence, frozen))
        log.info("%s: %s", claim, results[-1].verdict)
    by_seed = [", ".join(result.facts["by_seed"]) for result in results]
    write_csv(claims_table(results).assign(by_seed=by_seed), output.csv)
    write_text(output.json, to_json(results))
    lines = ["# Our own claims, on new seeds and bandits", "", *claims_tables(results)]
    write_text(output.markdown, "\n".join(lines))
