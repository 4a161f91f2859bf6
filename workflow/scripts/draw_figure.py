"""Draw a figure from its tables."""

from pathlib import Path

from penalized_replication.workflow.job import job
from penalized_replication.claims.results import config_name, warning
from penalized_replication.experiments.base import Readings
from penalized_replication.figures import EVERY_FIGURE
from penalized_replication.figures.base import save_figure
from penalized_replication.figures.captions import caption_of
from penalized_replication.pages.origin import changed_keys
from penalized_replication.storage.files import is_published

params = snakemake.params
section, readings = params.caption

with job(snakemake) as log:
    figure = EVERY_FIGURE[snakemake.wildcards.figure]
    tables = dict(snakemake.input.items())
    papers = tables.pop("papers", None)
    more = ""
    # Published verdicts are of the paper's config.
    if papers and not is_published(tables["verdicts"]):
        more = warning(config_name(changed_keys(params.config, papers)))
    caption = caption_of(figure, tables, section, Readings.model_validate(readings), more)
    save_figure(figure, tables, caption, Path(snakemake.output.pdf).with_suffix(""))
    log.info("drawn from %s", ", ".join(tables.values()))
