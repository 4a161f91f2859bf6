"""Run a notebook on the results, and render it as a page."""

import nbformat

from penalized_bandits.workflow.job import job
from penalized_bandits.notebooks import Notebook
from penalized_bandits.notebooks.page import render_page
from penalized_bandits.notebooks.run import run_notebook
from penalized_bandits.storage.files import write_text

params, output = snakemake.params, snakemake.output

with job(snakemake) as log:
    about = Notebook(**params.about)
    done = run_notebook(snakemake.input.notebook, params.parameters, log)
    page = render_page(done, about)
    write_text(output.notebook, nbformat.writes(done))
    write_text(output.page, page)
    log.info("%s: %d cells", about.title, len(done.cells))
