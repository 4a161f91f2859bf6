"""Simulate an experiment beyond the paper on bandits drawn anew with a seed."""

from penalized_bandits.workflow.job import job
from penalized_bandits.experiments.base import Context, Readings
from penalized_bandits.experiments.beyond.confirmation import on_new_bandits
from penalized_bandits.experiments.catalogue import experiment
from penalized_bandits.experiments.simulate import pulls_of, simulate_group
from penalized_bandits.storage.origins import ratings_behind, without_details
from penalized_bandits.storage.replicates import write_replicates
from penalized_bandits.workflow.progress import Progress

wildcards, params = snakemake.wildcards, snakemake.params

with job(snakemake) as running:
    wanted = on_new_bandits(experiment(wildcards.experiment))
    section = wanted.section.model_validate(params.section)
    seed, readings = int(wildcards.seed), Readings(**params.readings)
    ratings = next(iter(snakemake.input.ratings), None)
    context = Context(seed, readings, 0, section.replicates, ratings)
    task = (wanted, section, wanted.groups(section), context)
    progress = Progress(pulls_of(*task), running.log, f"{wanted.id}, seed {seed}")
    outcomes = simulate_group(*task, threads=snakemake.threads, log=running.log, progress=progress)
    behind = ratings_behind(snakemake.input.ratings, params.made_with["experiments"])
    origin = {
        "setting": wanted.id,
        "seed": seed,
        "readings": params.readings,
        "section": params.section,
        "made_with": {**without_details(params.made_with), "ratings": behind},
    }
    write_replicates(snakemake.output.table, outcomes, origin)
    progress.finish()
