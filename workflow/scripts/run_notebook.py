"""Run a notebook on the results, and render it as a page."""

import nbformat

import penalized_bandits.startup  # noqa: F401  (first)
from penalized_bandits.files import write_text
from penalized_bandits.logs import job_log
from penalized_bandits.notebooks import Notebook
from penalized_bandits.notebooks.page import render_page
from penalized_bandits.notebooks.run import run_notebook
from penalized_bandits.origins import write_origin

inputs, params, output = snakemake.input, snakemake.params, snakemake.output

with job_log(snakemake.log[0]) as log:
    about = Notebook(**params.about)
    done = run_notebook(inputs.notebook, params.parameters, log)
    page = render_page(done, about)
    write_text(output.notebook, nbformat.writes(done))
    write_text(output.page, page)
    files, read = [output.notebook, output.page], [*inputs.tables, *inputs.replicates]
    write_origin(output.origin, params.origin, files, read)
    log.info("%s: %d cells", about.title, len(done.cells))
