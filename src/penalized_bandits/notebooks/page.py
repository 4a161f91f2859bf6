"""Render a notebook as one HTML page that needs nothing but itself."""

import copy
import re
from pathlib import Path

from nbconvert.exporters import HTMLExporter
from nbformat import NotebookNode
from traitlets.config import Config

from penalized_bandits.notebooks import Notebook
from penalized_bandits.notebooks.run import INJECTED

TEMPLATES = Path(__file__).parent


def render_page(notebook: NotebookNode, about: Notebook) -> str:
    """Return a page with a notebook's text, code, tables and pictures.

    Everything is in the page, images as data, style sheet included; there is no script and
    nothing is asked of any host.  Formulas are therefore text, not TeX.

    The HTML is the same for the same notebook; ``about`` is its entry in the registry.
    """
    config = Config()
    config.TagRemovePreprocessor.enabled = True
    # The reader sees the defaults; what the workflow put in their place are paths.
    config.TagRemovePreprocessor.remove_cell_tags = {INJECTED}
    exporter = HTMLExporter(
        config=config,
        template_name="template",
        extra_template_basedirs=[str(TEMPLATES)],
        exclude_input_prompt=True,
        exclude_output_prompt=True,
    )
    titled = copy.deepcopy(notebook)
    titled.metadata.update(title=about.title, description=about.description, path=about.path)
    page, _ = exporter.from_notebook_node(titled)
    # A link between notebooks leads to a page from a page.
    page = re.sub(r'href="(\w+)\.ipynb"', r'href="\1.html"', page)
    return "\n".join(line.rstrip() for line in page.splitlines()) + "\n"
