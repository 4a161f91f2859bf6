"""Draw a figure from its tables."""

from pathlib import Path

from penalized_replication.workflow.job import job, sections_of
from penalized_replication.claims.results import config_name, warning
from penalized_replication.experiments.base import Interpretations
from penalized_replication.figures import EVERY_FIGURE
from penalized_replication.figures.base import save_figure
from penalized_replication.figures.captions import caption_of

params = snakemake.params

with job(snakemake) as log:
    figure = EVERY_FIGURE[snakemake.wildcards.figure]
    tables = {name: path for name, path in snakemake.input.items() if name != "code"}
    sections, interpretations = sections_of(params), Interpretations(**params.interpretations)
    shown = sections[figure.setting] if figure.setting else sections
    caption = caption_of(
        figure, tables, shown, interpretations, warning(config_name(params.changed))
    )
    save_figure(figure, tables, caption, Path(snakemake.output.pdf).with_suffix(""))
    log.info("drawn from %s", ", ".join(map(str, tables.values())))
