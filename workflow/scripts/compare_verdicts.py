"""Set the verdicts of the scenarios of a set beside the paper's."""

from penalized_replication.workflow.job import job
from penalized_replication.claims.results import read_results
from penalized_replication.claims.table.scenarios import dependent, verdicts_table
from penalized_replication.storage.tables import write_csv

files, changes = snakemake.input, snakemake.params.scenarios

with job(snakemake) as log:
    results = dict(zip(changes, map(read_results, files.scenarios), strict=True))
    table = verdicts_table(read_results(files.paper), results, changes)
    write_csv(table, snakemake.output[0])
    for identifier, found in dependent(table).items():
        log.info("%s: %s", identifier, "; ".join(found))
