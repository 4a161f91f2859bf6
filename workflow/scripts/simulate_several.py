"""Simulate several experiments in one job: what a reading can touch, or everything."""

from dataclasses import replace

import penalized_bandits.startup  # noqa: F401  (first)
from penalized_bandits.experiment import pulls_of, simulate_group
from penalized_bandits.logs import job_log
from penalized_bandits.origins import ratings_behind, write_origin
from penalized_bandits.progress import Progress
from penalized_bandits.replicates import write_replicates
from penalized_bandits.settings import Context, Readings
from penalized_bandits.studies import EXPERIMENTS

params, output = snakemake.params, snakemake.output
ratings = next(iter(snakemake.input.ratings), None)

with job_log(snakemake.log[0]) as log:
    jobs = []
    for wanted in params.jobs:
        experiment = EXPERIMENTS[wanted["experiment"]]
        section = experiment.section.model_validate(wanted["section"])
        readings = Readings(**wanted["readings"])
        context = Context(params.seed, readings, 0, wanted["replicates"], ratings)
        usual = wanted["in_force"] and replace(context, readings=Readings(**wanted["in_force"]))
        jobs.append((experiment, section, experiment.groups(section), context, usual))
    progress = Progress(sum(pulls_of(*job) for job in jobs), log, snakemake.rule)
    for wanted, job, table, target in zip(
        params.jobs, jobs, output.tables, output.origins, strict=True
    ):
        outcomes = simulate_group(*job, threads=snakemake.threads, log=log, progress=progress)
        made_with = wanted["origin"]
        used = snakemake.input.ratings if job[0].needs_ratings else []
        behind = ratings_behind(used, made_with["experiments"])
        origin = {
            "setting": job[0].id,
            "seed": params.seed,
            "readings": wanted["readings"],
            "replicates": wanted["replicates"],
            "section": wanted["section"],
            "made_with": {**made_with, "ratings": behind},
        }
        write_replicates(table, outcomes, origin)
        write_origin(target, made_with, [table], ratings=behind)
    progress.finish()
