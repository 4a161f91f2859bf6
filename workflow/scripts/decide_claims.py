"""Decide the claims and write the claims table: as tables, as JSON, and for reading."""

from penalized_replication.workflow.job import job
from penalized_bandits.common.files import write_text
from penalized_replication.claims.results import by_id, config_name, decide, read_results, to_json
from penalized_replication.claims.table.render import described
from penalized_replication.claims.table.tables import claims_table, comparisons_table, to_markdown
from penalized_replication.storage.tables import write_csv

files, output, params = snakemake.input, snakemake.output, snakemake.params

with job(snakemake) as log:
    measured = by_id(read_results(*files.measured))
    config = config_name(params.changed)
    results = [described(decide(measured[name]), config, params.folders) for name in params.claims]
    write_csv(claims_table(results), output.csv)
    write_csv(comparisons_table(results), output.comparisons)
    write_text(output.json, to_json(results))
    write_text(output.markdown, to_markdown(results))
    for result in results:
        log.info("%s: %s", result.id, result.verdict)
