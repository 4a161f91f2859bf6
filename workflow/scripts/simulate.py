"""Simulate a part of an experiment: pulls of every replicate and arm."""

from contextlib import closing

from penalized_replication.workflow.job import Progress, job, sections_of
from penalized_replication.experiments.base import Context, Interpretations, part_of
from penalized_replication.experiments.catalogue import EXPERIMENTS
from penalized_replication.experiments.new_bandits import on_new_bandits
from penalized_replication.experiments.own_policies import check_unchanged
from penalized_replication.experiments.simulate import pulls_of, simulate_experiment
from penalized_replication.storage.replicates import write_replicates

w, params, output = snakemake.wildcards, snakemake.params, snakemake.output

with job(snakemake) as log:
    check_unchanged(params.own.get("policies", {}))
    played, values = EXPERIMENTS[w.experiment], sections_of(params)[w.experiment]
    if params.own.get("new_bandits"):
        played = on_new_bandits(played)
    section = played.section.model_validate(values)
    part = part_of(section.replicates, **params.part)
    made = {"setting": w.experiment, "seed": params.seed, "replicates": section.replicates}
    made |= {"interpretations": dict(params.interpretations), "section": values}
    counts = next(iter(snakemake.input.ratings), None)
    context = Context(params.seed, Interpretations(**params.interpretations), *part, counts)
    cases = played.all_cases(section, context)
    progress = Progress(pulls_of(cases, context), log, f"{w.scenario}{w.experiment}")
    how = {"threads": snakemake.threads, "progress": progress}
    outcomes = simulate_experiment(w.experiment, cases, context, **how)
    with closing(outcomes):  # its threads end as well if writing is interrupted
        write_replicates(output[0], outcomes, made | params.own | params.part)
    progress.finish()
