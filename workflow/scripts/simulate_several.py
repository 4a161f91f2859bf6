"""Simulate several experiments in one job: what a reading can touch, or everything."""

from dataclasses import replace

from penalized_bandits.workflow.job import job
from penalized_bandits.experiments.base import Context, Readings
from penalized_bandits.experiments.catalogue import EXPERIMENTS
from penalized_bandits.experiments.simulate import pulls_of, simulate_group
from penalized_bandits.storage.origins import ratings_behind, without_details, write_origin
from penalized_bandits.storage.replicates import write_replicates
from penalized_bandits.workflow.progress import Progress

params, output = snakemake.params, snakemake.output
ratings = next(iter(snakemake.input.ratings), None)

with job(snakemake) as running:
    tasks = []
    for wanted in params.jobs:
        experiment = EXPERIMENTS[wanted["experiment"]]
        section = experiment.section.model_validate(wanted["section"])
        readings = Readings(**wanted["readings"])
        context = Context(params.seed, readings, 0, wanted["replicates"], ratings)
        usual = wanted["in_force"] and replace(context, readings=Readings(**wanted["in_force"]))
        tasks.append((experiment, section, experiment.groups(section), context, usual))
    progress = Progress(sum(pulls_of(*task) for task in tasks), running.log, snakemake.rule)
    for wanted, task, table, target in zip(
        params.jobs, tasks, output.tables, output.origins, strict=True
    ):
        outcomes = simulate_group(
            *task, threads=snakemake.threads, log=running.log, progress=progress
        )
        made_with = wanted["origin"]
        used = snakemake.input.ratings if task[0].needs_ratings else []
        behind = ratings_behind(used, made_with["experiments"])
        origin = {
            "setting": task[0].id,
            "seed": params.seed,
            "readings": wanted["readings"],
            "replicates": wanted["replicates"],
            "section": wanted["section"],
            "made_with": {**without_details(made_with), "ratings": behind},
        }
        write_replicates(table, outcomes, origin)
        write_origin(target, made_with, [table], ratings=behind)
    progress.finish()
