"""Simulate a part of an experiment: pulls of every replicate and arm."""

import resource
from contextlib import closing
from dataclasses import replace

from penalized_bandits.workflow.job import Progress, job
from penalized_bandits.experiments.base import Context, Readings, part_of
from penalized_bandits.experiments.catalogue import experiment
from penalized_bandits.experiments.extended.confirmation import on_new_bandits
from penalized_bandits.experiments.simulate import pulls_of, simulate_experiment
from penalized_bandits.storage.replicates import write_replicates

w, work, output = snakemake.wildcards, snakemake.params.work, snakemake.output

with job(snakemake) as log:
    about = work["about"]
    played = experiment(w.experiment)
    if work["new_bandits"]:
        played = on_new_bandits(played)
    section = played.section.model_validate(about["section"])
    first, replicates = part_of(about["replicates"], about["part"], about["parts"])
    in_force, counts = Readings.model_validate(about["readings"]), next(iter(snakemake.input), None)
    usual = Context(about["seed"], in_force, first, replicates, counts)
    # Beside an alternative stands what comes out the same with the readings in force.
    contexts: dict[str, tuple[Context, Context | None]] = {
        name: (replace(usual, readings=Readings.model_validate(readings)), usual)
        for name, readings in work["alternatives"].items()
    } or {"": (usual, None)}
    tasks = {reading: (played, section, *pair) for reading, pair in contexts.items()}
    total = sum(pulls_of(*task) for task in tasks.values())
    progress = Progress(total, log, f"{w.run}/{w.experiment}")
    how = {"threads": snakemake.threads, "log": log, "progress": progress}
    outcomes = (
        replace(outcome, reading=reading)
        for reading, task in tasks.items()
        for outcome in simulate_experiment(*task, **how)
    )
    with closing(outcomes):  # its threads end as well if writing is interrupted
        write_replicates(output[0], outcomes, about, by_reading=bool(work["alternatives"]))
    progress.finish()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    log.info("peak memory %.0f MiB", peak)
