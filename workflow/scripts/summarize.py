"""Summarise replicates of experiments, and trace the oracle frontiers of those that have them."""

from penalized_bandits.workflow.job import job
from penalized_bandits.experiments.catalogue import experiment
from penalized_bandits.experiments.summaries import summarize, summarize_frontiers
from penalized_bandits.storage.origins import write_origin
from penalized_bandits.storage.replicates import read_setting
from penalized_bandits.storage.summaries import write_csv

params, output = snakemake.params, snakemake.output

with job(snakemake) as running:
    targets = zip(output.tables, output.origins, strict=True)
    for name, made_with in params.made_of.items():
        replicates = list(snakemake.input[name])
        makers = [summarize, *([summarize_frontiers] if experiment(name).has_frontier else [])]
        # Replicates are read for each: only one table of them is held at a time.
        for make in makers:
            target, origin = next(targets)
            table = make(name, read_setting(replicates))
            write_csv(table, target)
            write_origin(origin, made_with, [target], replicates)
            running.log.info("%s: %d rows", target, len(table))
