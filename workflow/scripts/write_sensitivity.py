"""Put the claims of all topics together: claim by reading, the verdict."""

from penalized_bandits.workflow.job import job
from penalized_bandits.claims.ledger import to_json
from penalized_bandits.claims.sensitivity import dependent, in_order, sensitivity_table
from penalized_bandits.storage.files import write_text
from penalized_bandits.storage.origins import read_json
from penalized_bandits.storage.summaries import write_csv

output = snakemake.output

with job(snakemake) as running:
    rows = in_order(row for file in snakemake.input.topics for row in read_json(file))
    table = sensitivity_table(rows, snakemake.params.in_force)
    write_csv(table, output.table)
    write_text(output.rows, to_json(rows))
    for identifier, changes in dependent(table).items():
        running.log.info("%s depends on a reading: %s", identifier, "; ".join(changes))
