"""Draw a figure from its tables."""

from pathlib import Path

from penalized_bandits.workflow.job import job
from penalized_bandits.config import parse_config
from penalized_bandits.figures import EVERY_FIGURE
from penalized_bandits.figures.base import save_figure
from penalized_bandits.figures.captions import caption_of
from penalized_bandits.workflow.captions import context_of

with job(snakemake) as log:
    figure = EVERY_FIGURE[snakemake.wildcards.figure]
    tables = dict(snakemake.input.items())
    papers = tables.pop("papers", None)
    context = context_of(figure, parse_config(snakemake.config), papers)
    caption = caption_of(figure, tables, context)
    save_figure(figure, tables, caption, Path(snakemake.output.pdf).with_suffix(""))
    log.info("drawn from %s", ", ".join(tables.values()))
