"""Trace the oracle frontier of each case of an experiment."""

from penalized_bandits.workflow.job import job
from penalized_bandits.experiments.summaries import summarize_frontiers
from penalized_bandits.storage.replicates import read_setting
from penalized_bandits.storage.summaries import write_csv

with job(snakemake) as running:
    outcomes = read_setting(snakemake.input.replicates, snakemake.params.parts)
    table = summarize_frontiers(snakemake.wildcards.experiment, outcomes)
    write_csv(table, snakemake.output.table)
    running.log.info("%d rows", len(table))
