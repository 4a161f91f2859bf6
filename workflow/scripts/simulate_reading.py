"""Simulate what a reading can touch with the reading flipped, on fewer replicates."""

from penalized_bandits.experiment import simulate_group
from penalized_bandits.logs import job_log
from penalized_bandits.replicates import write_replicates
from penalized_bandits.settings import Context, Readings
from penalized_bandits.studies import EXPERIMENTS

params = snakemake.params

with job_log(snakemake.log[0]) as log:
    for name, path in zip(params.experiments, snakemake.output, strict=True):
        experiment = EXPERIMENTS[name]
        section = experiment.section.model_validate(params.sections[name])
        replicates = min(section.replicates, params.replicates)
        readings = Readings(**params.readings)
        ratings = next(iter(snakemake.input.ratings), None)
        context = Context(params.seed, readings, 0, replicates, ratings)
        outcomes = simulate_group(
            experiment,
            section,
            experiment.groups(section),
            context,
            threads=snakemake.threads,
            log=log,
        )
        origin = {"setting": name, "seed": params.seed, "readings": params.readings}
        origin |= {"replicates": replicates, "section": params.sections[name]}
        write_replicates(path, outcomes, origin)
