"""Trace the oracle frontier of each case of a setting."""

from penalized_bandits.logs import job_log
from penalized_bandits.replicates import read_setting
from penalized_bandits.summaries import summarize_frontiers, write_csv

with job_log(snakemake.log[0]) as log:
    setting = snakemake.wildcards.setting
    outcomes = read_setting(snakemake.input.replicates, snakemake.params.parts)
    table = summarize_frontiers(setting, outcomes)
    write_csv(table, snakemake.output[0])
    log.info("%d rows", len(table))
