"""Simulate a part of an experiment: pulls of every replicate and arm."""

import resource
from contextlib import closing

from penalized_replication.workflow.job import Progress, job
from penalized_replication.experiments.base import Context, Readings, part_of
from penalized_replication.experiments.catalogue import experiment
from penalized_replication.experiments.new_bandits import on_new_bandits
from penalized_replication.experiments.simulate import pulls_of, simulate_experiment
from penalized_replication.storage.replicates import write_replicates

w, work, output = snakemake.wildcards, snakemake.params.work, snakemake.output

with job(snakemake) as log:
    played = experiment(w.experiment)
    if work.get("new_bandits"):
        played = on_new_bandits(played)
    section = played.section.model_validate(work["section"])
    part = part_of(work["replicates"], work["part"], work["parts"])
    readings, counts = Readings.model_validate(work["readings"]), next(iter(snakemake.input), None)
    context = Context(work["seed"], readings, *part, counts)
    pulls = pulls_of(played.all_cases(section, context), context)
    progress = Progress(pulls, log, f"{w.scenario}{w.experiment}")
    how = {"threads": snakemake.threads, "log": log, "progress": progress}
    outcomes = simulate_experiment(played, section, context, **how)
    with closing(outcomes):  # its threads end as well if writing is interrupted
        write_replicates(output[0], outcomes, work)
    progress.finish()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    log.info("peak memory %.0f MiB", peak)
