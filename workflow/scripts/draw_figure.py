"""Draw a figure from its tables."""

from pathlib import Path

from penalized_bandits.workflow.job import job
from penalized_bandits.experiments.base import Readings
from penalized_bandits.figures import EVERY_FIGURE
from penalized_bandits.figures.base import CaptionContext, save_figure

params = snakemake.params

with job(snakemake) as running:
    figure = EVERY_FIGURE[snakemake.wildcards.figure]
    tables = dict(snakemake.input.items())
    context = CaptionContext(params.section, Readings(**params.readings), params.warning)
    save_figure(figure, tables, context, Path(snakemake.output.pdf).with_suffix(""))
    running.log.info("drawn from %s", ", ".join(tables.values()))
