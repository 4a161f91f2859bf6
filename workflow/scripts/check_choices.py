"""Simulate the trade-offs with other choices of ours, and decide their claims again."""

from penalized_bandits.workflow.job import job
from penalized_bandits.claims.choices import check_variant, choices_table
from penalized_bandits.claims.evidence import Evidence
from penalized_bandits.claims.variants import Variant
from penalized_bandits.experiments.base import Context, Readings
from penalized_bandits.experiments.catalogue import EXPERIMENTS
from penalized_bandits.experiments.simulate import pulls_of, simulate_group
from penalized_bandits.storage.summaries import write_csv
from penalized_bandits.workflow.progress import Progress

params = snakemake.params

with job(snakemake) as running:
    ratings = next(iter(snakemake.input.ratings), None)
    context = Context(params.seed, Readings(**params.readings), 0, params.replicates, ratings)
    variants = [Variant(**values) for values in params.variants]
    tasks = []
    for one in variants:
        experiment = EXPERIMENTS[one.experiment]
        section = experiment.section.model_validate(one.section)
        tasks.append((experiment, section, experiment.groups(section), context))
    progress = Progress(sum(pulls_of(*task) for task in tasks), running.log, snakemake.rule)
    rows = []
    for one, task in zip(variants, tasks, strict=True):
        outcomes = simulate_group(*task, threads=snakemake.threads, progress=progress)
        found = Evidence.of({one.experiment: one.section}, {one.experiment: outcomes})
        rows.append(check_variant(one, found))
        running.log.info("%s, %s: %s", rows[-1]["id"], one.changed, rows[-1]["verdict"])
    write_csv(choices_table(rows), snakemake.output.table)
    progress.finish()
