# Notebooks, run on the results and rendered as pages that need nothing but themselves.
from dataclasses import asdict


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
