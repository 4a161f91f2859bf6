"""Draw a figure from its tables."""

from pathlib import Path

import penalized_bandits.startup  # noqa: F401  (first)
from penalized_bandits.figures import ALL_FIGURES, EXTENDED_FIGURES
from penalized_bandits.figures.base import MadeWith, save_figure
from penalized_bandits.logs import job_log
from penalized_bandits.origins import write_origin
from penalized_bandits.settings import Readings

with job_log(snakemake.log[0]) as log:
    known = {**ALL_FIGURES, **EXTENDED_FIGURES}
    figure = known[snakemake.wildcards.get("figure") or snakemake.wildcards.extended_figure]
    tables = {name: path for name, path in snakemake.input.items() if name != "code"}
    params = snakemake.params
    made_with = MadeWith(params.section, Readings(**params.readings), params.get("warning", ""))
    save_figure(figure, tables, made_with, Path(snakemake.output.pdf).with_suffix(""))
    output = snakemake.output
    files = [output.pdf, output.svg, output.png, output.caption]
    write_origin(output.origin, params.origin, files, tables.values())
    log.info("drawn from %s", ", ".join(tables.values()))
