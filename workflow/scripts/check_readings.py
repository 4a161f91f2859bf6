"""Decide claims again with each reading flipped: claim by reading, the verdict."""

import penalized_bandits.startup  # noqa: F401  (first)
from penalized_bandits.claims import switches
from penalized_bandits.claims.evidence import Evidence
from penalized_bandits.claims.ledger import to_json
from penalized_bandits.claims.sensitivity import check_reading, dependent, sensitivity_table
from penalized_bandits.files import write_text
from penalized_bandits.logs import job_log
from penalized_bandits.origins import read_json, write_origin
from penalized_bandits.progress import Progress
from penalized_bandits.summaries import write_csv

params, files = snakemake.params, snakemake.input

with job_log(snakemake.log[0]) as log:
    progress = Progress(1 + len(switches.readings()), log, snakemake.rule, "readings")
    usual = {name: list(files[f"default_{name}"]) for name in params.sections}
    default = Evidence(params.sections, usual, params.parts, params.replicates)
    rows = {switches.DEFAULT: check_reading(switches.DEFAULT, default)}
    progress(1)
    for reading in switches.readings():
        tables = dict(zip(switches.touched(reading), files[f"flipped_{reading}"], strict=True))
        rows[reading] = check_reading(reading, default.with_flipped(tables))
        log.info("%s: %d claims", reading, len(rows[reading]))
        progress(1)
    full = read_json(files.ledger)
    by_reading = {name: rows[name] for name in switches.readings()}
    table = sensitivity_table(full, rows[switches.DEFAULT], by_reading, params.in_force)
    write_csv(table, snakemake.output.table)
    named = [{"reading": name, **row} for name, found in rows.items() for row in found]
    write_text(snakemake.output.rows, to_json(named))
    output = snakemake.output
    inputs = [path for path in files if path.endswith((".parquet", ".json"))]
    for origin, made in zip(output.origins, (output.table, output.rows), strict=True):
        write_origin(origin, params.origin, [made], inputs)
    for identifier, changes in dependent(table).items():
        log.info("%s depends on a reading: %s", identifier, "; ".join(changes))
