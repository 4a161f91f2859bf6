"""Simulate what a reading can touch with the reading flipped, on fewer replicates."""

from penalized_bandits.experiment import pulls_of, simulate_group
from penalized_bandits.logs import job_log
from penalized_bandits.progress import Progress
from penalized_bandits.replicates import write_replicates
from penalized_bandits.settings import Context, Readings
from penalized_bandits.studies import EXPERIMENTS

params, readings = snakemake.params, Readings(**snakemake.params.readings)
ratings = next(iter(snakemake.input.ratings), None)

with job_log(snakemake.log[0]) as log:
    jobs = []
    for name in params.experiments:
        experiment = EXPERIMENTS[name]
        section = experiment.section.model_validate(params.sections[name])
        replicates = min(section.replicates, params.replicates[name])
        context = Context(params.seed, readings, 0, replicates, ratings)
        jobs.append((experiment, section, experiment.groups(section), context))
    progress = Progress(sum(pulls_of(*job) for job in jobs), log, snakemake.rule)
    for job, path in zip(jobs, snakemake.output, strict=True):
        outcomes = simulate_group(*job, threads=snakemake.threads, log=log, progress=progress)
        name, replicates = job[0].id, job[-1].replicates
        origin = {"setting": name, "seed": params.seed, "readings": params.readings}
        origin |= {"replicates": replicates, "section": params.sections[name]}
        write_replicates(path, outcomes, origin)
    progress.finish()
