"""Simulate a group of a setting's cases, or a part of its replicates."""

import resource

import penalized_bandits.startup  # noqa: F401  (first)
from penalized_bandits.catalogue import experiment
from penalized_bandits.experiment import part_of, pulls_of, simulate_group
from penalized_bandits.logs import job_log
from penalized_bandits.origins import ratings_behind, write_origin
from penalized_bandits.progress import Progress
from penalized_bandits.replicates import write_replicates
from penalized_bandits.settings import Context, Readings

wildcards, params = snakemake.wildcards, snakemake.params

with job_log(snakemake.log[0]) as log:
    setting = experiment(wildcards.get("setting") or wildcards.extension)
    section = setting.section.model_validate(params.section)
    part, parts = int(wildcards.part), int(wildcards.parts)
    first, replicates = part_of(section.replicates, part, parts)
    context = Context(
        seed=params.seed,
        readings=Readings(**params.readings),
        first_replicate=first,
        replicates=replicates,
        rating_counts=next(iter(snakemake.input.ratings), None),
    )
    job = (setting, section, params.groups, context)
    name = f"{setting.id}/{wildcards.group}" + (f", part {part} of {parts}" if parts > 1 else "")
    progress = Progress(pulls_of(*job), log, name)
    outcomes = simulate_group(*job, threads=snakemake.threads, log=log, progress=progress)
    ratings = ratings_behind(snakemake.input.ratings, params.origin["experiments"])
    origin = {
        "setting": setting.id,
        "group": wildcards.group,
        "part": part,
        "parts": parts,
        "seed": params.seed,
        "readings": params.readings,
        "section": params.section,
        "made_with": {**params.origin, "ratings": ratings},
    }
    output = snakemake.output
    write_replicates(output.table, outcomes, origin)
    write_origin(output.origin, params.origin, [output.table], ratings=ratings)
    progress.finish()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    log.info("peak memory %.0f MiB", peak)
