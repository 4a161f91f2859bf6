"""Simulate a group of an experiment's cases, or a part of its replicates."""

import resource

from penalized_bandits.workflow.job import job
from penalized_bandits.experiments.base import Context, Readings
from penalized_bandits.experiments.catalogue import experiment
from penalized_bandits.experiments.simulate import part_of, pulls_of, simulate_group
from penalized_bandits.storage.origins import ratings_behind, without_details
from penalized_bandits.storage.replicates import write_replicates
from penalized_bandits.workflow.progress import Progress

wildcards, params = snakemake.wildcards, snakemake.params

with job(snakemake) as running:
    wanted = experiment(wildcards.experiment)
    section = wanted.section.model_validate(params.section)
    part, parts = int(wildcards.part), int(wildcards.parts)
    first, replicates = part_of(section.replicates, part, parts)
    context = Context(
        seed=params.seed,
        readings=Readings(**params.readings),
        first_replicate=first,
        replicates=replicates,
        rating_counts=next(iter(snakemake.input.ratings), None),
    )
    task = (wanted, section, params.groups, context)
    name = f"{wanted.id}/{wildcards.group}" + (f", part {part} of {parts}" if parts > 1 else "")
    progress = Progress(pulls_of(*task), running.log, name)
    outcomes = simulate_group(*task, threads=snakemake.threads, log=running.log, progress=progress)
    ratings = ratings_behind(snakemake.input.ratings, params.made_with["experiments"])
    origin = {
        "setting": wanted.id,
        "group": wildcards.group,
        "part": part,
        "parts": parts,
        "seed": params.seed,
        "readings": params.readings,
        "section": params.section,
        "made_with": {**without_details(params.made_with), "ratings": ratings},
    }
    write_replicates(snakemake.output.table, outcomes, origin)
    progress.finish()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    running.log.info("peak memory %.0f MiB", peak)
