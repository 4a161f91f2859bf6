"""Write the ledger of the confirmation: a table, the same as JSON, and for reading."""

from penalized_bandits.workflow.job import job
from penalized_bandits.claims.ledger.tables import claims_table, claims_tables
from penalized_bandits.claims.results import read_results, to_json
from penalized_bandits.storage.files import write_text
from penalized_bandits.storage.summaries import write_csv

output = snakemake.output

with job(snakemake) as log:
    results = read_results(*snakemake.input)
    by_seed = [", ".join(result.facts["by_seed"]) for result in results]
    write_csv(claims_table(results).assign(by_seed=by_seed), output.csv)
    write_text(output.json, to_json(results))
    lines = ["# Extended claims, on new seeds and bandits", "", *claims_tables(results)]
    write_text(output.markdown, "\n".join(lines))
    log.info("%d claims", len(results))
