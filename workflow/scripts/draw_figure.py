"""Draw a figure of the paper from its tables."""

from pathlib import Path

from penalized_bandits.figures import FIGURES
from penalized_bandits.figures.base import save_figure
from penalized_bandits.logs import job_log

with job_log(snakemake.log[0]) as log:
    figure = FIGURES[snakemake.wildcards.figure]
    tables = {name: path for name, path in snakemake.input.items() if name != "code"}
    save_figure(figure, tables, Path(snakemake.output.pdf).with_suffix(""))
    log.info("drawn from %s", ", ".join(tables.values()))
