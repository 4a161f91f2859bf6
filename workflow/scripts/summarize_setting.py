"""Summarise an experiment's replicates: mean, standard error and 95 % interval."""

from penalized_bandits.logs import job_log
from penalized_bandits.replicates import read_setting
from penalized_bandits.summaries import summarize, write_csv

with job_log(snakemake.log[0]) as log:
    setting = snakemake.params.experiment
    table = summarize(setting, read_setting(snakemake.input.replicates, snakemake.params.parts))
    write_csv(table, snakemake.output[0])
    log.info("%d rows", len(table))
