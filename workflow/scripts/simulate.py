"""Simulate a part of an experiment: pulls of every replicate and arm."""

import resource
from contextlib import closing
from dataclasses import replace

from penalized_bandits.workflow.job import Progress, job
from penalized_bandits.config import parse_config
from penalized_bandits.experiments.simulate import pulls_of, simulate_experiment
from penalized_bandits.storage.replicates import write_replicates
from penalized_bandits.workflow.runs import Run

w, output = snakemake.wildcards, snakemake.output

with job(snakemake) as log:
    run = Run(parse_config(snakemake.config), w.run, w.experiment)
    part, parts = int(w.part), int(w.parts)
    contexts = run.contexts(part, parts, next(iter(snakemake.input), None))
    tasks = {reading: (run.experiment, run.section, *pair) for reading, pair in contexts.items()}
    total = sum(pulls_of(*task) for task in tasks.values())
    progress = Progress(total, log, f"{w.run}/{w.experiment}")
    work = {"threads": snakemake.threads, "log": log, "progress": progress}
    outcomes = (
        replace(outcome, reading=reading)
        for reading, task in tasks.items()
        for outcome in simulate_experiment(*task, **work)
    )
    about = run.metadata(part, parts)
    with closing(outcomes):  # its threads end as well if writing is interrupted
        write_replicates(output[0], outcomes, about, by_reading=run.sensitivity)
    progress.finish()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    log.info("peak memory %.0f MiB", peak)
