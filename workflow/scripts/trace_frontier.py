"""Trace the oracle frontier of each case of a setting."""

import penalized_bandits.startup  # noqa: F401  (first)
from penalized_bandits.logs import job_log
from penalized_bandits.origins import write_origin
from penalized_bandits.replicates import read_setting
from penalized_bandits.summaries import summarize_frontiers, write_csv

with job_log(snakemake.log[0]) as log:
    setting = snakemake.params.experiment
    outcomes = read_setting(snakemake.input.replicates, snakemake.params.parts)
    table = summarize_frontiers(setting, outcomes)
    output, origin = snakemake.output, snakemake.params.origin
    write_csv(table, output.table)
    write_origin(output.origin, origin, [output.table], snakemake.input.replicates)
    log.info("%d rows", len(table))
