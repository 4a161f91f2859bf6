"""Simulate a part of an experiment: pulls of every replicate and arm."""

import resource

from penalized_bandits.workflow.job import Progress, job
from penalized_bandits.config import parse_config
from penalized_bandits.experiments.simulate import pulls_of, simulate_experiment
from penalized_bandits.storage.replicates import write_replicates
from penalized_bandits.workflow.runs import Run

w, output = snakemake.wildcards, snakemake.output

with job(snakemake) as log:
    run = Run(parse_config(snakemake.config), w.run, w.experiment)
    contexts = run.contexts(int(w.part), int(w.parts), next(iter(snakemake.input), None))
    task = (run.experiment, run.section, *contexts)
    progress = Progress(pulls_of(*task), log, f"{w.run}/{w.experiment}")
    outcomes = simulate_experiment(*task, threads=snakemake.threads, log=log, progress=progress)
    about = {
        "setting": run.name,
        "seed": run.seed,
        "readings": run.readings,
        "section": run.section.model_dump(mode="json"),
        "replicates": run.replicates,
        "part": int(w.part),
        "parts": int(w.parts),
    }
    write_replicates(output[0], outcomes, about)
    progress.finish()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    log.info("peak memory %.0f MiB", peak)
