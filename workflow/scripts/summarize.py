"""Summarise an experiment's replicates; trace the oracle frontier of each case where it has one."""

from penalized_replication.workflow.job import job, sections_of
from penalized_replication.storage.replicates import check_made_with, read_replicates
from penalized_replication.storage.tables import write_csv
from penalized_replication.summaries import summarize, summarize_frontiers

files, params = list(snakemake.input.replicates), snakemake.params

with job(snakemake) as log:
    check_made_with({snakemake.wildcards.experiment: files}, params.seed, sections_of(params))
    # Replicates are read for each table: only one of them is held at a time.
    for make, target in zip((summarize, summarize_frontiers), snakemake.output, strict=False):
        table = make(snakemake.wildcards.experiment, read_replicates(files))
        write_csv(table, target)
        log.info("%s: %d rows", target, len(table))
