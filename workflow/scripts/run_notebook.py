"""Run a notebook on the results by papermill, and render it as a page by nbconvert."""

import re
from pathlib import Path
from tempfile import TemporaryDirectory

from nbconvert.exporters import HTMLExporter
from papermill import PapermillExecutionError, execute_notebook
from traitlets.config import Config

from penalized_replication.workflow.job import job
from penalized_bandits.common.errors import UserError
from penalized_bandits.common.files import write_text
from penalized_replication.notebooks.style import STYLE

CONFIG = Config()
# A page shows no cell of parameters and no code of pictures, and loads nothing from a host.
CONFIG.TagRemovePreprocessor.remove_cell_tags = {"injected-parameters"}
CONFIG.TagRemovePreprocessor.remove_input_tags = {"drawing"}
# A kernel reports the interrupt that ends it as an error.
CONFIG.NotebookClient.extra_arguments = ["--IPKernelApp.log_level=50"]
NO_HOSTS = dict.fromkeys(("require_js_url", "mathjax_url", "mermaid_js_url"), "")

params, output, path = snakemake.params, snakemake.output, snakemake.input.notebook
found, replicates = str(Path(output.page).parents[1]), list(snakemake.input.replicates)
parameters = {"results": found, "replicates": replicates} if replicates else {}
with job(snakemake) as log, TemporaryDirectory(prefix="kernel-") as sockets:
    # Sockets that no other user can read, where TCP would be open to all of this machine.
    CONFIG.KernelManager.update(transport="ipc", ip=f"{sockets}/ipc")
    how = {"config": CONFIG, "progress_bar": False}
    try:
        notebook = execute_notebook(path, output.notebook, parameters, **how)
    except PapermillExecutionError as error:
        log.info("%s", error)
        where = f"{path}, cell [{error.exec_count}]"
        raise UserError(f"{where}: {error.ename}: {error.evalue}") from None
    exporter = HTMLExporter(config=CONFIG, **NO_HOSTS)
    exporter.exclude_input_prompt = exporter.exclude_output_prompt = True
    exporter.exclude_anchor_links = True
    page, _ = exporter.from_notebook_node(notebook, {"metadata": {"name": params.title}})
    style = f"<style>\n{STYLE.read_text('utf-8')}</style>\n</head>"
    page = page.replace("</head>", style, 1)
    write_text(output.page, re.sub(r'href="(\w+)\.ipynb"', r'href="\1.html"', page))
