"""Decide the claims, as they are and under each alternative reading."""

from penalized_bandits.workflow.job import job
from penalized_bandits.claims import CLAIMS
from penalized_bandits.claims.deciding import decide
from penalized_bandits.claims.results import by_id, read_results, to_json
from penalized_bandits.claims.sensitivity import dependent, read_readings, sensitivity_table
from penalized_bandits.storage.files import write_text
from penalized_bandits.storage.summaries import write_csv

files, output = snakemake.input, snakemake.output

with job(snakemake) as log:
    measured = by_id(read_results(*files.measured))
    ledger = {name: decide(measured[name]) for name in CLAIMS}
    table = sensitivity_table(read_readings(*files.again), ledger, snakemake.params.readings)
    write_text(output.verdicts, to_json(ledger.values()))
    write_csv(table, output.sensitivity)
    for result in ledger.values():
        log.info("%s: %s", result.id, result.verdict)
    for identifier, changes in dependent(table).items():
        log.info("%s depends on a reading: %s", identifier, "; ".join(changes))
