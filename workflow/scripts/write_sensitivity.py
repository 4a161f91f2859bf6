"""Put claim by reading together: the verdict with each reading flipped."""

import json
from pathlib import Path

from penalized_bandits.claims.sensitivity import dependent, sensitivity_table
from penalized_bandits.logs import job_log
from penalized_bandits.summaries import write_csv

params, files = snakemake.params, snakemake.input

with job_log(snakemake.log[0]) as log:

    def rows_of(path):
        """Read rows of checked claims."""
        return json.loads(Path(path).read_text(encoding="utf-8"))

    by_reading = {
        name: rows_of(path) for name, path in zip(params.names, files.readings, strict=True)
    }
    table = sensitivity_table(
        rows_of(files.ledger), rows_of(files.default), by_reading, params.in_force
    )
    write_csv(table, snakemake.output[0])
    for identifier, changes in dependent(table).items():
        log.info("%s depends on a reading: %s", identifier, "; ".join(changes))
