"""Simulate experiments, or parts of one: pulls of every replicate and arm."""

import resource
from dataclasses import replace

from penalized_bandits.workflow.job import job
from penalized_bandits.experiments.base import Context, Readings
from penalized_bandits.experiments.catalogue import experiment
from penalized_bandits.experiments.simulate import pulls_of, simulate_group
from penalized_bandits.storage.origins import ratings_behind, without_details, write_origin
from penalized_bandits.storage.replicates import write_replicates
from penalized_bandits.workflow.progress import Progress

params, output, ratings = snakemake.params, snakemake.output, list(snakemake.input.ratings)

with job(snakemake) as running:
    tasks = []
    for wanted in params.jobs:
        simulated = experiment(wanted["experiment"])
        if wanted["on_new_bandits"]:
            from penalized_bandits.experiments.beyond.confirmation import on_new_bandits

            simulated = on_new_bandits(simulated)
        section = simulated.section.model_validate(wanted["section"])
        context = Context(
            seed=params.seed,
            readings=Readings(**wanted["readings"]),
            first_replicate=wanted["first"],
            replicates=wanted["replicates"],
            rating_counts=next(iter(ratings), None),
        )
        known = wanted["in_force"] and replace(context, readings=Readings(**wanted["in_force"]))
        tasks.append((simulated, section, wanted["groups"], context, known))
    name = params.get("name") or snakemake.rule
    progress = Progress(sum(pulls_of(*task) for task in tasks), running.log, name)
    for wanted, task, table, target in zip(
        params.jobs, tasks, output.tables, output.origins, strict=True
    ):
        outcomes = simulate_group(
            *task, threads=snakemake.threads, log=running.log, progress=progress
        )
        made_with = wanted["origin"]
        behind = ratings_behind(ratings if task[0].needs_ratings else [], made_with["experiments"])
        about = {
            "setting": task[0].id,
            "seed": params.seed,
            "readings": wanted["readings"],
            "section": wanted["section"],
            "made_with": {**without_details(made_with), "ratings": behind},
            **wanted["about"],
        }
        write_replicates(table, outcomes, about)
        write_origin(target, made_with, [table], ratings=behind)
    progress.finish()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    running.log.info("peak memory %.0f MiB", peak)
