"""Decide claims again with each reading flipped: claim by reading, the verdict."""

from penalized_bandits.workflow.job import job
from penalized_bandits.claims import switches
from penalized_bandits.claims.evidence import Evidence
from penalized_bandits.claims.ledger import to_json
from penalized_bandits.claims.sensitivity import (
    Repeats,
    check_reading,
    dependent,
    sensitivity_table,
    share_of,
)
from penalized_bandits.storage.files import write_text
from penalized_bandits.storage.origins import read_json
from penalized_bandits.storage.summaries import write_csv
from penalized_bandits.workflow.progress import Progress

params, files = snakemake.params, snakemake.input
readings = switches.readings()

with job(snakemake) as running:
    progress = Progress(len(readings), running.log, snakemake.rule, "readings")
    usual = {name: list(files[f"default_{name}"]) for name in params.sections}
    few = Evidence(params.sections, usual, params.parts, params.replicates)
    shares = {
        name: share_of(params.replicates[name], section["replicates"])
        for name, section in params.sections.items()
    }
    ledger, default, rows = read_json(files.ledger), Repeats(few), {}
    for reading in readings:
        tables = dict(zip(switches.touched(reading), files[f"flipped_{reading}"], strict=True))
        rows[reading] = check_reading(reading, ledger, default, few.with_flipped(tables), shares)
        running.log.info("%s: %d claims", reading, len(rows[reading]))
        progress(1)
    table = sensitivity_table(rows, params.in_force)
    write_csv(table, snakemake.output.table)
    named = [{"reading": name, **row} for name, found in rows.items() for row in found]
    write_text(snakemake.output.rows, to_json(named))
    for identifier, changes in dependent(table).items():
        running.log.info("%s depends on a reading: %s", identifier, "; ".join(changes))
