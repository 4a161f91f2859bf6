"""Simulate what a reading can touch with the reading flipped, on fewer replicates."""

from dataclasses import replace

import penalized_bandits.startup  # noqa: F401  (first)
from penalized_bandits.experiment import pulls_of, simulate_group
from penalized_bandits.logs import job_log
from penalized_bandits.origins import ratings_behind, write_origin
from penalized_bandits.progress import Progress
from penalized_bandits.replicates import write_replicates
from penalized_bandits.settings import Context, Readings
from penalized_bandits.studies import EXPERIMENTS

params, in_force = snakemake.params, Readings(**snakemake.params.in_force)
readings = Readings(**params.readings)
ratings = next(iter(snakemake.input.ratings), None)

with job_log(snakemake.log[0]) as log:
    jobs = []
    for name in params.experiments:
        experiment = EXPERIMENTS[name]
        section = experiment.section.model_validate(params.sections[name])
        replicates = min(section.replicates, params.replicates[name])
        context = Context(params.seed, readings, 0, replicates, ratings)
        usual = replace(context, readings=in_force)
        jobs.append((experiment, section, experiment.groups(section), context, usual))
    progress = Progress(sum(pulls_of(*job) for job in jobs), log, snakemake.rule)
    output = snakemake.output
    for job, path, target, made_with in zip(
        jobs, output.tables, output.origins, params.origins, strict=True
    ):
        outcomes = simulate_group(*job, threads=snakemake.threads, log=log, progress=progress)
        name, replicates = job[0].id, job[3].replicates
        origin = {"setting": name, "seed": params.seed, "readings": params.readings}
        origin |= {"replicates": replicates, "section": params.sections[name]}
        used = snakemake.input.ratings if job[0].needs_ratings else []
        behind = ratings_behind(used, made_with["experiments"])
        origin |= {"made_with": {**made_with, "ratings": behind}}
        write_replicates(path, outcomes, origin)
        write_origin(target, made_with, [path], ratings=behind)
    progress.finish()
