# Notebooks, run on the results and rendered as pages that need nothing but themselves.
from dataclasses import asdict


def page_notebooks():
    """Notebooks that the reproduction page links to: those of the default target."""
    return list(NOTEBOOKS.values()) if CONFIG.pages.notebooks else []


def notebook_replicates(notebook):
    """Tables of replicates that a notebook reads."""
    experiments = NOTEBOOKS[notebook].replicates
    return [file for name in experiments for file in replicate_files(name)]


def notebook_parameters(notebook, inputs):
    """What a notebook's cell of parameters is given: where its tables are."""
    parameters = {}
    if NOTEBOOKS[notebook].reads_results:
        parameters["results"] = str(RESULTS)
    if NOTEBOOKS[notebook].replicates:
        parameters["replicates"] = list(inputs.replicates)
    return parameters


rule run_notebook:
    """Run a notebook on the results, and render it as a page (HTML)."""
    input:
        notebook=lambda w: of_workflow(f"workflow/notebooks/{w.notebook}.ipynb"),
        code=lambda w: local(provenance.notebook_code(NOTEBOOKS[w.notebook])),
        tables=lambda w: [f"results/{t}" for t in NOTEBOOKS[w.notebook].tables],
        replicates=lambda w: notebook_replicates(w.notebook),
    output:
        notebook="results/notebooks/{notebook}.ipynb",
        page="results/notebooks/{notebook}.html",
        origin="results/notebooks/{notebook}.origin.json",
    log:
        "results/logs/run_notebook/{notebook}.log",
    resources:
        mem_mb=usual_mb,
        runtime=usual_minutes,
    params:
        about=lambda w: asdict(NOTEBOOKS[w.notebook]),
        parameters=lambda w, input: notebook_parameters(w.notebook, input),
        origin=lambda w: notebook_origin(w.notebook),
    script:
        "../scripts/run_notebook.py"


rule notebooks:
    """All notebooks, with their outputs and as pages: a tour, and what is behind the figures."""
    input:
        [notebook_files(notebook) for notebook in NOTEBOOKS],
