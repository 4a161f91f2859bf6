"""Decide the claims, as they are and with each reading flipped."""

from penalized_bandits.workflow.job import job
from penalized_bandits.claims import CLAIMS
from penalized_bandits.claims.decided import decided
from penalized_bandits.claims.measured import to_json
from penalized_bandits.claims.sensitivity import (
    decide_reading,
    dependent,
    in_order,
    sensitivity_table,
)
from penalized_bandits.config import parse_config
from penalized_bandits.storage.files import read_json, write_text
from penalized_bandits.storage.summaries import write_csv

files, output = snakemake.input, snakemake.output

with job(snakemake) as log:
    measured = {row["id"]: row for file in files.measured for row in read_json(file)}
    ledger = {name: decided(measured[name]) for name in CLAIMS}
    again = [row for file in files.again for row in read_json(file)]
    flipped = in_order(decide_reading(row, ledger[row["id"]]) for row in again)
    readings = parse_config(snakemake.config).readings.model_dump()
    table = sensitivity_table(flipped, readings)
    write_text(output.verdicts, to_json(list(ledger.values())))
    write_csv(table, output.sensitivity)
    for row in ledger.values():
        log.info("%s: %s", row["id"], row["verdict"])
    for identifier, changes in dependent(table).items():
        log.info("%s depends on a reading: %s", identifier, "; ".join(changes))
